import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import nnls

from ronmf.numerics.arrays import to_numpy
from ronmf.numerics.block_pivoting import nonnegative_rows


@settings(deadline=None, max_examples=60)
@given(
    seed=st.integers(0, 10**6),
    k=st.integers(1, 12),
    extra=st.integers(0, 8),
    positive=st.booleans(),
    shifted=st.booleans(),
)
def test_equals_scipys_nnls(seed, k, extra, positive, shifted):
    rng = np.random.default_rng(seed)
    n = 7
    D = rng.random((k, k + extra)) if positive else rng.standard_normal((k, k + extra))
    X = rng.standard_normal((n, k + extra))
    omega, shift = rng.uniform(0.5, 2, n), rng.uniform(0.1, 1, n) * shifted
    rows = nonnegative_rows(D @ D.T, omega, omega[:, None] * (X @ D.T), shift)
    assert rows.min() >= 0
    for i in range(n):
        stacked = np.vstack([np.sqrt(omega[i]) * D.T, np.sqrt(shift[i]) * np.eye(k)])
        target = np.concatenate([np.sqrt(omega[i]) * X[i], np.zeros(k)])
        exact, best = nnls(stacked, target)
        # The ridge of 1e-9 on columns of unit length may cost what it weighs at the true solution.
        ridge = 1e-9 * ((stacked**2).sum(axis=0) * exact**2).sum()
        error = np.linalg.norm(stacked @ rows[i] - target)
        assert error <= np.sqrt(best**2 + ridge) + 1e-6 * np.linalg.norm(target)


def test_a_matrix_for_each_row_and_rows_that_do_not_depend_on_each_other():
    rng = np.random.default_rng(0)
    D = rng.standard_normal((40, 5, 9))
    gram, rhs = D @ D.transpose(0, 2, 1), rng.standard_normal((40, 5))
    ones = np.ones(40)
    together = nonnegative_rows(gram, ones, rhs, 0 * ones)
    for i in range(40):
        alone = nonnegative_rows(gram[i : i + 1], ones[:1], rhs[i : i + 1], 0 * ones[:1])
        np.testing.assert_array_equal(alone[0], together[i])


def test_collinear_zero_and_useless_columns():
    D = np.array([[1.0, 0.0, 1.0], [1.0, 0.0, 1.0], [0.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    X = np.array([[2.0, 0.0, 2.0], [0.0, 0.0, 0.0], [0.0, 3.0, 0.0]])
    rows = nonnegative_rows(D @ D.T, np.ones(3), X @ D.T, np.zeros(3))
    np.testing.assert_allclose(rows @ D, X, atol=1e-6)
    assert (rows[:, 2] == 0).all()


@pytest.mark.parametrize("small", [1e-3, 1e-6, 1e-9])
def test_columns_of_any_scale(small):
    rng = np.random.default_rng(1)
    D = rng.random((4, 9)) * np.array([1.0, small, 1.0, small])[:, None]
    X = rng.random((5, 4)) / np.array([1.0, small, 1.0, small]) @ D
    rows = nonnegative_rows(D @ D.T, np.ones(5), X @ D.T, np.zeros(5))
    np.testing.assert_allclose(rows @ D, X, rtol=1e-6)
    np.testing.assert_allclose(rows, [nnls(D.T, x)[0] for x in X], rtol=1e-4)


@pytest.mark.parametrize("library", ["array_api_strict", "torch"])
def test_other_libraries(library):
    xp = pytest.importorskip(library)
    rng = np.random.default_rng(0)
    D, X, ones = rng.standard_normal((4, 9)), rng.standard_normal((30, 9)), np.ones(30)
    expected = nonnegative_rows(D @ D.T, ones, X @ D.T, ones)
    for dtype, tol in ((np.float64, 1e-9), (np.float32, 1e-4)):
        arguments = [xp.asarray(a.astype(dtype)) for a in (D @ D.T, ones, X @ D.T, ones)]
        rows = nonnegative_rows(*arguments)
        assert rows.dtype == arguments[0].dtype
        np.testing.assert_allclose(to_numpy(rows), expected, atol=tol)
