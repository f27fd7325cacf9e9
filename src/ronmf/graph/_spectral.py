"""The spectral embedding of a graph, and how well clusters are separated."""

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import LinearOperator, eigsh

from ._matrix import degrees

__all__ = ["eigenvectors", "normalized_cut", "spectral_embedding"]

# Weight, in mean degrees, with which every sample is joined to all others. Components then are no
# exact eigenvectors with one eigenvalue, which Lanczos iterations confuse, and a handful of samples
# with few edges to the rest makes no cluster of its own.
_TELEPORT = 0.01
_DENSE = 60  # samples up to which the spectrum is computed whole


def spectral_embedding(
    affinity: sp.csr_array, n_components: int, rng: np.random.RandomState
) -> tuple[np.ndarray, np.ndarray]:
    """Return the leading eigenvectors of ``D^-1/2 W D^-1/2`` as rows of unit length, and values.

    Every sample is joined weakly to all others, with a hundredth of the mean degree in total. As
    many connected components as there are columns are separated all the same.

    Parameters
    ----------
    affinity : csr_array of shape (n, n)
        Symmetric weights W.
    n_components : int
        Number of eigenvectors, at most n.
    rng : RandomState
        Source of the first vector of the iteration.

    Returns
    -------
    embedding : ndarray of shape (n, n_components)
        One unit-length row per sample.
    values : ndarray of shape (n_components,)
        The eigenvalues, largest first; the first is one.
    """
    vectors, values = eigenvectors(affinity, n_components, rng)
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / np.where(length > 0, length, 1.0), values


def eigenvectors(
    affinity: sp.csr_array, n_components: int, rng: np.random.RandomState
) -> tuple[np.ndarray, np.ndarray]:
    """Return what :func:`spectral_embedding` does before rows have unit length."""
    n = affinity.shape[0]
    degree = degrees(affinity)
    mean = degree.mean() or 1.0
    weak = _TELEPORT * mean
    inverse_root = 1 / np.sqrt(degree + weak)
    W = affinity.astype(np.float64)

    def product(v: np.ndarray) -> np.ndarray:
        u = inverse_root * v.ravel()
        return inverse_root * (W @ u + weak * u.mean()) + v.ravel()

    if n_components < n - 1 and n > _DENSE:
        # Shifted by one to be positive: the wanted end of the spectrum is the largest in size.
        operator = LinearOperator((n, n), matvec=product, dtype=np.float64)
        width = min(n - 1, max(2 * n_components + 10, 40))
        values, vectors = eigsh(
            operator, k=n_components, which="LM", ncv=width, v0=rng.uniform(size=n)
        )
    else:
        dense = (W.toarray() + weak / n) * np.outer(inverse_root, inverse_root) + np.eye(n)
        values, vectors = np.linalg.eigh(dense)
        values, vectors = values[-n_components:], vectors[:, -n_components:]
    return vectors[:, ::-1], values[::-1] - 1


def normalized_cut(affinity: sp.csr_array, labels: np.ndarray, n_clusters: int) -> float:
    """Return the mean share of a cluster's edges that leave it; an empty one loses all.

    Examples
    --------
    >>> W = sp.csr_array(np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]]))
    >>> normalized_cut(W, np.array([0, 0, 1]), 2)  # one edge of three ends, one of one
    0.666...
    """
    members = sp.csr_array(
        (np.ones(len(labels)), (np.arange(len(labels)), labels)), shape=(len(labels), n_clusters)
    )
    inside = (members * (affinity @ members)).sum(axis=0)
    volume = members.T @ degrees(affinity)
    return float(1 - np.mean(np.divide(inside, volume, out=np.zeros(n_clusters), where=volume > 0)))
