"""Whether a file is what the catalog says."""

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ._arrays import read_arrays
from ._catalog import Entry, entry_of
from ._dataset import Dataset
from ._download import file_digest
from ._locations import find
from ._photographs import members

__all__ = ["Contents", "Verdict", "contents", "misfit", "verify"]


@dataclass(frozen=True)
class Contents:
    """What a file holds.

    Attributes
    ----------
    n_samples : int
        Number of pictures.
    n_features : int or None
        Pixels of a picture; None where they differ in size.
    n_classes : int
        Number of classes.
    digest : str
        See :func:`content_digest`; empty for photographs, which are as downloaded.
    """

    n_samples: int
    n_features: int | None
    n_classes: int
    digest: str = ""


@dataclass(frozen=True)
class Verdict:
    """The outcome of :func:`verify`.

    Attributes
    ----------
    name : str
        Of the dataset.
    path : Path or None
        Its file; None if it is not here.
    ok : bool
        Whether it is good.
    text : str
        In what way.
    """

    name: str
    path: Path | None
    ok: bool
    text: str


def contents(entry: Entry, path: Path) -> Contents:
    """Count what a file holds, without decoding photographs."""
    if entry.resizable:
        pictures = members(path, entry.no_classes)
        return Contents(sum(map(len, pictures.values())), None, len(pictures))
    dataset = read_arrays(path, entry.image_shape)
    n_samples, n_features = dataset.X.shape
    return Contents(n_samples, n_features, len(dataset.classes), content_digest(dataset))


def content_digest(dataset: Dataset) -> str:
    """Return a sha256 of pictures and classes that no change of file format alters.

    Gray values count to one part in 4095, so that rounding has no say.
    """
    check = hashlib.sha256(repr((dataset.X.shape, dataset.image_shape)).encode())
    check.update(np.round(dataset.X * 4095).astype("<u2").tobytes())
    check.update(dataset.y.astype("<i4").tobytes())
    return check.hexdigest()


def misfit(entry: Entry, actual: Contents) -> str:
    """Say what is wrong with the sizes of a file, in a few words; empty if nothing is."""
    pairs = (
        (actual.n_samples, entry.n_samples, "samples"),
        (actual.n_features or entry.n_features, entry.n_features, "features"),
        (actual.n_classes, entry.n_classes, "classes"),
    )
    wrong = [f"{size} {what} instead of {wanted}" for size, wanted, what in pairs if size != wanted]
    return f"it holds {' and '.join(wrong)}" if wrong else ""


def verify(name: str, folder: str | os.PathLike | None = None) -> Verdict:
    """Compare a dataset with the catalog: sha256, sizes, content.

    A file is good if it is the reference copy, byte by byte, or just as
    :func:`ronmf.datasets.fetch` made it, or a ``.mat`` file of the right sizes. Of these it is told
    whether they hold the same pictures and classes as the reference copy, or are not verified.

    Parameters
    ----------
    name : str
        A name of the catalog.
    folder : str or path, optional
        Where to look first, ``RONMF_DATA`` if None; then comes the cache.

    Returns
    -------
    verdict
        With attributes `name`, `path` (None if the dataset is not here), `ok` and `text`.
    """
    entry = entry_of(name)
    if entry.bundled:
        return Verdict(entry.name, None, True, "part of scikit-learn")
    path = find(entry.name, folder)
    if path is None:
        return Verdict(entry.name, None, False, "not here")
    return Verdict(entry.name, path, *_judge(entry, path))


def _judge(entry: Entry, path: Path) -> tuple[bool, str]:
    """Return whether a file is good, and in what way."""
    digest = file_digest(path)
    if digest == entry.sha256:
        return True, "the reference copy"
    try:
        actual = contents(entry, path)
    except ValueError as error:
        return False, str(error)
    if problem := misfit(entry, actual):
        return False, problem
    noted = path.with_name(f"{path.name}.sha256")
    if path.suffix.lower() == ".mat":
        kind = "a MATLAB file"
    elif noted.is_file() and noted.read_text(encoding="utf-8").split()[:1] == [digest]:
        kind = "as fetched"
    else:
        return False, f"its sha256 is {digest}, not {entry.sha256} of the reference copy"
    if not entry.content:
        return True, f"{kind}, photographs as downloaded"
    if actual.digest == entry.content:
        return True, f"{kind}, with the content of the reference copy"
    return True, f"{kind}, not verified: its content is not that of the reference copy"
