"""The directions of largest variance."""

from typing import Any

import numpy as np
from array_api_compat import array_namespace
from scipy.linalg import eigh

__all__ = ["principal_directions", "spread_sample"]

_AXES_SAMPLES = 4000  # enough to find axes by which very many are only sorted


def spread_sample(X: Any, centre: Any) -> tuple[Any, float]:
    """Return evenly spread rows of X less their centre, in units of their largest entry; the unit.

    The squares of what is returned neither under- nor overflow.
    """
    xp = array_namespace(X)
    some = X[:: -(-X.shape[0] // _AXES_SAMPLES), :] - centre
    unit = float(xp.max(xp.abs(some))) or 1.0
    return some / unit, unit


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
