"""What a fit found, kept in a file without pickle, and how it differs from the fit before."""

import io
import json
import math
import re
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np

from ..system.files import whole_file

__all__ = ["Result", "changes", "newest_results"]

_NAME = re.compile(r"result-(\d{6})\.npz")
_MOST_FILE_BYTES = 2**30  # of a file, packed or unpacked
_FITS_KEPT = 2
_MOST_FITS = 999_999  # of a project: their numbers have six digits


@dataclass(frozen=True, eq=False)
class Result:
    """A fit as the page shows it; rows are pictures, in the order of `files`.

    Attributes
    ----------
    number : int
        Grows with every fit of a project.
    complete : bool
        Whether labels were judged and notes written: the clusters can be looked at before.
    files : list of str
        The pictures that could be read.
    classes : list of str
        Names of the clusters: first the `named` ones that have labels, then those that were found.
    named : int
        How many have labels.
    seconds : float
        How long the fit took.
    notes : list of str
        Sentences for the user: what should not be trusted.
    features : str
        What the pictures were compared by, in words.
    cluster, certainty, novelty, outlier : ndarray of shape (n,)
        Number of the cluster, how sure that is, how likely a picture in a named cluster belongs to
        no class that has a name (0 elsewhere), and how odd it is beside its neighbours.
    next : ndarray of int
        Pictures to label next, the most useful first.
    wrong, suggested, quality : ndarray
        Pictures whose given label looks wrong, the most suspicious first, the number of the cluster
        that they seem to be of, and the probability of the given label.
    xy : ndarray of shape (n, 2)
        Places on the map, between 0 and 1.
    parts : ndarray of int of shape (n_clusters, m)
        The strongest parts of each cluster; -1 fills up.
    pictures : dict
        ``prototype-3`` and ``part-0``, as PNG files.
    """

    number: int
    complete: bool
    files: list[str]
    classes: list[str]
    named: int
    seconds: float
    notes: list[str]
    features: str
    cluster: np.ndarray
    certainty: np.ndarray
    novelty: np.ndarray
    outlier: np.ndarray
    next: np.ndarray
    wrong: np.ndarray
    suggested: np.ndarray
    quality: np.ndarray
    xy: np.ndarray
    parts: np.ndarray
    pictures: Mapping[str, bytes] = field(default_factory=dict)

    def __post_init__(self) -> None:
        n, k = len(self.files), len(self.classes)
        rows = (self.cluster, self.certainty, self.novelty, self.outlier)
        listed = (self.wrong, self.suggested, self.quality)
        texts = (*self.files, *self.classes, *self.notes, self.features)
        sound = (
            all(array.shape == (n,) for array in rows)
            and all(array.shape == self.wrong.shape for array in listed)
            and self.xy.shape == (n, 2)
            and self.parts.ndim == 2
            and len(self.parts) == k
            and all(np.isfinite(a).all() for a in (*rows, self.xy))
            and _within(self.cluster, k)
            and _within(self.suggested, k)
            and _within(self.next, n)
            and _within(self.wrong, n)
            and all(isinstance(name, str) for name in texts)
            and all(type(v) is int for v in (self.number, self.named))
            and 1 <= self.number < _MOST_FITS
            and 0 <= self.named <= k
            and type(self.seconds) is float
            and math.isfinite(self.seconds)
            and bool(np.isfinite(self.quality).all())
            and type(self.complete) is bool
        )
        if not sound:
            raise ValueError("the parts of the result do not fit together.")

    @property
    def version(self) -> int:
        """A number that grows with every change of what is shown."""
        return 2 * self.number + self.complete

    @property
    def places(self) -> dict[str, int]:
        """The row of each picture."""
        return {name: row for row, name in enumerate(self.files)}

    @property
    def cluster_of(self) -> dict[str, int]:
        """The number of each picture's cluster."""
        return dict(zip(self.files, self.cluster.tolist(), strict=True))

    def class_of(self, row: int) -> str:
        """Return the name of a picture's cluster."""
        return self.classes[int(self.cluster[row])]

    def save(self, folder: Path) -> Path:
        """Write the result into a folder, whole or not at all, and remove all but the last two."""
        path = folder / f"result-{self.number:06d}.npz"
        texts = json.dumps({name: getattr(self, name) for name in _TEXTS}).encode()
        arrays = {name: getattr(self, name) for name in _ARRAYS}
        arrays["texts"] = np.frombuffer(texts, dtype=np.uint8)
        for name, content in self.pictures.items():
            arrays[f"picture-{name}"] = np.frombuffer(content, dtype=np.uint8)
        with whole_file(path) as part:
            np.savez(part, **arrays)
        for old in _saved(folder)[:-_FITS_KEPT]:
            old.unlink(missing_ok=True)
        return path

    @classmethod
    def load(cls, path: Path) -> "Result":
        """Read a result; a ValueError if the file holds anything else."""
        try:
            content = path.read_bytes() if path.stat().st_size <= _MOST_FILE_BYTES else b""
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                if sum(member.file_size for member in archive.infolist()) > _MOST_FILE_BYTES:
                    raise ValueError("it is too large")
            with np.load(io.BytesIO(content), allow_pickle=False) as file:
                texts: dict[str, Any] = json.loads(file["texts"].tobytes())
                pictures = {
                    name.removeprefix("picture-"): file[name].tobytes()
                    for name in file.files
                    if name.startswith("picture-")
                }
                arrays = {name: file[name] for name in _ARRAYS if name in file.files}
            # Results of version 0.1.0 do not say what is novel: nothing is.
            arrays.setdefault("novelty", np.zeros(len(texts["files"]), dtype=np.float32))
            return cls(**{name: texts[name] for name in _TEXTS}, **arrays, pictures=pictures)
        except Exception as error:  # of zipfile, NumPy and JSON, about any file
            raise ValueError(f"{path} holds no result that can be read: {error}") from error


_ARRAYS = [each.name for each in fields(Result) if each.type is np.ndarray]
_TEXTS = [each.name for each in fields(Result) if each.name not in (*_ARRAYS, "pictures")]


def _within(numbers: np.ndarray, most: int) -> bool:
    if numbers.ndim != 1 or (numbers.size and numbers.dtype.kind not in "iu"):
        return False
    return not numbers.size or bool(numbers.min() >= 0 and numbers.max() < most)


def _saved(folder: Path) -> list[Path]:
    return sorted(
        path for path in folder.iterdir() if _NAME.fullmatch(path.name) and not path.is_symlink()
    )


def newest_results(folder: Path) -> list[Result]:
    """Return the last two results of a folder, the newest first; damaged ones do not count."""
    results: list[Result] = []
    for path in reversed(_saved(folder)):
        try:
            results.append(Result.load(path))
        except ValueError:
            continue
        if len(results) == _FITS_KEPT:
            break
    return results


def changes(before: Result, after: Result) -> list[tuple[str, str, str]]:
    """Return pictures that changed their cluster: file, from, to.

    A cluster without a name is the same as the one that has most of its pictures now, and is told
    as ``cluster 1 (now owl)`` if that is called otherwise.
    """
    rows = before.places
    both = [(rows[name], row) for row, name in enumerate(after.files) if name in rows]
    if not both:
        return []
    old, new = np.array(both).T
    heir: dict[int, str] = {}
    for number, name in enumerate(before.classes):
        now = after.cluster[new[before.cluster[old] == number]]
        if number < before.named or not len(now):
            heir[number] = name
        else:
            heir[number] = after.classes[int(np.bincount(now).argmax())]
    moved = []
    for was, row in both:
        name, now = before.class_of(was), heir[int(before.cluster[was])]
        if now != after.class_of(row):
            from_ = name if name == now else f"{name} (now {now})"
            moved.append((after.files[row], from_, after.class_of(row)))
    return moved
