"""Class sizes that labels suggest, and memberships scaled towards them."""

from typing import Any

import numpy as np
from array_api_compat import array_namespace

from .encoding import one_hot

__all__ = ["apply_class_prior", "normalize_rows", "prior_factors"]

_GRANTED = 10  # labels of every class that are taken for granted


def normalize_rows(A: Any) -> Any:
    """Scale non-negative rows to sum to one; in a zero row all classes become equal.

    Examples
    --------
    >>> normalize_rows(np.array([[3.0, 1.0], [0.0, 0.0]])).tolist()
    [[0.75, 0.25], [0.5, 0.5]]
    """
    xp = array_namespace(A)
    total = xp.sum(A, axis=1)[:, None]
    return xp.where(total > 0, A / xp.where(total > 0, total, 1.0), 1 / A.shape[1])


def prior_factors(A: np.ndarray, codes: np.ndarray) -> np.ndarray:
    r"""Return a factor for each column of memberships that pulls class sizes towards the labels'.

    With few labels a graph lets one class flood another's samples. This is the class mass
    normalisation of [1]_, faded: with m the classes' mean memberships over the unlabelled samples,
    :math:`l_j` the number of labels of class j and :math:`\bar l` their mean, the factors are

    .. math:: (\pi_j / m_j)^{1 / \sqrt{\bar l}}, \qquad \pi_j \propto l_j + 10.

    Ten labels of each class are taken for granted, since a handful drawn at random says little
    about class sizes. One label per class normalises in full [1]_; the more labels there are, the
    more the graph's own sizes are believed, which matters where labels are not a fair sample.

    Parameters
    ----------
    A : ndarray of shape (n_samples, n_clusters)
        Non-negative memberships.
    codes : ndarray of int, shape (n_samples,)
        Known classes, -1 where unlabelled.

    Returns
    -------
    ndarray of shape (n_clusters,)
        All one where a cluster has no label: nothing is then known of its size.

    References
    ----------
    .. [1] X. Zhu, Z. Ghahramani and J. Lafferty. Semi-supervised learning using Gaussian fields and
       harmonic functions. ICML 2003, section 4.

    Examples
    --------
    >>> A = np.array([[1.0, 0.0], [0.0, 1.0], [0.7, 0.3], [0.9, 0.1]])
    >>> prior_factors(A, np.array([0, 1, -1, -1])).tolist()  # the first class had 4/5 of all
    [0.625, 2.5]
    """
    counts = one_hot(codes, A.shape[1], np.empty((0, 0))).sum(axis=0)
    free = codes < 0
    if not counts.all() or not free.any():
        return np.ones(A.shape[1])
    size = np.maximum(normalize_rows(A[free]).mean(axis=0), 1e-3 / A.shape[1])
    expected = (counts + _GRANTED) / (counts + _GRANTED).sum()
    return (expected / size) ** (1 / np.sqrt(counts.mean()))


def apply_class_prior(A: np.ndarray, codes: np.ndarray, class_prior: str | None) -> np.ndarray:
    """Return rows that sum to one, columns first scaled if `class_prior` is "labels"."""
    return normalize_rows(A if class_prior is None else A * prior_factors(A, codes))
