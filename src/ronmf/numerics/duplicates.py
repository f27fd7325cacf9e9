"""Samples that are nearly the same: copies, also after compression, scaling or a little noise."""

from hashlib import blake2b
from typing import Any

import numpy as np
from scipy.optimize import brentq

from .approximate_neighbors import approximate_neighbors, approximation_pays
from .arrays import to_numpy
from .nearest_neighbors import as_floating, k_nearest

__all__ = ["near_duplicates", "same_light"]

_LARGEST_GROUP = 10  # of near-copies; larger groups are classes
_LARGEST_RATIO = 1 / 3
_CHANCE_GROUPS = 0.05  # that so many samples would have by chance
_FEWEST_DIMENSIONS, _MOST_DIMENSIONS = 0.1, 1e4
# The neighbour (the third) whose distance is ordinary also where samples have a copy or two
_ORDINARY_NEIGHBOR = 3


def near_duplicates(X: Any, ratio: float | None = None) -> list[np.ndarray]:
    r"""Return groups of samples that are much nearer to each other than to any other sample.

    A group is joined by links of which none is longer than `ratio` times the distance from any of
    its members to the nearest sample outside, nor than `ratio` times an ordinary distance between
    neighbours (the median one to the third nearest). It has at most ten members; of exact copies,
    any number.

    How near is too near for chance? If samples lie in D dimensions without any order, the nearest
    neighbour of one is nearer than r times the second with probability :math:`r^D`. By default r
    makes 0.05 groups likely among n samples, :math:`r = (0.05 / n)^{1/D}`, but is a third at most.
    D is where half of the samples should be below [1]_: :math:`\log 2 / \log(d_2 / d_1)` at the
    median, copies left out. So few dimensions, such as those of an object that turns, ask for more:
    neighbouring views are no copies.

    Parameters
    ----------
    X : array of shape (n_samples, n_features)
        Finite numbers.
    ratio : float, default=None
        r, above 0 and below 1. The larger, the more is called a copy.

    Returns
    -------
    list of ndarray of int
        Groups of two or more samples, in increasing order, by their first.

    References
    ----------
    .. [1] E. Facco, M. d'Errico, A. Rodriguez and A. Laio. Estimating the intrinsic dimension of
       datasets by a minimal neighborhood information. Scientific Reports 7, 2017.

    Examples
    --------
    >>> X = np.random.default_rng(0).random((200, 30))
    >>> X[7] = X[3] + 0.001
    >>> [group.tolist() for group in near_duplicates(X)]
    [[3, 7]]
    """
    if ratio is not None and not 0 < ratio < 1:
        raise ValueError(f"ratio={ratio!r} is not between 0 and 1; use None or such a number.")
    X = to_numpy(X)
    kinds = _equal_samples(X)
    first = [kind[0] for kind in kinds]
    k = min(_LARGEST_GROUP, len(first) - 1)
    groups: list[list[int]] = []
    if k > _ORDINARY_NEIGHBOR:
        indices, distances = _neighbors(X[first], k)
        limit = _LARGEST_RATIO if ratio is None else ratio
        groups = _isolated_groups(indices, distances, limit)
        if ratio is None and groups:
            D = _dimension(indices, distances, groups)
            limit = min(limit, (_CHANCE_GROUPS / len(first)) ** (1 / D))
            groups = _isolated_groups(indices, distances, limit)
    joined = {i for group in groups for i in group}
    groups += [[i] for i, kind in enumerate(kinds) if len(kind) > 1 and i not in joined]
    members = [np.sort(np.concatenate([kinds[i] for i in group])) for group in groups]
    return sorted(members, key=lambda group: group[0])


def same_light(X: np.ndarray) -> np.ndarray:
    """Return pictures of mean zero and unit length: light and contrast make no other picture.

    Examples
    --------
    >>> same_light(np.array([[0.0, 2.0], [3.0, 7.0]])).round(3).tolist()
    [[-0.707, 0.707], [-0.707, 0.707]]
    """
    X = X - X.mean(axis=1, keepdims=True)
    length = np.sqrt((X * X).sum(axis=1, keepdims=True))
    return X / np.where(length > 0, length, 1)


def _equal_samples(X: np.ndarray) -> list[np.ndarray]:
    """Return the samples of every kind of equal ones, in increasing order; most are alone."""
    kinds: dict[bytes, int] = {}
    # Digests take less room than rows. A negative zero becomes a plain one.
    keys = (blake2b((row + 0.0).tobytes(), digest_size=16).digest() for row in X)
    codes = np.array([kinds.setdefault(key, len(kinds)) for key in keys], dtype=int)
    ends = np.cumsum(np.bincount(codes))[:-1]
    return np.split(np.argsort(codes, kind="stable"), ends)


def _neighbors(X: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    if approximation_pays(X):
        indices, distances, _ = approximate_neighbors(as_floating(X), k)
        return indices, distances
    return k_nearest(X, k)


def _isolated_groups(indices: np.ndarray, distances: np.ndarray, ratio: float) -> list[list[int]]:
    """Return the largest groups whose links are short beside the distance to all others.

    Neighbours of each sample are given, nearest first. A group of as many members as there are
    neighbours, or fewer, has an outside neighbour in the list of every member.
    """
    n, k = indices.shape
    longest = ratio * float(np.median(distances[:, _ORDINARY_NEIGHBOR - 1]))
    rows, columns = np.nonzero(distances <= longest)
    lengths = distances[rows, columns]
    order = np.argsort(lengths, kind="stable")
    root = list(range(n))
    members: dict[int, list[int]] = {}
    groups: dict[int, list[list[int]]] = {}  # by the component they are in

    def find(i: int) -> int:
        while root[i] != i:
            root[i] = root[root[i]]
            i = root[i]
        return i

    for place in order.tolist():
        a, b = find(int(rows[place])), find(int(indices[rows[place], columns[place]]))
        if a == b:
            continue
        root[b] = a
        joined = members.pop(a, [a]) + members.pop(b, [b])
        inside = groups.pop(a, []) + groups.pop(b, [])
        members[a] = joined
        if len(joined) <= k:
            near, far = indices[joined], distances[joined]
            outside = far[~np.isin(near, joined)].min()
            if lengths[place] <= ratio * outside:
                inside = [sorted(joined)]
        groups[a] = inside
    return [group for inside in groups.values() for group in inside]


def _dimension(indices: np.ndarray, distances: np.ndarray, groups: list[list[int]]) -> float:
    r"""Return the number of dimensions in which samples lie; of each group only one counts.

    Ratios below a third may be those of copies, so they are left out. The median m of the others
    is where :math:`m^D - 3^{-D} = (1 - 3^{-D}) / 2`.
    """
    left = np.ones(len(indices), dtype=bool)
    left[[i for group in groups for i in group[1:]]] = False
    lengths = np.sort(np.where(left[indices], distances, np.inf)[left], axis=1)[:, :2]
    lengths = lengths[np.isfinite(lengths[:, 1]) & (lengths[:, 1] > 0)]
    ratios = lengths[:, 0] / lengths[:, 1]
    ratios = ratios[ratios > _LARGEST_RATIO]
    if not len(ratios):
        return _FEWEST_DIMENSIONS
    m = min(float(np.median(ratios)), 0.9999)  # on a lattice all are 1

    def above(D: float) -> float:
        return 2 * m**D - 1 - _LARGEST_RATIO**D

    if above(_FEWEST_DIMENSIONS) <= 0:
        return _FEWEST_DIMENSIONS
    return float(brentq(above, _FEWEST_DIMENSIONS, _MOST_DIMENSIONS))
