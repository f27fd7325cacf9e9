"""The number of clusters of a graph."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from sklearn.cluster import KMeans

from ._matrix import degrees
from ._spectral import spectral_embedding

__all__ = ["ClusterCount", "count_clusters", "falls_apart"]

_MOST = 40
_SMALL = 0.01  # added to one minus an eigenvalue: ratios of tiny ones say nothing
_TOLERATED = 0.05  # share of the best modularity that a count may lack
_STARTS = 2
_HOLDS = 0.6  # modularity; noise has 0.3 to 0.5, pictures of faces and digits 0.7 to 1
_CLEAR = np.log(10.0)  # of a gap; pictures of faces, objects and digits have up to log 8


@dataclass(frozen=True, eq=False)
class ClusterCount:
    """An estimated number of clusters and its evidence; ``print`` it.

    Attributes
    ----------
    n_clusters : int
        The estimate.
    counts : ndarray of int
        The numbers that were tried.
    gaps : ndarray of float
        For each, how much worse the next cluster would be separated than the last: the logarithm
        of the ratio of ``1 - eigenvalue``.
    modularities : ndarray of float
        For each, the share of edges inside clusters beyond that of a random graph, over the most
        that so many clusters can have.
    """

    n_clusters: int
    counts: np.ndarray
    gaps: np.ndarray
    modularities: np.ndarray

    @property
    def modularity(self) -> float:
        """Of the estimate: from 0, no clusters, to 1, clusters that no edge joins."""
        return float(self.modularities[self.counts == self.n_clusters][0])

    @property
    def clear(self) -> bool:
        """Whether the clusters hold together better than those of pictures of noise."""
        return self.modularity >= _HOLDS

    def __str__(self) -> str:
        order = _ranked(self.gaps, self.modularities)[:5]
        lines = [
            f"{self.n_clusters} clusters: the largest gap in the spectrum of the graph among counts"
            f" whose clusters hold together (modularity within {_TOLERATED:.0%} of the best).",
            f"{'clusters':>8} {'gap':>6} {'modularity':>10}",
        ]
        lines += [
            f"{self.counts[i]:8d} {self.gaps[i]:6.3f} {self.modularities[i]:10.3f}" for i in order
        ]
        return "\n".join(lines)


def count_clusters(
    affinity: sp.csr_array, least: int, most: int, rng: np.random.RandomState
) -> ClusterCount:
    r"""Estimate the number of clusters by gaps in the spectrum [1]_ and by modularity [2]_.

    Of the eigenvalues :math:`\lambda_k` of ``D^-1/2 W D^-1/2``, largest first, as many are near one
    as there are clusters. The estimate is the k with the largest

    .. math:: \log\frac{1 - \lambda_{k+1} + 0.01}{1 - \lambda_k + 0.01}

    among those whose spectral clusters have a modularity, over its largest possible value
    :math:`1 - 1/k`, within a twentieth of the best.

    Parameters
    ----------
    affinity : csr_array of shape (n, n)
        The neighbour graph.
    least : int
        Smallest number that is possible: that of labelled classes, say. One is never the answer.
    most : int
        Largest number that is possible.
    rng : RandomState
        Source of the k-means starts.

    References
    ----------
    .. [1] U. von Luxburg. A tutorial on spectral clustering. Statistics and Computing 17, 2007.
    .. [2] M. E. J. Newman. Modularity and community structure in networks. PNAS 103, 2006.
    """
    counts = _possible(affinity, least, most)
    # One class that has all the labels and all the samples leaves nothing to count.
    if counts[-1] == 1 or counts[-1] + 1 >= affinity.shape[0] or not affinity.sum():
        return ClusterCount(int(counts[0]), counts[:1], np.zeros(1), np.ones(1))
    gaps, embedding = _gaps(affinity, counts, rng)
    modularities = np.array([_modularity(affinity, embedding[:, :k], rng) for k in counts])
    best = int(counts[_ranked(gaps, modularities)[0]])
    return ClusterCount(best, counts, gaps, modularities)


def falls_apart(affinity: sp.csr_array, least: int, most: int, rng: np.random.RandomState) -> bool:
    """Whether a graph falls into clusters so clearly that one more would be ten times worse.

    Parameters are those of :func:`count_clusters`; the gap is the one that it looks at.
    """
    counts = _possible(affinity, least, most)
    if counts[-1] + 1 >= affinity.shape[0] or not affinity.sum():
        return False
    return bool(_gaps(affinity, counts, rng)[0].max() >= _CLEAR)


def _possible(affinity: sp.csr_array, least: int, most: int) -> np.ndarray:
    """Return the numbers of clusters to try."""
    first = min(max(2, least), max(1, most))
    return np.arange(first, max(first, min(_MOST + least, affinity.shape[0] // 3, most)) + 1)


def _gaps(
    affinity: sp.csr_array, counts: np.ndarray, rng: np.random.RandomState
) -> tuple[np.ndarray, np.ndarray]:
    """Return the gap behind each number of clusters, and the spectral embedding."""
    embedding, values = spectral_embedding(affinity, int(counts[-1]) + 1, rng)
    missing = np.log(1 - values + _SMALL)
    return (missing[1:] - missing[:-1])[counts - 1], embedding


def _ranked(gaps: np.ndarray, modularities: np.ndarray) -> np.ndarray:
    """Return the order of counts: the largest gap first, those that fall apart last."""
    possible = modularities >= (1 - _TOLERATED) * modularities.max()
    return np.argsort(-np.where(possible, gaps, -np.inf), kind="stable")


def _modularity(affinity: sp.csr_array, rows: np.ndarray, rng: np.random.RandomState) -> float:
    """Return the best modularity of clusters in so many eigenvectors, over its largest value."""
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    rows = rows / np.where(length > 0, length, 1.0)
    degree, n_clusters = degrees(affinity), rows.shape[1]
    found = []
    for _ in range(_STARTS):
        labels = KMeans(n_clusters, n_init=1, random_state=rng).fit(rows).labels_
        edges = affinity.tocoo()
        inside = edges.data[labels[edges.row] == labels[edges.col]].sum()
        volumes = np.bincount(labels, weights=degree, minlength=n_clusters)
        found.append(inside / degree.sum() - np.square(volumes / degree.sum()).sum())
    return float(max(found)) / (1 - 1 / n_clusters)
