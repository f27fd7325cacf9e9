"""The augmented Lagrangian of the paper, written out with E and Λ, against the blocks as coded."""

import numpy as np
import pytest
from errata import rises, sweeps
from hypothesis import given, settings
from hypothesis import strategies as st

from ronmf.admm.basis import BASES
from ronmf.admm.parameters import ADMM
from ronmf.admm.problem import Problem
from ronmf.admm.solver import solve
from ronmf.admm.start import Start
from ronmf.penalties import L21, PENALTIES
from support.problems import assert_sweep, lagrangian, random_state, started_state


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    penalty=st.sampled_from(sorted(PENALTIES)),
    groups=st.sampled_from(["features", "samples"]),
    beta=st.floats(0.05, 50),
    graph_weight=st.sampled_from([0.0, 0.1, 10.0]),
    label_weight=st.sampled_from([0.0, 1.0, 100.0]),
    basis=st.sampled_from(sorted(BASES)),
)
def test_four_blocks_lower_the_lagrangian_and_the_dual_step_raises_it(
    seed, penalty, groups, beta, graph_weight, label_weight, basis
):
    state = random_state(
        seed,
        penalty=PENALTIES[penalty](),
        groups=groups,
        beta=beta,
        graph_weight=graph_weight,
        label_weight=label_weight,
        basis=BASES[basis],
    )
    for _ in range(3):
        assert_sweep(state)


def test_the_lagrangian_can_rise_over_a_sweep():
    """Where four blocks lower it and the multiplier step raises it by more; the case printed."""
    U, A, Z, E, multiplier, sweep = rises(sweeps(L21(), 1.0, exact=True))
    assert (U, A, Z, E) == (0, 0, 0, 0)
    assert multiplier == 30
    assert sweep > 5


def test_a_clipped_step_can_raise_the_lagrangian():
    _, A, *_ = rises(sweeps(L21(), 1.0, exact=False))
    assert A > 0


@pytest.mark.parametrize("groups", ["features", "samples"])
def test_blocks_on_digits(digits, groups):
    X, y, _ = digits
    state = started_state(X, y, PENALTIES["mcp"](), groups)
    for _ in range(5):
        assert_sweep(state)


@pytest.mark.parametrize("groups", ["features", "samples"])
def test_one_buffer_equals_explicit_error_and_multiplier(groups):
    """E and Λ of the buffer follow the textbook recursion with both arrays stored."""
    state = random_state(3, groups=groups)
    residual, loss = state.residual, state.residual.loss
    X, beta = residual.X, residual.beta
    E, Lam = residual.error(), residual.multiplier()
    rng = np.random.default_rng(0)
    for _ in range(30):
        P, U = rng.random((len(X), 4)), rng.random((X.shape[1], 4)) / 4
        T = X - E - Lam / beta
        np.testing.assert_allclose(residual.target_times(U), T @ U, rtol=1e-10)
        np.testing.assert_allclose(residual.target_transposed_times(P), T.T @ P, rtol=1e-10)
        V = X - P @ U.T - Lam / beta
        norms = np.linalg.norm(V, axis=loss.axis, keepdims=True)
        shrunk = loss.scale * loss.penalty.prox(norms / loss.scale, 1 / beta / loss.scale**2)
        E_old, E = E, V / norms * shrunk
        R = X - P @ U.T - E
        Lam = Lam - beta * R
        statistics = residual.advance(U, P)
        np.testing.assert_allclose(residual.error(), E, atol=1e-12)
        np.testing.assert_allclose(residual.multiplier(), Lam, atol=1e-11)
        assert statistics.primal == pytest.approx(np.linalg.norm(R), rel=1e-9)
        assert statistics.dual == pytest.approx(np.linalg.norm(E - E_old), rel=1e-9, abs=1e-12)
        assert statistics.coupling == pytest.approx((Lam * R).sum(), rel=1e-9)
        fit = np.linalg.norm(X - P @ U.T, axis=loss.axis) / loss.scale
        assert statistics.loss == pytest.approx(loss.penalty.value(fit).sum(), rel=1e-9)


def test_changing_beta_keeps_the_multiplier():
    residual = random_state(5).residual
    before, E = residual.multiplier(), residual.error()
    residual.change_beta(7.0)
    np.testing.assert_allclose(residual.multiplier(), before, rtol=1e-12)
    np.testing.assert_allclose(residual.error(), E)
    T = residual.X - E - before / 7.0
    np.testing.assert_allclose(residual.target_times(np.eye(T.shape[1])), T, rtol=1e-12)


def test_the_printed_membership_equation_is_not_the_gradient():
    """Finite differences tell the corrected A-equation from the printed one."""
    state = random_state(1)
    terms, Z, U, A = state.terms, state.Z, state.U, state.A
    beta, TU = state.residual.beta, state.residual.target_times(state.U)
    T = state.residual.target_times(np.eye(U.shape[0]))

    def objective(A):
        return beta / 2 * ((T - A @ Z @ U.T) ** 2).sum() + terms.value(A)

    rng = np.random.default_rng(0)
    step = 1e-6 * rng.standard_normal(A.shape)
    slope = (objective(A + step) - objective(A - step)) / 2
    SY = terms.anchor.anchored[:, None] * terms.anchor.Y
    corrected = terms.hessian(A) - 2 * terms.label_weight * SY + beta * (A @ Z @ Z.T - TU @ Z.T)
    printed = terms.hessian(A) / 2 - terms.label_weight * SY - A @ Z @ Z.T - beta * TU @ Z.T
    assert (corrected * step).sum() == pytest.approx(slope, rel=1e-6)
    assert (printed * step).sum() != pytest.approx(slope, rel=0.1)


@pytest.mark.parametrize("groups", ["features", "samples"])
def test_history_records_the_objective_and_the_lagrangian_by_the_book(digits, groups):
    X, y, _ = digits
    state = started_state(X, y, PENALTIES["mcp"](), groups)
    problem = Problem(X, state.residual.loss, state.terms)
    start = Start(state.U, state.A, state.Z, state.residual)
    result = solve(problem, start, ADMM(3.0, max_iter=4, tol=0))
    state.U, state.A, state.Z = result.U, result.A, result.Z
    E, Lam = state.residual.error(), state.residual.multiplier()
    end = result.history.last()
    assert end["lagrangian"] == pytest.approx(lagrangian(state, E, Lam), rel=1e-8)
    fit = X - state.A @ state.Z @ state.U.T
    assert end["objective"] == pytest.approx(lagrangian(state, fit, 0 * Lam), rel=1e-8)
    assert end["objective"] == pytest.approx(problem.value(result.U, result.A, result.Z), rel=1e-8)
    assert end["primal"] == pytest.approx(np.linalg.norm(fit - E) / np.linalg.norm(X), rel=1e-6)
