"""Labels that memberships suggest, each as heavy as it is clear."""

import numpy as np

from .encoding import one_hot

__all__ = ["guessed_members"]


def guessed_members(A: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Return one-hot rows of given labels, and of the best classes of other samples.

    A guessed row weighs by how far its class is ahead of the second.

    Parameters
    ----------
    A : ndarray of shape (n_samples, n_classes)
        Memberships in at least two classes; rows sum to one.
    codes : ndarray of int, shape (n_samples,)
        Known classes, -1 where unlabelled.

    Examples
    --------
    >>> A = np.array([[0.6, 0.4], [0.5, 0.5], [0.25, 0.75]])
    >>> guessed_members(A, np.array([0, -1, -1])).round(2).tolist()
    [[1.0, 0.0], [0.0, 0.0], [0.0, 0.67]]
    """
    second, best = np.sort(A, axis=1)[:, -2:].T
    known = codes >= 0
    weight = np.where(known, 1.0, 1 - second / best)[:, None]
    return weight * one_hot(np.where(known, codes, A.argmax(axis=1)), A.shape[1], np.empty((0, 0)))
