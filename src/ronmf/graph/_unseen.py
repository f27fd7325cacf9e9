r"""Whether new samples are of a cluster that a graph has not seen.

A walk from a new sample begins at its nearest neighbours, however far these are. So it cannot tell
what is unlike all samples of the graph.
"""

import numpy as np
from scipy.stats import t as student

from ..numerics.arrays import to_numpy
from ..numerics.nearest_neighbors import k_nearest
from ._graph import Graph
from ._neighbor_graph import NeighborGraph

__all__ = ["unseen_probability"]

# Chosen on six sets of which half or three quarters of the classes were in the fit: of samples of
# the others half to all are above one half (a fiftieth of trash, whose classes overlap), of known
# classes at most a tenth. `benchmarks/new_strangers.py` measures on other draws.
_EXPECTED = 0.2  # share of samples that may be of such clusters
_FREEDOM = 4.0  # of t distributions: there are always some samples far out
_NARROWEST = 0.02  # width of a distribution, at least
_CLUSTERS, _MEMBERS = 10, 30  # that are looked at as if their cluster was not there, at most
_POINTS = 256


def unseen_probability(graph: Graph, labels: np.ndarray, X: np.ndarray) -> np.ndarray:
    r"""Return how likely each new sample is of a cluster that is not in a graph.

    Its measure is the logarithm of a local outlier factor [1]_: the mean distance to the k nearest
    samples, relative to theirs. It is compared with the factors of the samples of the graph, and
    with those of members of some clusters while the rest of their cluster is left out.

    Parameters
    ----------
    graph : Graph
        A graph that no label has shaped, if there is one.
    labels : ndarray of int, shape (n_samples,)
        The clusters of its samples.
    X : array of shape (n_new, n_features)
        New samples.

    Returns
    -------
    ndarray of shape (n_new,)
        Zero where the graph knows no distances, or all samples are in one cluster.

    References
    ----------
    .. [1] M. Breunig, H.-P. Kriegel, R. Ng and J. Sander. LOF: identifying density-based local
       outliers. SIGMOD 2000.

    Examples
    --------
    >>> from ronmf.graph import neighbor_graph
    >>> rng = np.random.default_rng(0)
    >>> groups = 9 * np.repeat(np.eye(3), 40, axis=0) + rng.normal(size=(120, 3))
    >>> graph, labels = neighbor_graph(groups[:80]), np.repeat([0, 1], 40)  # the third is not there
    >>> bool((unseen_probability(graph, labels, groups[80:]) > 0.5).all())
    True
    """
    near = graph.neighbors
    without = np.zeros(0) if near is None else _factors_without(near, labels)
    if near is None or not len(without):
        return np.zeros(X.shape[0])
    indices, distances = map(to_numpy, k_nearest(near.samples, near.n_neighbors, graph.place(X)))
    x = _log_factors(near, indices, distances)
    seen, unseen = (_Spread.of(each) for each in (_log_factors(near), without))
    if unseen.centre <= seen.centre:
        return np.zeros(X.shape[0])
    points = np.linspace(seen.centre, unseen.centre + unseen.width, _POINTS)
    f0, f1 = (1 - _EXPECTED) * seen.density(points), _EXPECTED * unseen.density(points)
    return np.interp(x, points, np.maximum.accumulate(f1 / (f0 + f1)), left=0.0)


class _Spread:
    """A centre and a width that a few samples far out do not move."""

    def __init__(self, centre: float, width: float) -> None:
        self.centre, self.width = centre, max(width, _NARROWEST)

    @classmethod
    def of(cls, x: np.ndarray) -> "_Spread":
        low, centre, high = np.quantile(x, (0.16, 0.5, 0.84))
        return cls(float(centre), float(high - low) / 2)

    def density(self, x: np.ndarray) -> np.ndarray:
        return student.pdf((x - self.centre) / self.width, _FREEDOM) / self.width


def _log_factors(
    near: NeighborGraph, indices: np.ndarray | None = None, distances: np.ndarray | None = None
) -> np.ndarray:
    """Return the logarithms of local outlier factors; by default of the samples themselves."""
    own = near.distances.mean(axis=1, dtype=np.float64)
    indices = near.indices if indices is None else indices
    distances = near.distances if distances is None else distances
    tiny = np.finfo(np.float64).tiny
    mean = np.maximum(distances.mean(axis=1, dtype=np.float64), tiny)
    return np.log(mean / np.maximum(own[indices].mean(axis=1), tiny)).clip(-9, 9)


def _factors_without(near: NeighborGraph, labels: np.ndarray) -> np.ndarray:
    """Return the factors of members of some clusters, as if each cluster was not there."""
    rng, samples, found = np.random.RandomState(0), to_numpy(near.samples), [np.zeros(0)]
    for cluster in rng.permutation(np.unique(labels))[:_CLUSTERS]:
        members, others = np.flatnonzero(labels == cluster), np.flatnonzero(labels != cluster)
        if len(others) < near.n_neighbors:
            continue
        some = rng.permutation(members)[:_MEMBERS]
        indices, distances = k_nearest(samples[others], near.n_neighbors, samples[some])
        found.append(_log_factors(near, others[indices], distances))
    return np.concatenate(found)
