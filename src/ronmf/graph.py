"""Neighbour graphs: built from samples, checked, corrected by labels, and summed up.

A graph is a symmetric, non-negative ``scipy.sparse.csr_array`` W without a diagonal, on the host.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from array_api_compat import array_namespace

from .arrays import to_numpy
from .neighbors import as_floating, k_nearest

__all__ = ["NeighborGraph", "add_label_edges", "check_affinity", "component_labels"]
__all__ += ["cut_labelled_pairs", "degrees", "graph_summary", "neighbor_graph"]

_KINDS = ("self_tuning", "heat", "binary", "cosine")
# No label would reach a sample whose edges have all underflowed. A millionth of a copy's weight is
# too little to matter beside other edges, and enough for a solver to see.
_FLOOR = 1e-6
_CLIQUE = 50  # labelled samples of a class up to which all pairs are joined


@dataclass(frozen=True, eq=False, repr=False)
class NeighborGraph:
    """A graph made by :func:`neighbor_graph`, to which new points can be linked.

    Attributes
    ----------
    affinity : csr_array of shape (n_samples, n_samples)
        The symmetric weights W, float64.
    samples, n_neighbors, weights
        As given to :func:`neighbor_graph`.
    scales : ndarray of shape (n_samples,)
        Norm of each sample ("cosine"), or its scale s in ``exp(-d^2 / (s_i s_j))`` (all others).
    """

    affinity: sp.csr_array
    samples: Any
    n_neighbors: int
    weights: str
    scales: np.ndarray

    def link(self, queries: Any) -> tuple[np.ndarray, np.ndarray]:
        """Return the nearest samples of each query and the weights of the edges to them.

        Both have shape (n_queries, n_neighbors), nearest first. Each query is treated on its own:
        its result does not depend on the rest of the batch.
        """
        indices, distances = map(to_numpy, k_nearest(self.samples, self.n_neighbors, queries))
        own = _scales(self.weights, queries, distances, self.scales.min())
        return indices, _edge_weights(self.weights, distances, own[:, None], self.scales[indices])


def neighbor_graph(
    X: Any, n_neighbors: int = 5, *, weights: str = "self_tuning", heat_width: float | None = None
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
    if weights not in _KINDS:
        raise ValueError(f"weights={weights!r} is not known; use one of {', '.join(_KINDS)}.")
    if heat_width is not None and not 0 < heat_width < np.inf:
        raise ValueError(f"heat_width={heat_width} is not positive and finite; use None or such.")
    indices, distances = map(to_numpy, k_nearest(X, n_neighbors))
    base = np.inf  # every weight is exp(0) = 1: "binary", or nothing but copies
    if weights == "heat":
        base = np.sqrt(2.0) * (heat_width or distances.mean(dtype=np.float64)) or np.inf
    elif weights == "self_tuning":
        base = distances[:, -1].min(where=distances[:, -1] > 0, initial=np.inf)
    scales = _scales(weights, X, distances, base)
    values = _edge_weights(weights, distances, scales[:, None], scales[indices])
    n, k = indices.shape
    W = sp.csr_array((values.ravel(), indices.ravel(), np.arange(n + 1) * k), shape=(n, n))
    W.sort_indices()
    return NeighborGraph(W.maximum(W.T), X, k, weights, scales)


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


def check_affinity(W: Any, n_samples: int) -> sp.csr_array:
    """Check a graph made elsewhere, dense or sparse; return it as float64 without its diagonal.

    It must be finite, non-negative and, up to a millionth of the largest weight, symmetric.

    Examples
    --------
    >>> check_affinity(np.array([[1.0, 0.5], [0.5, 1.0]]), n_samples=2).toarray().tolist()
    [[0.0, 0.5], [0.5, 0.0]]
    """
    if not sp.issparse(W):
        W = to_numpy(W)
    if W.ndim != 2 or W.dtype.kind not in "fiub":
        raise ValueError(
            "The affinity matrix is not a two-dimensional array of real numbers; pass an array or a"
            " scipy sparse matrix of edge weights."
        )
    W = sp.csr_array(W, dtype=np.float64, copy=True)
    W.sum_duplicates()
    if W.shape != (n_samples, n_samples):
        wrong = f"has shape {W.shape}; pass one of shape ({n_samples}, {n_samples})"
    elif not ((W.data >= 0) & (W.data < np.inf)).all():
        wrong = "has negative, infinite or NaN weights; replace them, by 0 where there is no edge"
    elif abs(W - W.T).max() > 1e-6 * W.max():
        wrong = "is not symmetric; use (W + W.T) / 2"
    else:
        W = W - sp.diags_array(W.diagonal())
        return W.maximum(W.T)
    raise ValueError(f"The affinity matrix {wrong}.")


def add_label_edges(
    W: sp.csr_array, codes: np.ndarray, *, join: bool = True, cut: bool = True
) -> sp.csr_array:
    """Let the given labels correct the graph W; edges of unlabelled samples stay as they are.

    Parameters
    ----------
    W, codes : csr_array of shape (n_samples, n_samples), int array of shape (n_samples,)
        A graph, and the class of each labelled sample, -1 for the others.
    join : bool, default=True
        Join labelled samples of the same class, with the largest weight in `W` (1 if it is empty):
        all pairs of up to 50. More are laid out as a ring, in order of index, and joined with those
        1, 2, 4, 8, ... places away: l log(l) edges, not l^2, for paths of at most log2(l) edges.
    cut : bool, default=True
        Remove the edges between labelled samples of different classes.

    Examples
    --------
    >>> W = neighbor_graph(np.array([[0.0], [1.0], [2.0]]), 1, weights="binary").affinity
    >>> add_label_edges(W, codes=np.array([0, 1, 0])).toarray().tolist()
    [[0.0, 0.0, 1.0], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]
    """
    strongest = W.max() or 1.0
    if cut:
        W = cut_labelled_pairs(W, codes, same_class=False)
    if join:
        pairs = [np.empty((2, 0), dtype=np.int64)]
        for code in np.unique(codes[codes >= 0]):
            members = np.flatnonzero(codes == code)
            half, ring = len(members) // 2, len(members) > _CLIQUE
            steps = 2 ** np.arange(half.bit_length()) if ring else np.arange(1, half + 1)
            pairs += [np.stack([members, np.roll(members, -step)]) for step in steps]
        rows, columns = np.concatenate(pairs, axis=1)
        joined = sp.csr_array((np.full(len(rows), strongest), (rows, columns)), shape=W.shape)
        W = W.maximum(joined).maximum(joined.T)
    return W


def cut_labelled_pairs(
    W: sp.csr_array, codes: np.ndarray, *, same_class: bool = True
) -> sp.csr_array:
    """Remove the edges between two labelled samples, those of one class only if `same_class`."""
    edges = W.tocoo()
    start, end = codes[edges.row], codes[edges.col]
    keep = (start < 0) | (end < 0) | ((start == end) & (not same_class))
    return sp.csr_array((edges.data[keep], (edges.row[keep], edges.col[keep])), shape=W.shape)


def degrees(W: sp.csr_array) -> np.ndarray:
    """Return the sum of the weights at each sample, the diagonal of D in the Laplacian D - W."""
    return W.sum(axis=1)


def component_labels(W: sp.csr_array) -> np.ndarray:
    """Return the number, from 0, of the connected component of each sample."""
    return sp.csgraph.connected_components(W, directed=False)[1]


def graph_summary(W: sp.csr_array, codes: np.ndarray | None = None) -> dict[str, Any]:
    """Return the edges, degrees (minimum, median, maximum) and connected components of a graph.

    With `codes` (-1 is unlabelled) also the number of components without any labelled sample, and
    of the samples in them, which no label can reach.

    Examples
    --------
    >>> W = neighbor_graph(np.array([[0.0], [1.0], [8.0], [9.0], [9.5]]), n_neighbors=1).affinity
    >>> summary = graph_summary(W, codes=np.array([0, -1, -1, -1, -1]))
    >>> summary["component_sizes"], summary["unreached_components"], summary["unreached_samples"]
    ([3, 2], 1, 3)
    """
    component, degree = component_labels(W), degrees(W)
    sizes = np.bincount(component)
    summary: dict[str, Any] = {
        "samples": W.shape[0],
        "edges": W.nnz // 2,
        "degrees": (float(degree.min()), float(np.median(degree)), float(degree.max())),
        "components": len(sizes),
        "component_sizes": sorted(sizes.tolist(), reverse=True),
        "isolated_samples": int((sizes == 1).sum()),
    }
    if codes is not None:
        unreached = np.delete(sizes, np.unique(component[codes >= 0])).tolist()
        summary |= {"unreached_components": len(unreached), "unreached_samples": sum(unreached)}
    return summary
