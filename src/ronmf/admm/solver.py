r"""The RONMF loop: sweeps of block updates of the augmented Lagrangian, and the stopping rule.

Rows are samples, so the paper's ``X ≈ U Z' A'`` reads ``X ≈ A Z U'`` here, and

.. math:: L_\beta = \sum_g \phi(\|E_g\|) + \lambda\,\mathrm{tr}(A'LA)
          + \mu\,\mathrm{tr}((A-Y)'S(A-Y)) - \langle\Lambda, R\rangle
          + \frac{\beta}{2}\|R\|^2, \qquad R = X - A Z U' - E.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from array_api_compat import array_namespace, device

from ..numerics.arrays import to_numpy
from ..penalties import Penalty
from ..storage._checkpoint import content_key, current_checkpoint
from ..storage._products import norm
from ..storage._rows import StoredRows
from ..storage._scratch import Scratch
from .basis import BASES
from .buffered import BufferedResidual
from .factored import FactoredResidual
from .pace import Pace
from .parameters import ADMM, check_solver
from .problem import Problem
from .residual import Residual, SweepStatistics
from .result import Factorization, History
from .saving import SavedSweeps
from .start import Start
from .steps import State, update_A, update_error, update_U, update_Z

__all__ = ["check_penalty_fits", "solve"]

_NEEDED = ("value", "prox", "weight")  # what the E-step and the scale ask of a penalty


def check_penalty_fits(penalty: Penalty) -> None:
    """Refuse a penalty without something that this solver needs."""
    missing = [name for name in _NEEDED if name not in penalty.provides()]
    if missing:
        raise ValueError(
            f"penalty={penalty!r} has no {' and no '.join(missing)}, but ADMM needs"
            f" {', '.join(_NEEDED)} of a penalty; write it, or use another penalty."
        )


def solve(
    problem: Problem,
    start: Start,
    solver: ADMM | None = None,
    *,
    scratch: Scratch | None = None,
    callback: Callable[[int, History], bool] | None = None,
) -> Factorization:
    """Run ADMM from the given factors until the residuals are small.

    Parameters
    ----------
    problem : Problem
        What is minimised.
    start : Start
        Factors to start from, and the error and multiplier of an earlier run, if any.
    solver : ADMM, default=ADMM()
        How U, A and Z are found, how β moves, and when to stop. Its `relative` and `init` have had
        their say in `problem` and `start`.
    scratch : Scratch, default=None
        Where large arrays go that are needed again, of data that are not in memory; None: there.
    callback : callable, optional
        Called as ``callback(iteration, history)`` after each sweep; a true answer stops the run.

    Notes
    -----
    With a non-convex loss and a fixed β the iterates may cycle. So β is doubled whenever the
    largest of the three stopping quantities has made no progress for 15 sweeps; the reason
    for stopping tells when it was. The printed steps keep their β.

    With ``balance=True`` β is doubled or halved when one residual exceeds the other tenfold, at
    most every 5 sweeps and only in the first half of the iterations.
    """
    solver = check_solver(solver)
    X, max_iter, beta = problem.X, solver.max_iter, solver.beta / problem.loss.scale**2
    if start.residual is None:
        residual = _new_residual(problem, beta, scratch or Scratch())
    else:
        residual = start.residual.resume(X, beta)
    pace = Pace(solver.tol, finest=1e-5 if to_numpy(start.Z).dtype == np.float32 else 1e-9)
    basis, steps = BASES[solver.basis], solver.steps()
    state = State(start.U, start.A, start.Z, residual, problem.terms, basis, steps)
    size = max(norm(X), 1e-300)
    history, saved, first, doublings = History(), None, 0, 0
    if (checkpoint := current_checkpoint()) is not None:
        saved = SavedSweeps(checkpoint, _key(problem, start, beta))
        first, doublings = saved.restore(state, pace, history)
    converged, reason = False, f"reached max_iter={max_iter} before the residuals fell below tol"
    if residual.is_new:
        update_error(state)  # E and Λ get their first values from the start's own residual
    for iteration in range(first, max_iter):
        previous = state.A
        state.tol, state.max_products = pace.inner, pace.max_products
        update_U(state)
        target_basis = residual.target_times(state.U)
        update_A(state, target_basis)
        update_Z(state, target_basis)
        statistics = update_error(state)
        _record(history, state, previous, statistics, size)
        if callback is not None and callback(iteration, history):
            reason = "stopped by a callback"
            break
        if (met := pace.reason_to_stop(history)) is not None:
            converged, reason = True, met
            break
        if steps.adapts_beta and pace.stalls():
            residual.change_beta(2 * residual.beta)
            doublings += 1
        if solver.balance and iteration % 5 == 4 and iteration < max_iter // 2:
            _balance(residual, history.last())
        if saved is not None:
            saved.save(state, pace, history, iteration, doublings)
    if doublings:
        reason += f"; the iterates stalled and β was raised {2**doublings}-fold"
    return Factorization(state.U, state.A, state.Z, residual, history, converged, reason)


def _key(problem: Problem, start: Start, beta: float) -> str:
    """Return what tells a problem with its start from others."""
    terms, W = problem.terms, problem.terms.graph.affinity
    numbers = terms.graph_weight, terms.label_weight, terms.view_weight, beta, problem.loss.scale
    arrays = *map(to_numpy, (start.U, start.A, start.Z)), W.data, W.indices, W.indptr
    targets = [to_numpy(each.Y) for each in (terms.anchor, terms.view) if each is not None]
    return content_key(*arrays, *targets, numbers)


def _new_residual(problem: Problem, beta: float, scratch: Scratch) -> Residual:
    """Return the residual at ``E = Λ = 0``, kept in the way that suits where the data lie."""
    if isinstance(problem.X, StoredRows):
        return FactoredResidual(problem.X, problem.loss, beta, scratch)
    return BufferedResidual(problem.X, problem.loss, beta)


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
        optimality=state.optimality,
        orthogonality=float(xp.max(xp.abs(gram - identity))),
        beta=state.residual.beta,
    )


def _balance(residual: Residual, newest: dict[str, float]) -> None:
    if newest["primal"] > 10 * newest["dual"]:
        residual.change_beta(2 * residual.beta)
    elif newest["dual"] > 10 * newest["primal"]:
        residual.change_beta(residual.beta / 2)
