"""A random walk that may die before it meets a label."""

import numpy as np
import scipy.sparse as sp

from ..numerics.arrays import sparse_product
from ..numerics.conjugate_gradients import conjugate_gradients
from ._matrix import degrees

__all__ = ["DEATH_RATE", "meeting_probability", "new_meeting_probability"]

DEATH_RATE = 0.02
"""Odds that a step is the last one. Between 0.005 and 0.1 it hardly matters (AUC within 0.01)."""
_TOLERANCE = 1e-4
_MAX_STEPS = 500
_COLUMNS = 4  # sets of labels at a time: of a million samples more would take gigabytes


def meeting_probability(
    affinity: sp.csr_array, labelled: np.ndarray, rate: float = DEATH_RATE
) -> np.ndarray:
    r"""Return the probability that a random walk from each sample meets a label before it dies.

    A step goes along an edge with a probability in proportion to its weight, and before each step
    the walk dies with odds :math:`\varepsilon`. So x is 1 on labelled samples, and elsewhere

    .. math:: ((1+\varepsilon) D - W)_{uu}\, x_u = W_{ul} 1

    with the weights W and their row sums D: a partially absorbing random walk [1]_.

    Parameters
    ----------
    affinity : csr_array of shape (n, n)
        The weights of the graph.
    labelled : ndarray of bool, shape (n,) or (n, k)
        Where the labels are; each column is a question of its own.
    rate : float, default=0.02
        ε.

    Returns
    -------
    ndarray of the shape of `labelled`
        0 where no path leads to a label.

    References
    ----------
    .. [1] X.-M. Wu, Z. Li, A. So, J. Wright and S.-F. Chang. Learning with partially absorbing
       random walks. NIPS 2012.

    Examples
    --------
    >>> W = sp.csr_array(np.diag(np.ones(3), 1) + np.diag(np.ones(3), -1))  # a path of four
    >>> meeting_probability(W, np.array([True, False, False, False]), rate=0.1).round(2).tolist()
    [1.0, 0.7, 0.54, 0.49]
    """
    if labelled.ndim == 1:
        return meeting_probability(affinity, labelled[:, None], rate)[:, 0]
    degree = degrees(affinity)
    root = np.sqrt(np.where(degree > 0, degree, 1.0))[:, None]
    # In unknowns times the root of the degree the matrix is one less a sparse one.
    scale = sp.diags_array(1 / root[:, 0])
    product = sparse_product((scale @ affinity @ scale).tocsr(), root)
    met = np.empty(labelled.shape)
    for first in range(0, labelled.shape[1], _COLUMNS):
        columns = slice(first, first + _COLUMNS)
        stops, free = labelled[:, columns] * root, ~labelled[:, columns]

        def apply(B: np.ndarray, free: np.ndarray = free) -> np.ndarray:
            return (1 + rate) * B - free * product(B)

        found = conjugate_gradients(
            apply, free * product(stops), None, tol=_TOLERANCE, max_iter=_MAX_STEPS
        )
        met[:, columns] = np.where(free, found / root, 1.0)
    return met.clip(0.0, 1.0)


def new_meeting_probability(
    met: np.ndarray, indices: np.ndarray, weights: np.ndarray, rate: float = DEATH_RATE
) -> np.ndarray:
    """Return the same for new samples, whose first step leads to samples of the graph.

    Parameters
    ----------
    met : ndarray of shape (n_samples,)
        Of the samples of the graph.
    indices, weights : ndarrays of shape (n_new, n_links)
        The samples that each new one is joined to, and the weights of these edges.
    rate : float, default=0.02
        The odds that the walk dies before a step.

    Examples
    --------
    >>> new_meeting_probability(np.array([1.0, 0.5]), np.array([[0, 1]]), np.ones((1, 2)), rate=0.0)
    array([0.75])
    """
    total = weights.sum(axis=1)
    sums = (weights * met[indices]).sum(axis=1)
    return sums / ((1 + rate) * np.where(total > 0, total, 1.0))
