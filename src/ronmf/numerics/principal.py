"""The directions of largest variance."""

import numpy as np
from scipy.linalg import eigh

__all__ = ["principal_directions"]


def principal_directions(C: np.ndarray, count: int) -> np.ndarray:
    """Return the directions of largest variance of centred rows, those of rounding left out.

    Parameters
    ----------
    C : ndarray of shape (n_samples, n_features)
        Centred; values about one, whose squares neither under- nor overflow.
    count : int
        How many, at most.

    Returns
    -------
    ndarray of shape (n_features, n_directions)
        One per column, orthonormal, the largest variance first.

    Examples
    --------
    >>> C = np.array([[-0.6, -0.8], [0.0, 0.0], [0.6, 0.8]])
    >>> abs(principal_directions(C, 2)).round(6).tolist()
    [[0.6], [0.8]]
    """
    wide = C.shape[1] > C.shape[0]
    gram = C @ C.T if wide else C.T @ C
    last = len(gram) - 1
    squares, vectors = eigh(gram, subset_by_index=(max(0, len(gram) - count), last))
    least = 1e-10 if C.dtype == np.float64 else 1e-5  # of rounding
    keep = np.flatnonzero(squares > least * squares[-1])[::-1]
    directions = vectors[:, keep]
    return C.T @ (directions / np.sqrt(squares[keep])) if wide else directions
