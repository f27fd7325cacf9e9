"""Nearest-neighbour graphs of samples, to which new points can be linked."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp
from array_api_compat import array_namespace

from ..numerics.approximate_neighbors import approximate_neighbors, approximation_pays
from ..numerics.arrays import over_median, row_blocks, to_numpy
from ..numerics.distance_bounds import FEW_QUERIES
from ..numerics.locality import local_order
from ..numerics.nearest_neighbors import as_floating, check_count, k_nearest
from ..numerics.types import Array
from ..storage._checkpoint import remembered
from ._graph import Graph

__all__ = ["EDGE_WEIGHTS", "Edges", "NeighborGraph", "neighbor_graph"]

EDGE_WEIGHTS = ("self_tuning", "heat", "binary", "cosine")
# No label would reach a sample whose edges have all underflowed. A millionth of a copy's weight is
# too little to matter beside other edges, and enough for a solver to see.
_FLOOR = 1e-6
_MANY = 100_000  # samples from which memberships do not fit in a cache, and their order matters
_WORTH_KEEPING = 10_000  # samples whose neighbours take long to find
_LEAST_RECALL = 0.9  # of approximate neighbours


@dataclass(frozen=True, eq=False, repr=False)
class NeighborGraph(Graph):
    """A graph made by :func:`neighbor_graph`, to which new points can be linked.

    Attributes
    ----------
    affinity : csr_array of shape (n_samples, n_samples)
        The symmetric weights W, float64.
    samples, n_neighbors, weights
        As given to :func:`neighbor_graph`.
    scales : ndarray of shape (n_samples,)
        Norm of each sample ("cosine"), or its scale s in ``exp(-d^2 / (s_i s_j))`` (all others).
    indices, distances : ndarrays of shape (n_samples, n_neighbors)
        The neighbours of each sample, nearest first.
    recall : float
        The share of neighbours that were found, estimated; 1 where all were looked for.
    """

    affinity: sp.csr_array
    samples: Any
    n_neighbors: int
    weights: str
    scales: np.ndarray
    indices: np.ndarray
    distances: np.ndarray
    recall: float = 1.0

    def link(self, X: Array) -> tuple[np.ndarray, np.ndarray]:
        """Return the nearest samples of each new one and the weights of the edges to them.

        Both have shape (n_new, n_neighbors), nearest first. Each is treated on its own: its result
        does not depend on the rest of the batch.
        """
        lengths = self._squares if X.shape[0] <= FEW_QUERIES else None
        found = k_nearest(self.samples, self.n_neighbors, X, squares=lengths)
        indices, distances = map(to_numpy, found)
        own = _scales(self.weights, X, distances, self.scales.min())
        return indices, _edge_weights(self.weights, distances, own[:, None], self.scales[indices])

    @cached_property
    def _squares(self) -> Any:
        """The samples' squared lengths, which every few new ones need."""
        X = as_floating(self.samples)
        xp = array_namespace(X)
        return xp.concat([xp.sum(X[rows, :] ** 2, axis=1) for rows in row_blocks(X)])

    def order(self) -> np.ndarray | None:
        """Return samples in an order that puts neighbours side by side; None where they are few."""
        return local_order(self.samples) if len(self.indices) >= _MANY else None

    @property
    def neighbors(self) -> NeighborGraph:
        """The graph itself."""
        return self

    def remoteness(self) -> np.ndarray:
        """Return each sample's mean distance to its neighbours over the median one."""
        return over_median(self.distances.mean(axis=1))


@dataclass(frozen=True)
class Edges:
    """How neighbours are joined; see :func:`neighbor_graph`.

    Attributes
    ----------
    n_neighbors : int
        Neighbours of each sample, unless a recipe says how many.
    weights : {"self_tuning", "heat", "binary", "cosine"}
        Weights of the edges.
    heat_width : float or None
        Width of the heat kernel; None: the mean distance to a neighbour.

    Examples
    --------
    >>> Edges(2, "binary").join(np.array([[0.0], [1.0], [2.0], [9.0]])).summary()["edges"]
    5
    """

    n_neighbors: int = 5
    weights: str = "self_tuning"
    heat_width: float | None = None

    def join(self, X: Array, n_neighbors: int | None = None) -> NeighborGraph:
        """Return the graph of some samples, with another number of neighbours if given."""
        weights, width = self.weights, self.heat_width
        if weights not in EDGE_WEIGHTS:
            raise ValueError(
                f"weights={weights!r} is not known; use one of {', '.join(EDGE_WEIGHTS)}."
            )
        if width is not None and not 0 < width < np.inf:
            raise ValueError(f"heat_width={width} is not positive and finite; use None or such.")
        indices, distances, recall = _neighbors(X, n_neighbors or self.n_neighbors)
        base = np.inf  # every weight is exp(0) = 1: "binary", or nothing but copies
        if weights == "heat":
            base = np.sqrt(2.0) * (width or distances.mean(dtype=np.float64)) or np.inf
        elif weights == "self_tuning":
            base = distances[:, -1].min(where=distances[:, -1] > 0, initial=np.inf)
        scales = _scales(weights, X, distances, base)
        values = _edge_weights(weights, distances, scales[:, None], scales[indices])
        n, k = indices.shape
        # Narrow indices halve what a product reads beside the weights.
        narrow = np.int32 if n * k < 2**30 else np.int64
        starts = np.arange(0, n * k + 1, k, dtype=narrow)
        W = sp.csr_array((values.ravel(), indices.ravel().astype(narrow), starts), shape=(n, n))
        W.sort_indices()
        return NeighborGraph(W.maximum(W.T), X, k, weights, scales, indices, distances, recall)


def neighbor_graph(
    X: Array, n_neighbors: int = 5, *, weights: str = "self_tuning", heat_width: float | None = None
) -> NeighborGraph:
    """Join every sample with its nearest neighbours in Euclidean distance, both ways.

    Parameters
    ----------
    X : array of shape (n_samples, n_features)
        Of NumPy, torch or any other array API library; the search runs on its device.
    n_neighbors : int, default=5
        Number of neighbours of each sample, itself not counted.
    weights : {"self_tuning", "heat", "binary", "cosine"}, default="self_tuning"
        Weight of an edge of length d between samples i and j, never less than 1e-6:

        - "self_tuning": ``exp(-d^2 / (s_i s_j))`` with s_i the distance from i to its last
          neighbour or, where it is 0, the smallest positive one [1]_. Any unit of `X` will do.
        - "heat": ``exp(-d^2 / (2 t^2))``; "binary": 1.
        - "cosine": ``x_i'x_j / (|x_i| |x_j|)``; 1e-6 if negative or a sample is zero.
    heat_width : float, optional
        Width t of the heat kernel; by default the mean distance to a neighbour.

    Notes
    -----
    With ``pip install 'ronmf[ann]'``, nearly all neighbours of 50,000 samples or more in a NumPy
    array are found in a fraction of the time; the graph's `recall` says how many. Where that would
    be less than 0.9, all are looked for.

    References
    ----------
    .. [1] Zelnik-Manor and Perona, "Self-tuning spectral clustering", NIPS 2004.

    Examples
    --------
    >>> graph = neighbor_graph(np.array([[0.0], [1.0], [3.0]]), n_neighbors=1)
    >>> graph.affinity.toarray().round(2).tolist()
    [[0.0, 0.37, 0.0], [0.37, 0.0, 0.14], [0.0, 0.14, 0.0]]
    >>> indices, weights = graph.link(np.array([[0.0], [5.0]]))
    >>> indices.tolist(), weights.round(2).tolist()
    ([[0], [2]], [[1.0], [0.37]])
    """
    return Edges(n_neighbors, weights, heat_width).join(X)


def _neighbors(X: Any, k: int) -> tuple[np.ndarray, np.ndarray, float]:
    """Return neighbours, distances, and the share of neighbours that were found."""
    if X.shape[0] < _WORTH_KEEPING and not approximation_pays(X):
        indices, distances = map(to_numpy, k_nearest(X, k))
        return indices, distances, 1.0
    made = remembered("neighbors", lambda: (to_numpy(X), k), lambda: _found_slowly(X, k))
    return made[0], made[1], float(made[2])


def _found_slowly(X: Any, k: int) -> list[np.ndarray]:
    """Return the same of many samples: nearly all neighbours, if that is much faster, or all."""
    if approximation_pays(X):
        check_count(k, len(X) - 1)
        found = approximate_neighbors(as_floating(X), k)
        if found[2] >= _LEAST_RECALL:
            return [np.asarray(each) for each in found]
    return [*map(to_numpy, k_nearest(X, k)), np.asarray(1.0)]


def _scales(weights: str, points: Any, distances: np.ndarray, base: float) -> np.ndarray:
    """Return the scales of points with these neighbours; `base` for those without their own."""
    if weights == "cosine":
        xp, points = array_namespace(points), as_floating(points)
        return to_numpy(xp.sqrt(xp.sum(points * points, axis=1))).astype(np.float64)
    last = distances[:, -1].astype(np.float64)
    return np.where((weights == "self_tuning") & (last > 0), last, base)


def _edge_weights(weights: str, d: np.ndarray, own: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return the weights of edges of length d between points with these scales."""
    if weights == "cosine":
        twice = own**2 + other**2 - d.astype(np.float64) ** 2  # = 2 x_i'x_j
        norms = 2.0 * own * other
        values = np.divide(twice, norms, out=np.zeros_like(norms), where=norms > 0)
    else:
        with np.errstate(over="ignore"):  # a tiny heat_width: such edges get the least weight
            values = np.exp(-(d / own) * (d / other))
    return values.clip(_FLOOR, 1.0)
