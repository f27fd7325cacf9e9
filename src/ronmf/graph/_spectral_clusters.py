"""Clusters of a graph that no label has a part in, and whether labels contradict them."""

import numpy as np
import scipy.sparse as sp
from scipy.linalg import qr

from ._spectral import eigenvectors

__all__ = ["confusion", "overlap", "spectral_clusters"]

_SWEEPS = 100
_MANY = 20_000  # samples above which clusters take too long for what they tell


def spectral_clusters(
    affinity: sp.csr_array, n_clusters: int, rng: np.random.RandomState
) -> np.ndarray:
    """Split the samples of a graph, without a draw of luck.

    Pivots of a QR factorisation of the leading eigenvectors are samples deep in different clusters;
    the rotation that takes them closest to the axes says which cluster each other sample is most
    part of [1]_. k-means of the spectral embedding goes on from there. Its result depends neither
    on the order of samples nor on a seed, but for rounding, and cuts as little as the best of five
    random starts, in half of the time.

    Parameters
    ----------
    affinity : csr_array of shape (n, n)
        The neighbour graph.
    n_clusters : int
        The number of clusters; of fewer samples, each is one.
    rng : RandomState
        Source of the first vector of the iteration that finds eigenvectors.

    Returns
    -------
    ndarray of int, shape (n,)
        The cluster of each sample.

    References
    ----------
    .. [1] A. Damle, V. Minden and L. Ying. Simple, direct and efficient multi-way spectral
       clustering. Information and Inference 8(1), 2019.

    Examples
    --------
    >>> W = sp.csr_array(sp.block_diag([np.ones((3, 3)), np.ones((2, 2))]))
    >>> found = spectral_clusters(W, 2, np.random.RandomState(0))
    >>> bool(found[0] == found[2] != found[3] == found[4])
    True
    """
    n_clusters = min(n_clusters, affinity.shape[0])
    vectors, _ = eigenvectors(affinity, n_clusters, rng)
    pivots = qr(vectors.T, mode="r", pivoting=True)[-1][:n_clusters]
    U, _, V = np.linalg.svd(vectors[pivots].T)
    labels = np.abs(vectors @ (U @ V)).argmax(axis=1)
    labels[pivots] = np.arange(n_clusters)  # none is empty
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return _k_means(vectors / np.where(length > 0, length, 1.0), labels, n_clusters)


def overlap(labels: np.ndarray, codes: np.ndarray, n_clusters: int) -> tuple[int, float]:
    """Return how many labelled classes have no cluster of their own, and how many chance would.

    With one labelled sample of each class: the number of classes less that of clusters with one in
    them. Where clusters are the light, not what classes are, it is about what chance would do.

    Parameters
    ----------
    labels : ndarray of int, shape (n,)
        A cluster of each sample that no label had a part in.
    codes : ndarray of int, shape (n,)
        Known classes, at most one sample of each; -1 elsewhere.
    n_clusters : int
        The number of clusters.

    Examples
    --------
    >>> clusters = np.array([0, 0, 0, 1, 1, 1])
    >>> overlap(clusters, np.array([0, -1, -1, 1, -1, -1]), 2)
    (0, 0.5)
    """
    given = np.flatnonzero(codes >= 0)
    shares = np.bincount(labels, minlength=n_clusters) / len(labels)
    expected = len(given) - float((1 - (1 - shares) ** len(given)).sum())
    return len(given) - len(np.unique(labels[given])), expected


def confusion(
    affinity: sp.csr_array, codes: np.ndarray, n_clusters: int, rng: np.random.RandomState
) -> float:
    """Return how far labels contradict the clusters of a graph: 0 not at all, 1 as chance would.

    It is the ratio of the two counts of :func:`overlap`, each with what would make it a half if
    nothing were known.

    Parameters
    ----------
    affinity, codes, n_clusters, rng
        As in the other functions. No label may have shaped the graph.
    """
    n = affinity.shape[0]
    count, expected = 0, 0.0
    if n <= _MANY and n_clusters > 1:
        labels = spectral_clusters(affinity, n_clusters, rng)
        count, expected = overlap(labels, codes, n_clusters)
    return min(1.0, (count + 1) / (expected + 2))


def _k_means(Z: np.ndarray, labels: np.ndarray, n_clusters: int) -> np.ndarray:
    """Return the clusters of k-means, which starts at the middles of given ones."""
    for _ in range(_SWEEPS):
        sizes = np.bincount(labels, minlength=n_clusters)
        members = sp.csr_array((np.ones(len(Z)), (labels, np.arange(len(Z)))), (n_clusters, len(Z)))
        centres = (members @ Z) / np.maximum(sizes, 1)[:, None]
        distance = (centres * centres).sum(axis=1) - 2 * Z @ centres.T
        distance[:, sizes == 0] = np.inf  # a cluster that lost all its samples stays empty
        found = distance.argmin(axis=1)
        if (found == labels).all():
            break
        labels = found
    return labels
