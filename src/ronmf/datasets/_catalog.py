"""The datasets with a name: their sizes, files, checksums, sources, and what is special about them.

They stand in ``catalog.toml``. No other module asks which dataset it has: it asks the entry.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..system.suggestions import did_you_mean

__all__ = ["CATALOG", "KINDS", "Entry", "Source", "entry_of"]

KINDS = ("copy", "mat", "openml", "numbered_pictures", "packed_photographs")
"""What a source may offer."""


@dataclass(frozen=True)
class Source:
    """An address to download from.

    Parameters
    ----------
    url : str
        Address of the file; for OpenML that of the description of the dataset.
    kind : {"copy", "mat", "openml", "numbered_pictures", "packed_photographs"}
        What is found there: the file of the catalog itself; a MATLAB file; a table; a zip file of
        colour pictures called ``obj7__355.png``; a zip file around a tar file of photographs in
        folders.
    digest : str
        ``"sha256:..."``, ``"sha1:..."`` or ``"md5:..."`` of the download; empty if unknown.
    """

    url: str
    kind: str
    digest: str = ""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"kind is {self.kind!r}: use one of {', '.join(KINDS)}.")


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A dataset of the catalog.

    Parameters
    ----------
    name, title : str
        What it is called, and what it shows.
    n_samples, n_classes : int
        Sizes.
    class_sizes : tuple (smallest, largest)
        Samples of a class.
    image_shape : tuple (height, width)
        Size of the pictures; of photographs of many sizes, the one they get unless told otherwise.
    page : str
        Page with its description and terms.
    file : str
        Name of its file; empty if scikit-learn brings it.
    mat_files : tuple of str
        Names of MATLAB files that serve as well.
    bundled : str
        Function of :mod:`sklearn.datasets` that loads it; empty if it is a file.
    resizable : bool
        Whether the file is a zip file of photographs of many sizes, one folder per class, that can
        be loaded in any size.
    no_classes : tuple of str
        Folders of such photographs that are no class.
    sha256 : str
        Of the reference copy of the file, on which the results of the documentation stand.
    content : str
        Of the pictures and classes in it, see ``ronmf.datasets._verification``:
        it tells whether a download that was converted here is the same dataset. Empty where the
        file holds photographs, which are as downloaded.
    sources : tuple of Source
        Where it can be had, the best first.
    prepare : dict
        What makes the dataset from its table at OpenML: a method of ``ronmf.datasets._openml`` and
        its options; empty if nothing does.
    """

    name: str
    title: str
    n_samples: int
    n_classes: int
    class_sizes: tuple[int, int]
    image_shape: tuple[int, int]
    page: str
    file: str = ""
    mat_files: tuple[str, ...] = ()
    bundled: str = ""
    resizable: bool = False
    no_classes: tuple[str, ...] = ()
    sha256: str = ""
    content: str = ""
    sources: tuple[Source, ...] = ()
    prepare: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def n_features(self) -> int:
        """Pixels of a picture."""
        return self.image_shape[0] * self.image_shape[1]


def _entries() -> Iterator[Entry]:
    text = Path(__file__).with_name("catalog.toml").read_text(encoding="utf-8")
    for name, table in tomllib.loads(text).items():
        table["sources"] = [Source(**each) for each in table.get("sources", ())]
        fields: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in table.items()
        }
        yield Entry(name=name, **fields)


CATALOG: dict[str, Entry] = {entry.name: entry for entry in _entries()}


def entry_of(name: str) -> Entry:
    """Return the entry called `name`; capital letters do not matter.

    Examples
    --------
    >>> entry_of("Yale").n_features
    1024
    """
    try:
        return CATALOG[name.lower()]
    except KeyError:
        raise ValueError(
            f"name is {name!r}, which is no dataset: choose one of {', '.join(CATALOG)}"
            f"{did_you_mean(name, CATALOG) or '.'}"
        ) from None
