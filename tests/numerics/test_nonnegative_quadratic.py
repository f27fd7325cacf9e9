"""Least squares and quadratics with a bound at zero, by their optimality conditions."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ronmf.numerics import nonnegative_quadratic as nonnegative
from ronmf.numerics.block_pivoting import nonnegative_least_squares
from ronmf.numerics.nonnegative_quadratic import nonnegative_quadratic


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


def test_projected_newton_is_exact_where_the_exchange_is_not_allowed_to_help(monkeypatch):
    """The fallback on its own, from a start that the active set method has not improved."""
    rng = np.random.default_rng(0)
    M = rng.standard_normal((12, 10))
    H, rhs = M.T @ M + 0.1 * np.eye(10), rng.standard_normal((10, 3))
    monkeypatch.setattr(nonnegative, "_exchange", lambda A, *rest: (A, np.inf))
    A = nonnegative_quadratic(np.ones((10, 3)), lambda B: H @ B, rhs, np.diag(H)[:, None], 1e-9)
    np.testing.assert_allclose(A, nonnegative_least_squares(H, rhs, np.ones((10, 3))), atol=1e-6)
