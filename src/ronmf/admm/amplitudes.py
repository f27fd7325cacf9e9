"""The Z-step: how strongly each cluster uses each part, on the host in float64."""

from dataclasses import dataclass

import numpy as np

from ..numerics.block_pivoting import nonnegative_least_squares
from ..numerics.nonnegative_quadratic import nonnegative_quadratic

__all__ = ["AmplitudeQuadratic"]


@dataclass(frozen=True)
class AmplitudeQuadratic:
    """The augmented Lagrangian as a function of the amplitudes alone.

    It is ``<Z, A'A Z U'U>/2 - <A'TU, Z>``, for ``Z >= 0``.

    Attributes
    ----------
    gram_A : ndarray of shape (c, c)
        ``A'A``.
    gram_U : ndarray of shape (r, r)
        ``U'U``.
    moment : ndarray of shape (c, r)
        ``A'TU``.
    Z : ndarray of shape (c, r)
        The last amplitudes, from which the search begins.
    """

    gram_A: np.ndarray
    gram_U: np.ndarray
    moment: np.ndarray
    Z: np.ndarray

    def of_orthonormal_parts(self) -> np.ndarray:
        """Return the minimiser for ``U'U = I``: each column of Z is a problem of its own."""
        return nonnegative_least_squares(self.gram_A, self.moment, self.Z)

    def of_any_parts(self) -> np.ndarray:
        """Return the minimiser for parts that overlap: all entries of Z depend on each other."""
        gram_A, gram_U = self.gram_A, self.gram_U
        diagonal = np.maximum(np.outer(np.diag(gram_A), np.diag(gram_U)), 1e-300)
        return nonnegative_quadratic(
            self.Z, lambda B: gram_A @ B @ gram_U, self.moment, diagonal, tol=1e-8
        )[0]

    def clipped(self) -> np.ndarray:
        """Return ``max((A'A)^-1 A'TU (U'U)^-1, 0)``, as printed, also for singular matrices."""
        inverse_A = np.linalg.pinv(self.gram_A, hermitian=True)
        inverse_U = np.linalg.pinv(self.gram_U, hermitian=True)
        return np.maximum(inverse_A @ self.moment @ inverse_U, 0.0)
