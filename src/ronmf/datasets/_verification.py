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

__all__ = ["Verdict", "examine", "verify"]


@dataclass(frozen=True)
class Verdict:
    """What :func:`ronmf.datasets.verify` says of a dataset.

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


def examine(entry: Entry, path: Path) -> tuple[str, str]:
    """Compare the sizes of a file with the catalog, without decoding photographs.

    Returns
    -------
    problem : str
        What is wrong with them, in a few words; empty if nothing is.
    digest : str
        See :func:`content_digest`; empty for photographs, which are as downloaded.
    """
    if entry.resizable:
        pictures = members(path, entry.no_classes)
        sizes = (sum(map(len, pictures.values())), entry.n_features, len(pictures))
        digest = ""
    else:
        dataset = read_arrays(path, entry.image_shape)
        sizes = (*dataset.X.shape, len(dataset.classes))
        digest = content_digest(dataset)
    expected = (entry.n_samples, entry.n_features, entry.n_classes)
    compared = zip(sizes, expected, ("samples", "features", "classes"), strict=True)
    wrong = [f"{size} {what} instead of {right}" for size, right, what in compared if size != right]
    return f"it holds {' and '.join(wrong)}" if wrong else "", digest


def content_digest(dataset: Dataset) -> str:
    """Return a sha256 of pictures and classes that no change of file format alters.

    Gray values count to one part in 4095, so that rounding has no say.
    """
    check = hashlib.sha256(repr((dataset.X.shape, dataset.image_shape)).encode())
    check.update(np.round(dataset.X * 4095).astype("<u2").tobytes())
    check.update(dataset.y.astype("<i4").tobytes())
    return check.hexdigest()


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
    Verdict
        Whether the dataset is good, in what way, and where it is.
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
        problem, content = examine(entry, path)
    except ValueError as error:
        problem = str(error)
    if problem:
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
    if content == entry.content:
        return True, f"{kind}, with the content of the reference copy"
    return True, f"{kind}, not verified: its content is not that of the reference copy"
