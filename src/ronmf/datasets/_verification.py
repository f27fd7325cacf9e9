"""Whether a file is what the catalog says."""

import os
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ._catalog import Entry, entry_of
from ._download import sha256_of
from ._locations import find
from ._photographs import class_of, members
from ._readers import from_mat, from_npz

__all__ = ["Size", "Verdict", "measure", "misfit", "verify"]


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
    is_mat = path.suffix.lower() == ".mat"
    dataset = from_mat(path, entry.image_shape) if is_mat else from_npz(path)
    counts = np.bincount(dataset.y[dataset.y >= 0], minlength=len(dataset.classes))
    return Size(len(dataset.X), dataset.X.shape[1], tuple(counts.tolist()))


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


def verify(name: str, folder: str | os.PathLike | None = None) -> Verdict:
    """Compare a dataset with the catalog: sizes, then sha256.

    A file is good if it is the reference copy, byte by byte, or just as
    :func:`ronmf.datasets.fetch` made it. For a ``.mat`` file no sha256 is known.
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
        return Verdict(entry.name, path, True, "sizes as expected, sha256 of .mat files unknown")
    digest = sha256_of(path)
    if digest == entry.sha256:
        return Verdict(entry.name, path, True, "the reference copy")
    noted = path.with_name(f"{path.name}.sha256")
    if noted.is_file() and noted.read_text(encoding="utf-8").split()[:1] == [digest]:
        return Verdict(entry.name, path, True, "as fetched, not the reference copy")
    return Verdict(
        entry.name, path, False, f"its sha256 is {digest}, not {entry.sha256} of the reference copy"
    )
