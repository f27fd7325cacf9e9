"""Linear solves against dense linear algebra and brute-force NNLS."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import solve_sylvester
from scipy.optimize import nnls

from problems import random_state
from ronmf.admm.memberships import update_membership
from ronmf.numerics import nonnegative_quadratic as nonnegative
from ronmf.numerics.conjugate_gradients import conjugate_gradients
from ronmf.numerics.block_pivoting import nonnegative_least_squares
from ronmf.numerics.nonnegative_quadratic import nonnegative_quadratic


def dense_problem(state, TU):
    """The A-step as ``H A + A B = rhs`` with dense matrices."""
    H = state.terms.hessian(np.eye(len(state.A)))
    B = state.residual.beta * state.Z @ state.gram @ state.Z.T
    rhs = state.residual.beta * TU @ state.Z.T
    rhs += 2 * state.terms.label_weight * state.terms.anchored[:, None] * state.terms.Y
    return H, B, rhs


def solve_membership(state, TU, **options):
    return update_membership(
        state.A, state.Z, state.gram, TU, state.residual.beta, state.terms, **options
    )


@pytest.mark.parametrize("seed", range(10))
def test_membership_equals_dense_sylvester_where_the_bound_is_inactive(seed):
    state = random_state(seed, graph_weight=5.0, label_weight=20.0, beta=0.5)
    # Every sample anchored to a positive target: the minimiser is positive
    rng = np.random.default_rng(seed)
    object.__setattr__(state.terms, "anchored", np.ones(len(state.A)))
    object.__setattr__(state.terms, "Y", 5 + rng.random(state.A.shape))
    TU = state.residual.target_times(state.U)
    H, B, rhs = dense_problem(state, TU)
    expected = solve_sylvester(H, B, rhs)
    assert expected.min() > 0
    A = solve_membership(state, TU, tol=1e-12)
    np.testing.assert_allclose(A, expected, atol=1e-8)


@pytest.mark.parametrize("seed", range(10))
def test_membership_equals_brute_force_nnls_where_the_bound_is_active(seed):
    state = random_state(seed, n=15, beta=3.0)
    # A target of mixed signs, as the multiplier makes it, pushes memberships to the bound
    noise = np.random.default_rng(seed).standard_normal((15, state.U.shape[1]))
    TU = state.residual.target_times(state.U) + noise
    H, B, rhs = dense_problem(state, TU)
    n, c = state.A.shape
    dense = np.kron(H, np.eye(c)) + np.kron(np.eye(n), B)
    root = np.linalg.cholesky(dense + 1e-13 * np.eye(n * c))
    expected = nnls(root.T, np.linalg.solve(root, rhs.ravel()))[0].reshape(n, c)
    assert (expected == 0).any()
    A = solve_membership(state, TU, tol=1e-11)
    np.testing.assert_allclose(A, expected, atol=1e-8)
    clipped = solve_membership(state, TU, tol=1e-11, exact=False)
    np.testing.assert_allclose(clipped, np.maximum(solve_sylvester(H, B, rhs), 0), atol=1e-8)

    def objective(A):
        return 0.5 * (A * (H @ A + A @ B)).sum() - (A * rhs).sum()

    assert objective(A) <= min(objective(clipped), objective(state.A)) + 1e-10


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), c=st.integers(1, 8), r=st.integers(1, 12))
def test_nonnegative_least_squares_meets_its_kkt_conditions(seed, c, r):
    rng = np.random.default_rng(seed)
    M = rng.standard_normal((c + 3, c)) * 10 ** rng.uniform(-2, 2, size=c)
    gram, moment = M.T @ M, M.T @ rng.standard_normal((c + 3, r))
    Z = nonnegative_least_squares(gram, moment, (rng.random((c, r)) > 0.5).astype(float))
    gradient = gram @ Z - moment
    size = np.abs(moment).max()
    assert (Z >= 0).all()
    assert (gradient >= -1e-7 * size).all()
    assert np.abs(gradient * (Z > 0)).max() <= 1e-7 * size


def test_nonnegative_least_squares_with_an_empty_class_and_equal_columns():
    gram = np.array([[4.0, 4.0, 0.0], [4.0, 4.0, 0.0], [0.0, 0.0, 0.0]])
    moment = np.array([[4.0, -2.0], [4.0, -2.0], [0.0, 0.0]])
    Z = nonnegative_least_squares(gram, moment, np.ones((3, 2)))
    assert Z[2].tolist() == [0, 0]
    np.testing.assert_allclose((gram @ Z)[0], [4.0, 0.0], atol=1e-6)


def test_nonnegative_least_squares_falls_back_when_exchange_cycles():
    rng = np.random.default_rng(0)
    M = rng.standard_normal((12, 8))
    gram, moment = M.T @ M, M.T @ rng.standard_normal((12, 20))
    one_round = nonnegative_least_squares(gram, moment, np.ones((8, 20)), max_rounds=1)
    many = nonnegative_least_squares(gram, moment, np.ones((8, 20)))
    np.testing.assert_allclose(one_round, many, atol=1e-6)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(1, 12), conditioning=st.floats(0, 5))
def test_nonnegative_quadratic_is_exact_and_monotone(seed, n, conditioning):
    rng = np.random.default_rng(seed)
    Q, _ = np.linalg.qr(rng.standard_normal((n, n)))
    H = Q @ np.diag(10 ** rng.uniform(-conditioning, 0, size=n)) @ Q.T
    H = (H + H.T) / 2
    rhs, start = rng.standard_normal((n, 2)), rng.random((n, 2))

    def objective(A):
        return 0.5 * (A * (H @ A)).sum() - (A * rhs).sum()

    A = nonnegative_quadratic(start, lambda B: H @ B, rhs, np.diag(H)[:, None], 1e-9)
    assert (A >= 0).all()
    assert objective(A) <= objective(start) + 1e-12
    exact = nonnegative_least_squares(H, rhs, np.ones((n, 2)))
    assert objective(A) <= objective(exact) + 1e-6 * (1 + abs(objective(exact)))


def test_conjugate_gradients_lower_the_energy_at_every_step():
    rng = np.random.default_rng(0)
    M = rng.standard_normal((20, 20))
    H, rhs = M @ M.T + 0.1 * np.eye(20), rng.standard_normal((20, 3))
    start = rng.standard_normal((20, 3))
    energies = []
    for k in range(25):
        x = conjugate_gradients(
            lambda B: H @ B, rhs, start, lambda r: r / np.diag(H)[:, None], tol=0, max_iter=k
        )
        energies.append((0.5 * (x * (H @ x)) - rhs * x).sum(axis=0))
    assert (np.diff(energies, axis=0) <= 1e-9).all()


def test_conjugate_gradients_leave_a_singular_consistent_system_at_its_start():
    H = np.diag([2.0, 0.0])
    rhs, start = np.array([[2.0], [0.0]]), np.array([[0.0], [7.0]])
    x = conjugate_gradients(lambda B: H @ B, rhs, start, lambda r: r, tol=1e-12, max_iter=9)
    np.testing.assert_allclose(x, [[1.0], [7.0]])


def test_projected_newton_is_exact_where_the_exchange_is_not_allowed_to_help(monkeypatch):
    """The fallback on its own, from a start that the active set method has not improved."""
    rng = np.random.default_rng(0)
    M = rng.standard_normal((12, 10))
    H, rhs = M.T @ M + 0.1 * np.eye(10), rng.standard_normal((10, 3))
    monkeypatch.setattr(nonnegative, "_exchange", lambda A, *rest: (A, np.inf))
    A = nonnegative_quadratic(np.ones((10, 3)), lambda B: H @ B, rhs, np.diag(H)[:, None], 1e-9)
    np.testing.assert_allclose(A, nonnegative_least_squares(H, rhs, np.ones((10, 3))), atol=1e-6)
