"""Guessed labels that do not confirm themselves: classes balanced, the most confident first."""

import numpy as np

from ...labels.class_prior import normalize_rows
from . import tuning

__all__ = ["balanced", "most_confident"]

_SCALINGS = 30  # after which sizes are equal to a few per cent
_FLOOR = 1e-6  # a membership below this is not told from zero


def balanced(memberships: np.ndarray, known: np.ndarray) -> np.ndarray:
    r"""Return sharper memberships with classes of more equal sizes.

    One label of each class says that classes may be of one size. Memberships :math:`A^3` are scaled
    by rows and columns until all classes are [1]_, and the columns' factors then count to the power
    of a half: a class that looks larger or smaller in the graph stays so in part. Sharpened, since
    labels that are far from all samples leave nearly equal memberships, whose sums are always
    balanced.

    Parameters
    ----------
    memberships : ndarray of shape (n_samples, n_classes)
        As labels were propagated.
    known : ndarray of int, shape (n_samples,)
        Classes of labelled samples, -1 elsewhere. They have no part in sizes.

    Returns
    -------
    ndarray of shape (n_samples, n_classes)
        Rows sum to one.

    References
    ----------
    .. [1] R. Sinkhorn. A relationship between arbitrary positive matrices and doubly stochastic
       matrices. Annals of Mathematical Statistics 35, 1964.

    Examples
    --------
    >>> A = np.array([[0.9, 0.1], [0.6, 0.4], [0.6, 0.4], [0.55, 0.45]])
    >>> balanced(A, np.full(4, -1)).argmax(axis=1).tolist()
    [0, 0, 0, 1]
    """
    sharp = normalize_rows(np.maximum(memberships, _FLOOR) ** tuning.SHARPENED)
    free, factors = sharp[known < 0], np.ones(sharp.shape[1])
    for _ in range(_SCALINGS if len(free) else 0):
        sizes = factors * (free.T @ (1 / (free @ factors)))
        factors *= len(free) / len(factors) / sizes
    return normalize_rows(sharp * factors**tuning.BALANCED)


def most_confident(
    labels: np.ndarray, confidence: np.ndarray, free: np.ndarray, share: float
) -> np.ndarray:
    """Return which of the free samples are in the most confident part of their class.

    Parameters
    ----------
    labels : ndarray of int, shape (n_samples,)
        Guessed classes.
    confidence : ndarray of shape (n_samples,)
        How sure each is.
    free : ndarray of bool, shape (n_samples,)
        Which samples have no given label.
    share : float
        Of each class, rounded up.

    Examples
    --------
    >>> labels, sure = np.array([0, 0, 0, 1]), np.array([0.3, 0.9, 0.5, 0.1])
    >>> most_confident(labels, sure, np.full(4, True), 0.5).tolist()
    [False, True, True, True]
    """
    members = np.flatnonzero(free)
    members = members[np.lexsort((-confidence[members], labels[members]))]
    sizes = np.bincount(labels[members])
    first = np.cumsum(sizes) - sizes
    place = np.arange(len(members)) - first[labels[members]]
    chosen = np.zeros(len(labels), dtype=bool)
    chosen[members[place < np.ceil(share * sizes)[labels[members]]]] = True
    return chosen
