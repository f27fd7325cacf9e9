r"""The RONMF loop: five block updates of the augmented Lagrangian and the stopping rule.

Rows are samples, so the paper's ``X ≈ U Z' A'`` reads ``X ≈ A Z U'`` here, and

.. math:: L_\beta = \sum_g \phi(\|E_g\|) + \lambda\,\mathrm{tr}(A'LA)
          + \mu\,\mathrm{tr}((A-Y)'S(A-Y)) - \langle\Lambda, R\rangle
          + \frac{\beta}{2}\|R\|^2, \qquad R = X - A Z U' - E.

U, A, Z and E each lower it, the multiplier step raises it by exactly ``β|R|²``.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from array_api_compat import array_namespace, device

from ..numerics.arrays import from_numpy, to_numpy
from ..numerics.block_pivoting import nonnegative_least_squares
from ..numerics.nonnegative_quadratic import nonnegative_quadratic
from .basis import maximise_partition, maximise_penalty
from .memberships import MembershipTerms, update_membership
from .residual import Residual, SweepStatistics
from .result import Factorization, History

__all__ = ["State", "solve", "update_A", "update_U", "update_Z", "update_error"]

BASES = ("partition", "penalty", "unconstrained")
_STALL = 15  # sweeps without progress after which β is doubled


@dataclass
class State:
    """The iterate: three factors, and the residual that carries E and Λ."""

    U: Any
    A: Any
    Z: Any
    residual: Residual
    terms: MembershipTerms
    basis: str = "partition"
    exact: bool = True
    tol: float = 1e-6

    @property
    def gram(self) -> Any:
        """``U'U``: the identity up to rounding, unless the basis is unconstrained."""
        return self.U.T @ self.U


def update_U(state: State) -> None:
    """U-step. For ``U'U = I`` the objective is linear: maximise ``<T'AZ, U>``."""
    P = state.A @ state.Z
    C = state.residual.target_transposed_times(P)
    if state.basis == "partition":
        state.U = maximise_partition(C, state.U)
    elif state.basis == "penalty":
        state.U = maximise_penalty(C, state.U)
    else:
        P = _host(P)
        U = nonnegative_least_squares(P.T @ P, _host(C.T), _host(state.U.T)).T
        # Unit columns, their length moved into Z: the product stays as it is.
        length = np.linalg.norm(U, axis=0)
        length = np.where(length > 0, length, 1.0)
        state.U = from_numpy(U / length, state.U)
        state.Z = state.Z * from_numpy(length, state.Z)


def update_A(state: State, target_basis: Any) -> None:
    """A-step: shifted sparse solves, then the non-negative minimiser (``target_basis = T @ U``)."""
    state.A = update_membership(
        state.A,
        state.Z,
        state.gram,
        target_basis,
        state.residual.beta,
        state.terms,
        tol=state.tol,
        exact=state.exact,
    )


def update_Z(state: State, target_basis: Any) -> None:
    """Z-step: non-negative least squares with the c x c matrix ``A'A``, on the host in float64."""
    # In float64 from the start: the rounding of float32 can make a Gram matrix indefinite.
    A, gram_U = _host(state.A), _host(state.gram)
    gram_A, moment = A.T @ A, A.T @ _host(target_basis)
    if not state.exact:
        # As printed, max((A'A)^-1 A'TU, 0), for any U, and singular matrices too.
        inverse_A, inverse_U = (np.linalg.pinv(G, hermitian=True) for G in (gram_A, gram_U))
        Z = np.maximum(inverse_A @ moment @ inverse_U, 0.0)
    elif state.basis == "unconstrained":
        diagonal = np.maximum(np.outer(np.diag(gram_A), np.diag(gram_U)), 1e-300)
        Z = nonnegative_quadratic(
            _host(state.Z), lambda B: gram_A @ B @ gram_U, moment, diagonal, tol=1e-8
        )
    else:
        Z = nonnegative_least_squares(gram_A, moment, _host(state.Z))
    state.Z = from_numpy(Z, state.Z)


def update_error(state: State) -> SweepStatistics:
    """E-step and Λ-step in one pass over the data."""
    return state.residual.advance(state.U, state.A @ state.Z)


def _host(array: Any) -> np.ndarray:
    return to_numpy(array).astype(np.float64)


def solve(
    X: Any,
    U: Any,
    A: Any,
    Z: Any,
    terms: MembershipTerms,
    residual: Residual,
    *,
    max_iter: int = 200,
    tol: float = 5e-3,
    basis: str = "partition",
    exact: bool = True,
    balance: bool = False,
    callback: Callable[[int, History], bool] | None = None,
) -> Factorization:
    """Run ADMM from the given factors until the residuals are small.

    Parameters
    ----------
    X : array of shape (n_samples, n_features)
        Non-negative data.
    U, A, Z : arrays
        Feasible start: ``U >= 0, U'U = I``, ``A >= 0``, ``Z >= 0``.
    terms : MembershipTerms
        Graph and label terms.
    residual : Residual
        Loss, β, error and multiplier: a new one, or that of an earlier run to go on from.
    max_iter : int
        Largest number of sweeps.
    tol : float
        Stop when the primal residual (relative to ``|X|``), the dual residual (relative to
        ``|Λ|``) and the change of the memberships (relative to ``|A|``) are all below this.
    basis : {"partition", "penalty", "unconstrained"}
        How the U-step is solved; the last drops ``U'U = I``.
    exact : bool
        True: non-negative minimisers for A and Z. False: clipped unconstrained ones, as printed.
    balance : bool
        Double or halve β when one residual exceeds the other tenfold, at most every 5 sweeps and
        only in the first half of the iterations.
    callback : callable, optional
        Called as ``callback(iteration, history)`` after each sweep; a true answer stops the run.

    Notes
    -----
    With a non-convex loss and a fixed β the iterates may cycle. So β is doubled whenever the
    largest of the three stopping quantities has made no progress for 15 sweeps; the reason
    for stopping tells when it was. The printed method (``exact=False``) keeps its β.
    """
    xp = array_namespace(X)
    finest = 1e-5 if X.dtype == xp.float32 else 1e-9
    state = State(U, A, Z, residual, terms, basis, exact, tol=max(min(1e-4, 0.1 * tol), finest))
    size = max(float(xp.linalg.vector_norm(X)), 1e-300)
    history = History()
    converged, reason = False, f"reached max_iter={max_iter} before the residuals fell below tol"
    if residual.is_new:
        update_error(state)  # E and Λ get their first values from the start's own residual
    best, best_at, doublings = np.inf, 0, 0
    for iteration in range(max_iter):
        previous = state.A
        update_U(state)
        target_basis = residual.target_times(state.U)
        update_A(state, target_basis)
        update_Z(state, target_basis)
        statistics = update_error(state)
        _record(history, state, previous, statistics, size)
        newest = history.last()
        if callback is not None and callback(iteration, history):
            reason = "stopped by a callback"
            break
        worst = max(newest["primal"], newest["dual"], newest["membership_change"])
        if worst < tol:
            converged, reason = True, f"residuals and membership change fell below tol={tol:g}"
            break
        if worst < 0.99 * best:
            best, best_at = worst, iteration
        elif exact and iteration - best_at >= _STALL:
            residual.change_beta(2 * residual.beta)
            best, best_at, doublings = np.inf, iteration, doublings + 1
        if balance and iteration % 5 == 4 and iteration < max_iter // 2:
            _balance(residual, newest)
    if doublings:
        reason += f"; the iterates stalled and β was raised {2**doublings}-fold"
    return Factorization(state.U, state.A, state.Z, residual, history, converged, reason)


def _record(
    history: History, state: State, previous: Any, statistics: SweepStatistics, size: float
) -> None:
    xp = array_namespace(state.A)
    smooth = state.terms.value(state.A)
    gram = state.gram
    identity = xp.eye(gram.shape[0], dtype=gram.dtype, device=device(gram))
    # Relative to Λ/β, lest a large β pass for convergence. Where all groups are outliers, Λ = 0: a
    # thousandth of the data, in the curvature of the loss, stands in for it.
    floor = 1e-3 * size / (state.residual.beta * state.residual.loss.scale**2)
    change = float(xp.sum((state.A - previous) ** 2)) / max(float(xp.sum(state.A**2)), 1e-300)
    history.append(
        objective=statistics.loss + smooth,
        lagrangian=statistics.loss_error
        + smooth
        - statistics.coupling
        + state.residual.beta / 2 * statistics.primal**2,
        primal=statistics.primal / size,
        dual=statistics.dual / max(statistics.multiplier, floor),
        membership_change=change**0.5,
        orthogonality=float(xp.max(xp.abs(gram - identity))),
        beta=state.residual.beta,
    )


def _balance(residual: Residual, newest: dict[str, float]) -> None:
    if newest["primal"] > 10 * newest["dual"]:
        residual.change_beta(2 * residual.beta)
    elif newest["dual"] > 10 * newest["primal"]:
        residual.change_beta(residual.beta / 2)
