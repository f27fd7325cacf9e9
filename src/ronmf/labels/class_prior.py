"""Class-mass normalisation: how much of the samples each class may claim."""

import numpy as np

from .encoding import one_hot

__all__ = ["mass_factors", "shares", "shares_by_mass"]

_GRANTED = 10  # labels of every class that are taken for granted


def shares(A: np.ndarray) -> np.ndarray:
    """Scale non-negative rows to sum to one; a zero row becomes equal shares."""
    total = A.sum(axis=1, keepdims=True)
    return np.where(total > 0, A / np.where(total > 0, total, 1), 1 / A.shape[1]).astype(A.dtype)


def mass_factors(A: np.ndarray, codes: np.ndarray) -> np.ndarray:
    r"""Return a factor for each column of memberships that pulls masses towards those of labels.

    With few labels a graph lets one class flood another's samples. With m the classes' mean
    memberships over the unlabelled samples, :math:`l_j` the number of labels of class j and
    :math:`\bar l` their mean, the factors are

    .. math:: (\pi_j / m_j)^{1 / \sqrt{\bar l}}, \qquad \pi_j \propto l_j + 10.

    Ten labels of each class are taken for granted, since a handful drawn at random says little
    about shares. One label a class normalises in full [1]_; the more labels there are, the more the
    graph's own masses are believed, which matters where labels are not a fair sample.

    Parameters
    ----------
    A : ndarray of shape (n_samples, n_clusters)
        Non-negative memberships.
    codes : ndarray of int, shape (n_samples,)
        Known classes, -1 where unlabelled.

    Returns
    -------
    ndarray of shape (n_clusters,)
        All one where a cluster has no label: nothing is then known of its mass.

    References
    ----------
    .. [1] X. Zhu, Z. Ghahramani and J. Lafferty. Semi-supervised learning using Gaussian fields and
       harmonic functions. ICML 2003, section 4.

    Examples
    --------
    >>> A = np.array([[1.0, 0.0], [0.0, 1.0], [0.7, 0.3], [0.9, 0.1]])
    >>> mass_factors(A, np.array([0, 1, -1, -1])).tolist()  # the first class had 4/5 of the mass
    [0.625, 2.5]
    """
    counts = one_hot(codes, A.shape[1], np.empty((0, 0))).sum(axis=0)
    free = codes < 0
    if not counts.all() or not free.any():
        return np.ones(A.shape[1])
    mass = np.maximum(shares(A[free]).mean(axis=0), 1e-3 / A.shape[1])
    share = (counts + _GRANTED) / (counts + _GRANTED).sum()
    return (share / mass) ** (1 / np.sqrt(counts.mean()))


def shares_by_mass(A: np.ndarray, codes: np.ndarray, class_mass: str | None) -> np.ndarray:
    """Return rows that sum to one, columns first scaled by mass if `class_mass` is "labels"."""
    return shares(A if class_mass is None else A * mass_factors(A, codes))
