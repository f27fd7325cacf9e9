"""The U-step: three kinds of basis, each of which says what it can do.

A basis turns the matrix ``C = T'AZ`` into new parts, and finds the amplitudes for its parts.
"""

from typing import Any, Protocol

import numpy as np

from ..numerics.arrays import from_numpy, to_numpy
from ..numerics.block_pivoting import nonnegative_least_squares
from .amplitudes import AmplitudeQuadratic
from .orthogonal import maximise_partition, maximise_penalty

__all__ = ["BASES", "Basis", "PartitionBasis", "PenaltyBasis", "UnconstrainedBasis"]


class Basis(Protocol):
    """How U is found."""

    def update(self, C: Any, P: Any, U: Any, Z: Any) -> tuple[Any, Any]:
        """Return new U and Z for ``C = T'P``, ``P = AZ``; Z takes the lengths of U's columns."""
        ...

    def amplitudes(self, quadratic: AmplitudeQuadratic) -> np.ndarray:
        """Return the best non-negative amplitudes for these parts."""
        ...


class PartitionBasis:
    """Disjoint parts, found by a search over partitions of the features.

    For ``U'U = I`` the objective is linear in U: maximise ``<T'AZ, U>``.
    """

    def update(self, C: Any, P: Any, U: Any, Z: Any) -> tuple[Any, Any]:
        """Return the parts of largest ``<C, U>`` that the search finds."""
        return self._maximise(C, U), Z

    def amplitudes(self, quadratic: AmplitudeQuadratic) -> np.ndarray:
        """Return the best amplitudes for orthonormal parts."""
        return quadratic.of_orthonormal_parts()

    def _maximise(self, C: Any, U: Any) -> Any:
        return maximise_partition(C, U)


class PenaltyBasis(PartitionBasis):
    """Disjoint parts, found by the paper's exact penalty on the oblique manifold."""

    def _maximise(self, C: Any, U: Any) -> Any:
        return maximise_penalty(C, U)


class UnconstrainedBasis:
    """Non-negative parts that may overlap: for comparison, no orthogonality at all."""

    def update(self, C: Any, P: Any, U: Any, Z: Any) -> tuple[Any, Any]:
        """Return the non-negative least squares solution with columns of unit length."""
        P = _host(P)
        parts = nonnegative_least_squares(P.T @ P, _host(C.T), _host(U.T)).T
        # The lengths move into Z: the product stays as it is.
        length = np.linalg.norm(parts, axis=0)
        length = np.where(length > 0, length, 1.0)
        return from_numpy(parts / length, U), Z * from_numpy(length, Z)

    def amplitudes(self, quadratic: AmplitudeQuadratic) -> np.ndarray:
        """Return the best amplitudes for parts that overlap."""
        return quadratic.of_any_parts()


def _host(array: Any) -> np.ndarray:
    return to_numpy(array).astype(np.float64)


BASES: dict[str, Basis] = {
    "partition": PartitionBasis(),
    "penalty": PenaltyBasis(),
    "unconstrained": UnconstrainedBasis(),
}
