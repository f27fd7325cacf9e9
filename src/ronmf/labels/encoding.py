"""From `y`, in which some samples have no label, to codes and class names."""

from dataclasses import dataclass, replace
from itertools import count, islice
from numbers import Number, Real
from typing import Any

import numpy as np

from ..numerics.arrays import from_numpy, to_numpy
from ..system.user_warnings import warn_user

__all__ = ["KnownLabels", "encode_labels", "is_labelled", "one_hot", "read_labels"]
__all__ += ["with_discovered"]


@dataclass(frozen=True)
class KnownLabels:
    """The labels that a fit may see.

    Attributes
    ----------
    codes : ndarray of int, shape (n_samples,)
        Index into `classes`, -1 where unlabelled, or where a label was set aside.
    classes : ndarray of shape (n_clusters,)
        The names: sorted labelled classes, then one name for each cluster yet to be discovered.
    given : ndarray of int, shape (n_samples,)
        As `codes`, with the labels that were set aside.
    """

    codes: np.ndarray
    classes: np.ndarray
    given: np.ndarray

    @property
    def n_named(self) -> int:
        """The number of classes with a label: the first ones."""
        return int(self.codes.max(initial=-1)) + 1

    def trusting(self, codes: np.ndarray) -> "KnownLabels":
        """Return them with these labels only; the others are set aside."""
        return replace(self, codes=codes)


def encode_labels(y: Any, n_samples: int, n_clusters: int | None) -> KnownLabels:
    """Read `y`, in which -1, None and NaN (and "-1" or "" among strings) mean unlabelled.

    Examples
    --------
    >>> known = encode_labels(["cat", None, "dog", -1], n_samples=4, n_clusters=3)
    >>> known.codes
    array([ 0, -1,  1, -1])
    >>> known.classes.tolist()
    ['cat', 'dog', 'cluster_2']
    """
    if n_clusters is not None and n_clusters > n_samples:
        raise ValueError(
            f"n_clusters={n_clusters} is more than the number of samples ({n_samples}); lower it."
        )
    if y is None:
        names, codes = np.array([], dtype=int), np.full(n_samples, -1)
    else:
        names, codes = read_labels(y, n_samples)
    if n_clusters is None:
        if not len(names):
            raise ValueError(
                "n_clusters is None and y has no labelled sample, so the number of clusters is"
                " unknown; give n_clusters or label at least one sample of each class."
            )
        n_clusters = len(names)
    if len(names) > n_clusters and (codes >= 0).all():
        # Not a partial labelling of these clusters but a finished one of something finer. As in
        # scikit-learn's clusterers (whose checks pass such a y) it is then of no use.
        warn_user(
            f"y labels every sample, with {len(names)} classes, but n_clusters={n_clusters}:"
            " the labels cannot name the clusters and are ignored."
        )
        names, codes = np.array([], dtype=int), np.full(n_samples, -1)
    if len(names) > n_clusters:
        raise ValueError(
            f"y has {len(names)} labelled classes but n_clusters={n_clusters};"
            " raise n_clusters to at least the number of classes, or leave it None."
        )
    return KnownLabels(codes, with_discovered(names, n_clusters), codes)


def one_hot(codes: np.ndarray, n_clusters: int, like: Any) -> Any:
    """Return Y (n_samples x n_clusters) in the library of `like`; unlabelled rows are zero."""
    return from_numpy((codes[:, None] == np.arange(n_clusters)).astype(float), like)


def is_labelled(codes: np.ndarray, like: Any) -> Any:
    """Return 1 for a labelled sample, else 0, in the library of `like`: the diagonal of S."""
    return from_numpy((codes >= 0).astype(float), like)


def read_labels(y: Any, n_samples: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the sorted names that occur in `y` and the code of every sample.

    Examples
    --------
    >>> names, codes = read_labels([3.0, float("nan"), 1.0], 3)
    >>> names.tolist(), codes.tolist()
    ([1.0, 3.0], [1, -1, 0])
    """
    y = _as_array(y)
    if y.dtype.kind not in "iufbOUSMm":
        raise ValueError(
            f"y is an array of {y.dtype}, which cannot name classes; use whole numbers or strings."
        )
    if y.ndim == 2 and y.shape[1] == 1:
        y = y.ravel()
    if y.shape != (n_samples,):
        raise ValueError(
            f"y has shape {y.shape} but X has {n_samples} samples; y needs one entry for each"
            " sample, with -1 for unlabelled ones."
        )
    if y.dtype.kind in "iuf":
        labelled = (y != -1) & (y == y)
    else:
        labelled = ~np.fromiter((_is_unlabelled(v) for v in y), dtype=bool, count=n_samples)
    given = y[labelled]
    if given.dtype.kind in "OU":
        given = _plain(given.tolist())
    if given.dtype.kind == "f" and np.isinf(given).any():
        raise ValueError("y has infinite labels; use -1 for unlabelled samples.")
    try:
        names, inverse = np.unique(given, return_inverse=True)
        # Sets have an order too, by which equal ones need not meet.
        sorted_together = len(names) == len(set(given.tolist()))
    except (TypeError, ValueError):
        sorted_together = False
    if not sorted_together:
        raise ValueError(
            "y has class names that cannot be sorted together; use whole numbers or strings."
        )
    codes = np.full(n_samples, -1)
    codes[labelled] = inverse
    return names, codes


def _as_array(y: Any) -> np.ndarray:
    """Read labels without turning numbers among strings, such as -1 or NaN, into strings."""
    if np.ma.isMaskedArray(y):
        raise ValueError("y is a masked array; mark unlabelled samples with -1 instead.")
    if hasattr(y, "to_numpy") and not hasattr(y, "__array_namespace__"):  # pandas, polars
        if hasattr(y, "astype") and not isinstance(getattr(y, "dtype", None), np.dtype):
            return np.asarray(y.astype(object))  # whole numbers with gaps would become fractions
        return np.asarray(y.to_numpy())
    if not isinstance(y, list | tuple):
        return to_numpy(y)
    try:
        objects = np.array(y, dtype=object)
    except ValueError:  # arrays of different shapes
        raise ValueError("y has entries that are arrays; use one label for each sample.") from None
    return _numbers(objects) if objects.ndim == 1 else objects


def _plain(names: list[Any]) -> np.ndarray:
    """Return names as numbers if all are; else as Python's own objects, which print as such."""
    names = [name.item() if isinstance(name, np.generic) else name for name in names]
    if len({isinstance(name, bool) for name in names}) > 1:  # 1 equals True
        raise ValueError("y mixes booleans with other class names; use one type for all of them.")
    array = np.empty(len(names), dtype=object)
    array[:] = names
    return _numbers(array)


def _numbers(objects: np.ndarray) -> np.ndarray:
    """Return objects as numbers if all are, and stay what they are; booleans are no numbers."""
    if not len(objects) or not all(isinstance(v, Real) for v in objects):
        return objects
    if any(isinstance(v, bool | np.bool_) for v in objects):
        return objects
    try:
        numbers = np.asarray(objects.tolist())
        kept = all(a == b or b != b for a, b in zip(numbers.tolist(), objects, strict=True))
    except (OverflowError, TypeError):
        return objects
    return numbers if kept else objects  # 2**63 and -1 make floats, which lose digits


def _is_unlabelled(label: Any) -> bool:
    if isinstance(label, str | bytes):
        return label.strip() in ("", "-1", b"", b"-1")
    if isinstance(label, Number):
        return bool(label == -1) or label != label
    try:
        return label is None or bool(label != label)
    except TypeError:  # pandas.NA is neither equal nor unequal to anything
        return True


def with_discovered(names: np.ndarray, n_clusters: int) -> np.ndarray:
    """Append a free name for every cluster without a label."""
    extra, taken = n_clusters - len(names), set(names.tolist())
    if not extra:
        return names
    if all(isinstance(name, Real) and not isinstance(name, bool) for name in taken):
        free = (k for k in count() if k not in taken)
        new = np.array(list(islice(free, extra)))
        if names.dtype.kind == "u":  # beside negative numbers they would become floats
            return np.concatenate([names.astype(np.uint64), new.astype(np.uint64)])
        return np.concatenate([names.astype(np.result_type(names.dtype, new.dtype)), new])
    words = (f"cluster_{k}" for k in count(len(names)) if f"cluster_{k}" not in taken)
    return np.array([*names.tolist(), *islice(words, extra)], dtype=object)
