"""Nearly all nearest neighbours of very many samples, in a fraction of the time: faiss."""

from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from .arrays import row_blocks
from .distance_bounds import FEW_QUERIES
from .locality import local_order
from .memory import allowed_bytes
from .nearest_neighbors import SPARE, SPARE_IF_LOOSE, TREE_FEATURES, k_nearest, nearest_of
from .principal import principal_directions, spread_sample
from .threads import in_threads, n_threads

__all__ = ["approximate_neighbors", "approximation_pays"]

_LARGE = 50_000  # samples from which it is used
_AXES = 100  # along which lists are searched, at most
_LISTS_SEARCHED = 24  # of 2 sqrt(n) lists
_SAMPLES_SEARCHED = 10  # for each neighbour, at least
_CENTRE_SAMPLES = 64  # samples that shape the centre of a list, at most
_TESTED = 300  # queries that are also answered exactly
# Of so many samples, more and shorter lists with centres of fewer samples: as good, and faster
_VERY_LARGE = 100_000
_SHORT_LISTS = 4  # times sqrt(n)
_SHORT_LISTS_SEARCHED, _SHORT_CENTRE_SAMPLES, _CENTRE_ROUNDS = 10, 39, 6
_INDEX_BYTES, _INDEX_SHARE = 2**31, 0.2  # of one index: bytes, and share of the memory allowed
_GROUP = 50_000  # samples that are looked up at a time


def approximation_pays(X: Any) -> bool:
    """Whether samples are so many that nearly all neighbours will do, and faiss is installed.

    Neither on an accelerator, nor along so few features that a tree finds all of them as fast,
    which it does not of very many.
    """
    if not isinstance(X, np.ndarray) or X.ndim != 2:
        return False
    many = len(X) >= (_LARGE if X.shape[1] > TREE_FEATURES else _VERY_LARGE)
    return many and X.shape[1] > 1 and _faiss() is not None


def _faiss() -> Any:
    """Return the library; None if it is not there, or cannot be loaded."""
    try:
        import faiss
    except ImportError:
        return None
    return faiss if hasattr(faiss, "IndexIVFFlat") else None


def approximate_neighbors(X: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray, float]:
    """Find nearly all of the k nearest other samples of each sample, in Euclidean distance.

    Samples are sorted into ``2 sqrt(n)`` lists around centres; those in the 24 lists nearest to a
    sample (more for many neighbours) are compared with it, along the hundred largest principal axes
    at most. From 100,000 samples on there are twice as many lists, and 10 are looked through. The
    best are measured exactly. Repeated calls give the same answer.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Finite.
    k : int
        Number of neighbours.

    Returns
    -------
    indices, distances : ndarrays of shape (n_samples, k)
        Nearest first, ties by lower index; the distances are exact.
    recall : float
        The share of neighbours found that no sample left out is nearer than, of 300 queries.

    Examples
    --------
    >>> X = np.random.RandomState(0).rand(2000, 12)
    >>> indices, distances, recall = approximate_neighbors(X, 5)
    >>> recall > 0.8
    True
    """
    if len(X) < _VERY_LARGE:
        return _approximate(X, k)
    order = local_order(X)
    places, distances, recall = _approximate(X[order], k)
    indices = np.empty_like(places)
    indices[order], distances[order] = order[places], distances.copy()
    return indices, distances, recall


def _approximate(X: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray, float]:
    points, loose = _along_axes(X)
    count = min(len(X), k + 1 + (SPARE_IF_LOOSE if loose else SPARE))
    chosen = _search_lists(points, count)
    del points  # they may be as large as X
    lack = chosen < 0  # too few in these lists
    chosen[lack] = np.nonzero(lack)[0]
    chosen.sort(axis=1)
    own = np.arange(len(X))

    def measure(block: slice) -> tuple[np.ndarray, np.ndarray]:
        return nearest_of(np, X, k, X[block], own[block], chosen[block])

    blocks = in_threads(measure, row_blocks(X))
    squares, indices = (np.concatenate(each) for each in zip(*blocks, strict=True))
    distances = np.sqrt(squares)
    lacking = np.flatnonzero(~np.isfinite(squares[:, -1]))
    if len(lacking):
        indices[lacking], distances[lacking] = _exactly(X, k, lacking)
    tested = np.random.RandomState(0).permutation(len(X))[:_TESTED]
    _, exact = _exactly(X, k, tested)
    return indices, distances, float((distances[tested] <= exact[:, -1:]).mean())


def _along_axes(X: np.ndarray) -> tuple[np.ndarray, bool]:
    """Return float32 samples along their largest principal axes, and whether some were left out."""
    centre = X.mean(axis=0, dtype=np.float64).astype(X.dtype)
    some, size = spread_sample(X, centre)
    axes = principal_directions(some, _AXES) if X.shape[1] > _AXES else None
    points = np.empty((len(X), X.shape[1] if axes is None else axes.shape[1]), dtype=np.float32)

    def along(rows: slice) -> None:
        centred = (X[rows] - centre) / size
        points[rows] = centred if axes is None else centred @ axes

    in_threads(along, row_blocks(X))
    return points, axes is not None


def _search_lists(points: np.ndarray, count: int) -> np.ndarray:
    """Return the nearest samples in the lists nearest to each, itself included; -1 for lack.

    Of samples that are too many for one index, an index is made of each block; all samples are
    looked up in it, and the best of what the blocks give are kept.
    """
    faiss, (n, d) = _faiss(), points.shape
    size = max(count, allowed_bytes(_INDEX_SHARE, _INDEX_BYTES) // (8 * max(1, d)))
    nearest = np.full((n, count), -1, dtype=np.int64)
    squares = np.full((n, count), np.inf, dtype=np.float32)
    before = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(n_threads())
    try:
        with threadpool_limits(1, user_api="blas"):  # its own may have come after a limit was set
            for start in range(0, n, size):
                index = _index(faiss, np.ascontiguousarray(points[start : start + size]), count)
                for rows in _neighbourly(index, points):
                    distances, places = index.search(np.ascontiguousarray(points[rows]), count)
                    places = np.where(places < 0, -1, places + start)
                    _merge(nearest, squares, rows, places, distances)
    finally:
        faiss.omp_set_num_threads(before)
    return nearest


def _index(faiss: Any, points: np.ndarray, count: int) -> Any:
    """Return samples sorted into lists around centres."""
    n, d = points.shape
    many = n >= _VERY_LARGE
    n_lists = max(1, min(n // 4, round((_SHORT_LISTS if many else 2) * n**0.5)))
    index = faiss.IndexIVFFlat(faiss.IndexFlatL2(d), d, n_lists)
    index.cp.max_points_per_centroid = _SHORT_CENTRE_SAMPLES if many else _CENTRE_SAMPLES
    index.cp.min_points_per_centroid = 1  # no warning of few samples
    if many:
        index.cp.niter = _CENTRE_ROUNDS
    index.train(points)
    index.add(points)
    lists = _SHORT_LISTS_SEARCHED if many else _LISTS_SEARCHED
    index.nprobe = min(n_lists, max(lists, -(-_SAMPLES_SEARCHED * count * n_lists // n)))
    return index


def _neighbourly(index: Any, points: np.ndarray) -> list[np.ndarray]:
    """Return all samples in groups of neighbours: what one looks up, the next finds in the cache.

    Every sample is looked up on its own, so their order is of no consequence.
    """
    groups = row_blocks(points, _GROUP)
    lists = [index.quantizer.search(points[rows], 1)[1][:, 0] for rows in groups]
    order = np.argsort(np.concatenate(lists), kind="stable")
    return [order[rows] for rows in groups]


def _merge(
    nearest: np.ndarray,
    squares: np.ndarray,
    rows: np.ndarray,
    places: np.ndarray,
    distances: np.ndarray,
) -> None:
    """Keep, of some samples, the nearest of those known and of those that were found."""
    every = np.concatenate([squares[rows], np.where(places < 0, np.inf, distances)], axis=1)
    samples = np.concatenate([nearest[rows], places], axis=1)
    order = np.argsort(every, axis=1, kind="stable")[:, : nearest.shape[1]]
    nearest[rows] = np.take_along_axis(samples, order, axis=1)
    squares[rows] = np.take_along_axis(every, order, axis=1)


def _exactly(X: np.ndarray, k: int, samples: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the neighbours of some samples by the exact search."""
    # Few at a time, since many would be worth a copy of all samples.
    size = FEW_QUERIES if len(samples) <= _TESTED else len(samples)
    squares = np.concatenate([(X[rows] ** 2).sum(axis=1) for rows in row_blocks(X)])
    blocks = [
        k_nearest(X, k + 1, X[samples[rows]], squares=squares) for rows in row_blocks(samples, size)
    ]
    indices, distances = (np.concatenate(each) for each in zip(*blocks, strict=True))
    other = indices != samples[:, None]
    other[other.all(axis=1), -1] = False  # more copies than neighbours: itself was not among them
    return indices[other].reshape(-1, k), distances[other].reshape(-1, k)
