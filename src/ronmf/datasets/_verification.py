"""Whether a file is what the catalog says."""

import hashlib
import os
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ._catalog import Entry, entry_of
from ._dataset import Dataset
from ._download import sha256_of
from ._locations import find
from ._photographs import class_of, members
from ._readers import from_mat, from_npz

__all__ = ["Size", "Verdict", "content_digest", "measure", "misfit", "verify"]


@dataclass(frozen=True)
class Size:
    """What a file holds; `n_features` is None where the pictures differ in size."""

    n_samples: int
    n_features: int | None
    class_sizes: tuple[int, ...]


@dataclass(frozen=True)
class Verdict:
    """The outcome of :func:`verify`: `path` is None if the dataset is not here."""

    name: str
    path: Path | None
    ok: bool
    text: str


def measure(entry: Entry, path: Path) -> Size:
    """Count what a file holds, without decoding photographs."""
    if entry.resizable:
        sizes = Counter(class_of(info) for info in members(path, entry.no_classes))
        return Size(sum(sizes.values()), None, tuple(sizes.values()))
    dataset = _read(entry, path)
    counts = np.bincount(dataset.y[dataset.y >= 0], minlength=len(dataset.classes))
    return Size(len(dataset.X), dataset.X.shape[1], tuple(counts.tolist()))


def _read(entry: Entry, path: Path) -> Dataset:
    is_mat = path.suffix.lower() == ".mat"
    return from_mat(path, entry.image_shape) if is_mat else from_npz(path)


def misfit(entry: Entry, path: Path) -> str:
    """Say what is wrong with the sizes of a file, in a few words; empty if nothing is."""
    size = measure(entry, path)
    pairs = (
        (size.n_samples, entry.n_samples, "samples"),
        (size.n_features or entry.n_features, entry.n_features, "features"),
        (len(size.class_sizes), entry.n_classes, "classes"),
    )
    wrong = [
        f"{found} {what} instead of {wanted}" for found, wanted, what in pairs if found != wanted
    ]
    return f"it holds {' and '.join(wrong)}" if wrong else ""


def content_digest(dataset: Dataset) -> str:
    """Return a sha256 of pictures and classes that no change of file format alters.

    Gray values count to one part in 4095, so that rounding has no say.
    """
    check = hashlib.sha256(repr((dataset.X.shape, dataset.image_shape)).encode())
    check.update(np.round(dataset.X * 4095).astype("<u2").tobytes())
    check.update(dataset.y.astype("<i4").tobytes())
    return check.hexdigest()


def _content_words(entry: Entry, path: Path) -> str:
    """Say whether a file holds what the reference copy does."""
    if not entry.content:
        return "photographs as downloaded"
    if content_digest(_read(entry, path)) == entry.content:
        return "with the content of the reference copy"
    return "not verified: its content is not that of the reference copy"


def verify(name: str, folder: str | os.PathLike | None = None) -> Verdict:
    """Compare a dataset with the catalog: sizes, then sha256.

    A file is good if it is the reference copy, byte by byte, or just as
    :func:`ronmf.datasets.fetch` made it, or a ``.mat`` file of the right sizes. Of these it is told
    whether they hold the same pictures and classes as the reference copy, or are not verified.
    """
    entry = entry_of(name)
    if entry.bundled:
        return Verdict(entry.name, None, True, "part of scikit-learn")
    path = find(entry, folder)
    if path is None:
        return Verdict(entry.name, None, False, "not here")
    try:
        problem = misfit(entry, path)
    except ValueError as error:
        problem = str(error)
    if problem:
        return Verdict(entry.name, path, False, problem)
    if path.suffix.lower() == ".mat":
        return Verdict(entry.name, path, True, f"a MATLAB file, {_content_words(entry, path)}")
    digest = sha256_of(path)
    if digest == entry.sha256:
        return Verdict(entry.name, path, True, "the reference copy")
    noted = path.with_name(f"{path.name}.sha256")
    if noted.is_file() and noted.read_text(encoding="utf-8").split()[:1] == [digest]:
        return Verdict(entry.name, path, True, f"as fetched, {_content_words(entry, path)}")
    return Verdict(
        entry.name, path, False, f"its sha256 is {digest}, not {entry.sha256} of the reference copy"
    )
