"""Exact nearest neighbours, for any array API library: by matrix products or by a k-d tree."""

from contextlib import nullcontext
from queue import SimpleQueue
from threading import BoundedSemaphore
from typing import Any

import numpy as np
from array_api_compat import array_namespace, device, is_numpy_namespace, is_torch_namespace
from scipy.spatial import KDTree

from .arrays import each_block, on_cpu, row_blocks, to_numpy
from .distance_bounds import DistanceBounds, rounding_factor
from .threads import n_threads

__all__ = ["SPARE", "SPARE_IF_LOOSE", "TREE_FEATURES"]
__all__ += ["as_floating", "check_count", "k_nearest", "nearest_of"]

_CPU_ENTRIES = 2**24  # of the distances in memory at a time
_ACCELERATOR_BYTES = 2**30
_accelerator = BoundedSemaphore(2)  # blocks on it at a time, if several threads search
_CPU_QUERIES = 256  # at a time
# Candidates beyond k: more make the slow path rarer and every query dearer
SPARE, SPARE_IF_LOOSE = 4, 20
_FOLD = 32  # columns that compete for one place in the first round of the selection
_UNFOLDED_COLUMNS = 4096  # up to which a round does not pay
_COPY_CANDIDATES = 256  # samples beyond k among which the slow path first looks for copies
# A tree visits the more samples the more features there are. Nine Gaussian ones, a bad case, take
# as long either way; the discriminant axes of ten classes take a quarter of the time.
TREE_FEATURES, _TREE_SAMPLES = 9, 500
_LEAF_SAMPLES = 32  # of the tree
_QUERIES_FOR_THREADS = 5000  # from which a second thread pays


def as_floating(array: Any) -> Any:
    """Return `array`, converted to float64 unless it is floating already (uint8 would wrap)."""
    xp = array_namespace(array)
    return array if xp.isdtype(array.dtype, "real floating") else xp.astype(array, xp.float64)


def check_count(n_neighbors: int, most: int) -> None:
    """Refuse a number of neighbours that so many other samples cannot give."""
    if not 1 <= n_neighbors <= most:
        raise ValueError(
            f"n_neighbors={n_neighbors} is not in 1..{most}; change it or add samples."
        )


def k_nearest(X: Any, k: int, queries: Any = None, *, squares: Any = None) -> tuple[Any, Any]:
    """Find the k nearest samples, in Euclidean distance, of each query.

    Parameters
    ----------
    X : array of shape (n_samples, n_features)
        NumPy, torch or any other array API array, finite.
    k : int
        Number of neighbours.
    queries : array of shape (n_queries, n_features), optional
        By default the samples: none is then its own neighbour, but its copies are, at distance 0.
    squares : array of shape (n_samples,), optional
        Squared lengths of the samples, which spare a few queries a pass over them.

    Returns
    -------
    indices, distances : arrays of shape (n_queries, k)
        Nearest first, ties by lower index; int64, and in the dtype of `X`, on its device.

    Notes
    -----
    ``|x|^2 + |y|^2 - 2 x'y`` costs one matrix product but cancels for near duplicates. Less its
    rounding error (that of the dtype: keep torch's TF32 off) it bounds the squared distance below;
    of wide samples, a bound along their principal axes does
    (:class:`~ronmf.numerics.distance_bounds.DistanceBounds`). The samples of lowest bound, a few
    more than k, are measured by their differences; unless k of them beat all other bounds, so is
    every other candidate. Of NumPy arrays with up to nine features and at least
    500 samples, the k + 5 come from a k-d tree, and only ties that they leave open go the long way.
    Answers do not depend on the batch (on a GPU, up to rounding).

    Examples
    --------
    >>> import numpy as np
    >>> indices, distances = k_nearest(np.array([[0.0], [1.0], [3.0], [3.0]]), 2)
    >>> indices.tolist(), distances.tolist()
    ([[1, 2], [0, 2], [3, 1], [2, 1]], [[1.0, 3.0], [1.0, 2.0], [0.0, 2.0], [0.0, 2.0]])
    """
    if X.ndim != 2:
        raise ValueError(f"X has shape {tuple(X.shape)}; it needs samples x features.")
    xp, X, itself = array_namespace(X), as_floating(X), queries is None
    queries = X if itself else xp.asarray(queries, dtype=X.dtype, device=device(X))
    n, m = X.shape[0], queries.shape[0]
    check_count(k, n - itself)
    own = xp.arange(m, device=device(X)) if itself else xp.full((m,), -1, device=device(X))
    if _tree_pays(xp, X, k, m):
        indices, squares, settled = _by_tree(X, k, queries, own)
        left = np.flatnonzero(~settled)
        if len(left):
            indices[left], squares[left] = _by_products(X, k, queries[left], own[left])
    else:
        indices, squares = _by_products(X, k, queries, own, squares)
    return indices, xp.sqrt(squares)


def _tree_pays(xp: Any, X: Any, k: int, n_queries: int) -> bool:
    """Return whether to build a tree of the samples, which takes as long as some queries."""
    n, d = X.shape
    return (
        is_numpy_namespace(xp)
        and X.dtype in (np.float32, np.float64)  # a tree is of the latter
        and 0 < d <= TREE_FEATURES
        and n >= max(_TREE_SAMPLES, 2 * (k + SPARE))
        and n_queries >= n // 20
    )


def _by_tree(
    X: np.ndarray, k: int, queries: np.ndarray, own: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return neighbours, squared distances, and whether they are surely these in this order."""
    workers = n_threads() if len(queries) >= _QUERIES_FOR_THREADS else 1
    distances, chosen = KDTree(X, _LEAF_SAMPLES).query(queries, k + SPARE + 1, workers=workers)
    chosen = np.sort(np.minimum(chosen, len(X) - 1), axis=1)  # n is "infinitely far away"
    squares, indices = nearest_of(np, X, k, queries, own, chosen)
    with np.errstate(over="ignore"):
        beyond = rounding_factor(X) * distances[:, -1] ** 2
    # The squares of X's dtype may have over- or underflowed where those of the tree have not.
    measured = (beyond >= np.finfo(X.dtype).tiny) & (beyond <= np.finfo(X.dtype).max)
    return indices, squares, measured & (squares[:, -1] < beyond)


def _by_products(X: Any, k: int, queries: Any, own: Any, squares: Any = None) -> tuple[Any, Any]:
    """Return neighbours and squared distances; `own` is the sample that each query is, or -1."""
    xp, (n, d), m = array_namespace(X), X.shape, queries.shape[0]
    bounds = DistanceBounds.of(X, m, squares)
    count = min(n, k + 1 + (SPARE_IF_LOOSE if bounds.are_loose else SPARE))
    size = max(1, min(_CPU_QUERIES, m, _CPU_ENTRIES // max(n, d)))
    if not on_cpu(X):
        bits = xp.finfo(X.dtype).bits
        size = max(1, _ACCELERATOR_BYTES * 8 // bits // max(n, d))  # few, large launches
    buffers = SimpleQueue[Any]()
    if is_numpy_namespace(xp):
        # One piece of memory goes back to the system at the end; one for each block would stay.
        for buffer in np.empty((n_threads() if m > size else 1, size, n), dtype=X.dtype):
            buffers.put(buffer)

    def nearest(block: slice) -> tuple[Any, Any]:
        if not is_numpy_namespace(xp):
            with nullcontext() if on_cpu(X) else _accelerator:
                return nearest_in(block, None)
        buffer = buffers.get()
        try:
            return nearest_in(block, buffer[: block.stop - block.start])
        finally:
            buffers.put(buffer)

    def nearest_in(block: slice, buffer: np.ndarray | None) -> tuple[Any, Any]:
        points, itself = queries[block, :], own[block]
        keys, offset = bounds.keys(points, buffer)
        chosen = xp.sort(_smallest(xp, keys, count), axis=1)
        squares, indices = nearest_of(xp, X, k, points, itself, chosen)
        beyond = xp.max(_pick(xp, keys, chosen), axis=1) + offset  # no other has a lower bound
        for row in to_numpy(xp.nonzero((squares[:, -1] >= beyond) & (count < n))[0]).tolist():
            near = xp.nonzero(keys[row, :] + offset[row] <= squares[row, -1])[0]
            near = near[near != itself[row]]
            for part in (near[: min(k + _COPY_CANDIDATES, near.shape[0])], near):
                measured = _squares(xp, points[row, :], X, part)
                order = xp.argsort(measured, stable=True)[:k]
                indices[row, :], squares[row, :] = xp.take(part, order), xp.take(measured, order)
                if squares[row, -1] == 0:  # k copies of the query: no later sample precedes them
                    break
        return indices, squares

    blocks = row_blocks(queries, size) or [slice(0, 0)]
    results = each_block(nearest, blocks, X)
    return xp.concat([i for i, _ in results]), xp.concat([s for _, s in results])


def nearest_of(xp: Any, X: Any, k: int, points: Any, own: Any, chosen: Any) -> tuple[Any, Any]:
    """Return the k smallest squared distances to chosen samples, and these; ties by lower index."""
    squares = xp.stack(
        [_squares(xp, points, X, chosen[:, j]) for j in range(chosen.shape[1])], axis=1
    )
    squares = xp.where(chosen == own[:, None], xp.inf, squares)
    order = xp.argsort(squares, axis=1, stable=True)[:, :k]
    return _pick(xp, squares, order), _pick(xp, chosen, order)


def _squares(xp: Any, points: Any, X: Any, indices: Any) -> Any:
    """Return the squared distances of `points` to the samples `indices`, from their differences."""
    difference = xp.take(X, indices, axis=0)
    difference -= points  # in place: one summation order, whatever the memory layout of `points`
    difference *= difference
    return xp.sum(difference, axis=1)


def _pick(xp: Any, table: Any, columns: Any) -> Any:
    """Return ``table[i, columns[i, j]]``."""
    flat = columns + table.shape[1] * xp.arange(table.shape[0], device=device(table))[:, None]
    return xp.reshape(xp.take(xp.reshape(table, (-1,)), xp.reshape(flat, (-1,))), columns.shape)


def _smallest(xp: Any, keys: Any, count: int) -> Any:
    """Return the columns of the `count` smallest keys of each row, in any order."""
    n, width = keys.shape[1], -(-keys.shape[1] // _FOLD)
    if width > max(2 * count, _UNFOLDED_COLUMNS // _FOLD):
        # A tournament, ten times faster than selecting in whole rows: column j plays in group
        # j % width, and the smallest keys can only be in the groups with the smallest minima.
        whole = n // width * width
        minima = xp.min(xp.reshape(keys[:, :whole], (-1, n // width, width)), axis=1)
        minima[:, : n - whole] = xp.minimum(minima[:, : n - whole], keys[:, whole:])
        groups = _smallest(xp, minima, count)
        members = xp.concat([groups + start for start in range(0, n, width)], axis=1)
        inside = members < n
        values = xp.where(inside, _pick(xp, keys, xp.where(inside, members, n - 1)), xp.inf)
        return _pick(xp, members, _smallest(xp, values, count))
    if is_numpy_namespace(xp):
        return _smallest_in_turn(keys, count)
    if is_torch_namespace(xp):
        return xp.topk(keys, count, dim=1, largest=False, sorted=False).indices
    return xp.argsort(keys, axis=1)[:, :count]


def _smallest_in_turn(keys: np.ndarray, count: int) -> np.ndarray:
    """Return the columns of the smallest keys by as many searches for one minimum.

    NumPy finds a minimum with vector instructions: four times faster than it partitions a row.
    """
    if count > _FOLD:
        return np.argpartition(keys, count - 1, axis=1)[:, :count]
    rows = np.arange(len(keys))
    chosen = np.empty((len(keys), count), dtype=np.int64)
    values = np.empty((len(keys), count), dtype=keys.dtype)
    for place in range(count):
        columns = keys.argmin(axis=1)
        chosen[:, place], values[:, place] = columns, keys[rows, columns]
        keys[rows, columns] = np.inf
    # In reverse: where only infinite keys were left, a column may have been chosen twice.
    for place in reversed(range(count)):
        keys[rows, chosen[:, place]] = values[:, place]
    return chosen
