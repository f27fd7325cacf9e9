"""A graph as a matrix: checked, corrected by labels, and summed up.

It is a symmetric, non-negative ``scipy.sparse.csr_array`` W without a diagonal, on the host.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from ..numerics.arrays import to_numpy
from ..numerics.types import Affinity

__all__ = ["add_label_edges", "check_affinity", "component_labels", "cut_labelled_pairs"]
__all__ += ["degrees", "graph_summary"]

_CLIQUE = 50  # labelled samples of a class up to which all pairs are joined


def check_affinity(affinity: Affinity, n_samples: int) -> sp.csr_array:
    """Check a graph made elsewhere, dense or sparse; return it as float64 without its diagonal.

    It must be finite, non-negative and, up to a millionth of the largest weight, symmetric.

    Examples
    --------
    >>> check_affinity(np.array([[1.0, 0.5], [0.5, 1.0]]), n_samples=2).toarray().tolist()
    [[0.0, 0.5], [0.5, 0.0]]
    """
    W: Any = affinity if sp.issparse(affinity) else to_numpy(affinity)
    if W.ndim != 2 or W.dtype.kind not in "fiub":
        raise ValueError(
            "The affinity matrix is not a two-dimensional array of real numbers; pass an array or a"
            " scipy sparse matrix of edge weights."
        )
    if sp.issparse(W):
        _check_indices(W)
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


def _check_indices(W: Any) -> None:
    """Refuse a sparse matrix whose indices point outside: SciPy's loops would follow them."""
    try:
        if W.format in ("csr", "csc", "bsr"):
            W.check_format(full_check=True)
            inside = True
        else:
            pairs = W.tocoo()
            inside = all(
                len(axis) == len(pairs.data) and ((axis >= 0) & (axis < size)).all()
                for axis, size in zip((pairs.row, pairs.col), pairs.shape, strict=True)
            )
    except (ValueError, TypeError, IndexError):
        inside = False
    if not inside:
        raise ValueError(
            "The affinity matrix has indices that point outside it; build it again, with"
            " scipy.sparse.coo_array((weights, (rows, columns)), shape=...)."
        )


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
        1, 2, 4, 8, ... steps away: l log(l) edges, not l^2, for paths of at most log2(l) edges.
    cut : bool, default=True
        Remove the edges between labelled samples of different classes.

    Examples
    --------
    >>> from ronmf import neighbor_graph
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
    >>> from ronmf import neighbor_graph
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
