"""The Z-step: how strongly each cluster uses each part, on the host in float64.

For ``P = U'U`` and ``G = A'A`` it minimises ``<Z, G Z P>/2 - <A'TU, Z>`` over ``Z >= 0``.
"""

import numpy as np

from ..numerics.nonnegative_quadratic import nonnegative_quadratic

__all__ = ["clipped_amplitudes", "coupled_amplitudes"]


def coupled_amplitudes(
    gram_A: np.ndarray, moment: np.ndarray, gram_U: np.ndarray, Z: np.ndarray
) -> np.ndarray:
    """Return the minimiser for parts that overlap: all entries of Z depend on each other."""
    diagonal = np.maximum(np.outer(np.diag(gram_A), np.diag(gram_U)), 1e-300)
    return nonnegative_quadratic(Z, lambda B: gram_A @ B @ gram_U, moment, diagonal, tol=1e-8)[0]


def clipped_amplitudes(gram_A: np.ndarray, moment: np.ndarray, gram_U: np.ndarray) -> np.ndarray:
    """Return ``max((A'A)^-1 A'TU (U'U)^-1, 0)``, as printed, also for singular matrices."""
    inverse_A, inverse_U = (np.linalg.pinv(G, hermitian=True) for G in (gram_A, gram_U))
    return np.maximum(inverse_A @ moment @ inverse_U, 0.0)
