"""The five block updates of a sweep, on the iterate.

U, A, Z and E each lower the augmented Lagrangian, the multiplier step raises it by exactly
``β|R|²``. :class:`ExactSteps` finds the non-negative minimisers over A and Z,
:class:`PrintedSteps` clips the unconstrained ones, as the paper does.
"""

from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from ..graph._operator import MembershipTerms
from ..numerics.arrays import from_numpy, to_numpy
from ..numerics.nonnegative_quadratic import ALL_PRODUCTS
from ..numerics.threads import in_threads
from .amplitudes import AmplitudeQuadratic
from .basis import Basis, PartitionBasis
from .memberships import MembershipQuadratic
from .residual import Residual, SweepStatistics

__all__ = ["ExactSteps", "PrintedSteps", "State", "Steps"]
__all__ += ["update_A", "update_U", "update_Z", "update_error"]


_PRINTED_TOL = 1e-4  # of the clipped A-step, which is solved for anew in every sweep


class Steps(Protocol):
    """How A and Z are updated."""

    adapts_beta: bool

    def memberships(
        self, quadratic: MembershipQuadratic, A: Any, tol: float, max_products: int
    ) -> tuple[Any, float]:
        """Return new memberships, and how far they are from the minimiser (0: as near as meant)."""
        ...

    def amplitudes(self, quadratic: AmplitudeQuadratic, basis: Basis) -> np.ndarray:
        """Return new amplitudes."""
        ...


class ExactSteps:
    """Non-negative minimisers: no step is ever worse than the last iterate."""

    adapts_beta = True

    def memberships(
        self, quadratic: MembershipQuadratic, A: Any, tol: float, max_products: int
    ) -> tuple[Any, float]:
        """Go towards the minimiser over ``A >= 0``, with so many products with its Hessian."""
        return quadratic.nonnegative(A, tol, max_products)

    def amplitudes(self, quadratic: AmplitudeQuadratic, basis: Basis) -> np.ndarray:
        """Return the minimiser over ``Z >= 0``, which is the basis' business."""
        return basis.amplitudes(quadratic)


class PrintedSteps:
    """Unconstrained minimisers, clipped at zero, as printed; they may raise the objective."""

    adapts_beta = False

    def memberships(
        self, quadratic: MembershipQuadratic, A: Any, tol: float, max_products: int
    ) -> tuple[Any, float]:
        """Return the clipped minimiser, to a tolerance of its own; no distance is measured."""
        return quadratic.clipped(A, min(tol, _PRINTED_TOL)), 0.0

    def amplitudes(self, quadratic: AmplitudeQuadratic, basis: Basis) -> np.ndarray:
        """Return the clipped minimiser, for any basis."""
        return quadratic.clipped()


@dataclass
class State:
    """The iterate: three factors, and the residual that carries E and Λ.

    Attributes
    ----------
    U, A, Z : arrays
        The factors.
    residual : Residual
        Error and multiplier.
    terms : MembershipTerms
        Graph and label terms.
    basis : Basis
        How U is updated.
    steps : Steps
        How A and Z are updated.
    tol : float
        Tolerance of the A-step.
    max_products : int
        Products with its Hessian that the A-step may spend.
    optimality : float
        How far the memberships were from the minimiser at the end of the last A-step.
    """

    U: Any
    A: Any
    Z: Any
    residual: Residual
    terms: MembershipTerms
    basis: Basis = field(default_factory=PartitionBasis)
    steps: Steps = field(default_factory=ExactSteps)
    tol: float = 1e-6
    max_products: int = ALL_PRODUCTS
    optimality: float = 0.0
    _product: tuple[Any, Any, Any] | None = None

    @property
    def P(self) -> Any:
        """``AZ``, the same array as long as A and Z are: the residual knows products with it."""
        kept = self._product
        if kept is None or kept[0] is not self.A or kept[1] is not self.Z:
            self._product = kept = self.A, self.Z, self.A @ self.Z
        return kept[2]

    @property
    def gram(self) -> Any:
        """``U'U``: the identity up to rounding, unless the basis is unconstrained."""
        return self.U.T @ self.U


def update_U(state: State) -> None:
    """U-step: the basis finds new parts from ``T'AZ``."""
    P = state.P
    C = state.residual.target_transposed_times(P)
    state.U, state.Z = state.basis.update(C, P, state.U, state.Z)


def update_A(state: State, target_basis: Any) -> None:
    """A-step (``target_basis = T @ U``)."""
    quadratic = MembershipQuadratic(
        state.Z, state.gram, target_basis, state.residual.beta, state.terms
    )
    state.A, state.optimality = state.steps.memberships(
        quadratic, state.A, state.tol, state.max_products
    )


def update_Z(state: State, target_basis: Any) -> None:
    """Z-step, with the c x c matrix ``A'A``."""
    # In float64 from the start: the rounding of float32 can make a Gram matrix indefinite.
    A, gram_U, Z = (to_numpy(array).astype(np.float64) for array in (state.A, state.gram, state.Z))
    target = to_numpy(target_basis).astype(np.float64)
    gram_A, moment = in_threads(lambda B: A.T @ B, [A, target])
    quadratic = AmplitudeQuadratic(gram_A, gram_U, moment, Z)
    state.Z = from_numpy(state.steps.amplitudes(quadratic, state.basis), state.Z)


def update_error(state: State) -> SweepStatistics:
    """E-step and Λ-step in one pass over the data."""
    return state.residual.advance(state.U, state.P)
