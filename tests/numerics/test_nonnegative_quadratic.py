"""Least squares and quadratics with a bound at zero, by their optimality conditions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ronmf.numerics.block_pivoting import nonnegative_least_squares
from ronmf.numerics.nonnegative_quadratic import kkt_residual, nonnegative_quadratic


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

    A = nonnegative_quadratic(start, lambda B: H @ B, rhs, np.diag(H)[:, None], 1e-9)[0]
    assert (A >= 0).all()
    assert objective(A) <= objective(start) + 1e-12
    exact = nonnegative_least_squares(H, rhs, np.ones((n, 2)))
    assert objective(A) <= objective(exact) + 1e-6 * (1 + abs(objective(exact)))


def test_few_products_give_a_better_start_and_say_how_far_it_is_from_the_end():
    rng = np.random.default_rng(0)
    M = rng.standard_normal((40, 40))
    H, rhs, start = M.T @ M + 0.1 * np.eye(40), rng.standard_normal((40, 3)), np.ones((40, 3))
    products = []

    def solve(count):
        products.clear()
        return nonnegative_quadratic(
            start,
            lambda B: products.append(1) or H @ B,
            rhs,
            np.diag(H)[:, None],
            1e-9,
            max_products=count,
        )

    def objective(A):
        return 0.5 * (A * (H @ A)).sum() - (A * rhs).sum()

    values = []
    for count in (3, 10, 30, 100, 1000):
        A, optimality = solve(count)
        assert optimality == pytest.approx(kkt_residual(A, H @ A - rhs, np.diag(H)[:, None]))
        assert len(products) <= count + 40  # the halvings of the last step
        values.append(objective(A))
    assert values[0] < objective(start)
    assert (np.diff(values) <= 1e-12).all()
    assert optimality <= 1e-9
