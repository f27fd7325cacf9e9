"""The U-step: feasibility, optimality on small problems, and the two solvers side by side."""

import itertools
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import linear_sum_assignment
from sklearn.datasets import load_digits

from ronmf.admm.basis import maximise_partition, maximise_penalty, project_oblique

SOLVERS = [maximise_partition, maximise_penalty]


def value(C, U):
    return float(np.sum(C * U))


def assert_feasible(U, tol=1e-10):
    assert np.all(U >= 0)
    assert np.all(np.count_nonzero(U, axis=1) <= 1)
    assert np.all(np.count_nonzero(U, axis=0) >= 1)
    assert np.max(np.abs(U.T @ U - np.eye(U.shape[1]))) <= tol


def partition_value(C, label):
    """Value of the best U on the parts; features of no part have label -1."""
    total = 0.0
    for j in range(C.shape[1]):
        c = C[label == j, j]
        if c.size == 0:
            return -np.inf
        total += np.linalg.norm(np.clip(c, 0, None)) if c.max() > 0 else c.max()
    return total


def labels(U):
    return np.where(U.any(axis=1), U.argmax(axis=1), -1)


def brute_force(C):
    d, r = C.shape
    return max(partition_value(C, np.array(p)) for p in itertools.product(range(r), repeat=d))


def sweeps(C, max_sweeps=60):
    """Sequential reference: one feature after the other, to its best part, until none moves."""
    P = np.clip(C, 0, None) ** 2
    label = (P / P.sum(axis=0)).argmax(axis=1)
    q = np.bincount(label, P[np.arange(len(P)), label], minlength=P.shape[1])
    for _ in range(max_sweeps):
        moved = False
        for i, p in enumerate(P):
            a = label[i]
            q[a] = max(q[a] - p[a], 0.0)
            gain = np.sqrt(q + p) - np.sqrt(q)
            b = gain.argmax()
            if gain[b] > gain[a] * (1 + 1e-12) + 1e-14:
                label[i], moved = b, True
            q[label[i]] += p[label[i]]
        if not moved:
            break
    return np.sqrt(q).sum()


def upper_bound(C, steps=300):
    """Bound on every partition: the dual of the fractional problem along Frank-Wolfe steps."""
    P = np.clip(C, 0, None) ** 2
    q, bound = P.sum(axis=0) / P.shape[1], np.inf
    for k in range(steps):
        worth = P / np.sqrt(q)
        bound = min(bound, (worth.max(axis=1).sum() + np.sqrt(q).sum()) / 2)
        label = worth.argmax(axis=1)
        mass = np.bincount(label, P[np.arange(len(P)), label], minlength=P.shape[1])
        q = q + 2 / (k + 3) * (mass - q)
    return bound


def low_rank(d, r, rank, seed=0):
    rng = np.random.default_rng(seed)
    return rng.random((d, rank)) ** 2 @ rng.random((rank, r))


def digits():
    X, y = load_digits(return_X_y=True)
    return X.T @ np.eye(10)[y]


PROBLEMS = {
    "digits": digits,
    "gauss 784x10": lambda: np.random.default_rng(0).standard_normal((784, 10)),
    "low rank 784x10": lambda: low_rank(784, 10, 5),
    "gauss 1024x100": lambda: np.random.default_rng(1).standard_normal((1024, 100)),
    "low rank 1024x100": lambda: low_rank(1024, 100, 20),
}


# Small problems, where the optimum is known.


@pytest.mark.parametrize(("shift", "share"), [(0.0, 0.95), (-1.0, 0.85), (1.5, 0.95)])
def test_brute_force(shift, share):
    rng = np.random.default_rng(int(10 * shift) % 7)
    equal = []
    for d, r in [(3, 1), (4, 2), (4, 3), (5, 3), (6, 2), (6, 3), (7, 2)] * 6 + [(7, 3)] * 3:
        C = rng.standard_normal((d, r)) + shift
        U = maximise_partition(C)
        got, best = value(C, U), brute_force(C)
        assert got <= best + 1e-12
        assert got >= best - 0.2 * np.linalg.norm(C)
        if shift > 0:
            assert got >= 0.9 * best
        equal.append(got >= best - 1e-12)
    # Measured: all of these problems are solved exactly, but for some with few positive entries,
    # where a part of one feature is locked: no single move may empty it.
    assert np.mean(equal) >= share


@pytest.mark.parametrize("shift", [0.0, -1.0])
def test_no_single_move_improves(shift):
    rng = np.random.default_rng(5)
    for d, r in [(5, 2), (8, 3), (12, 5), (30, 4)]:
        for _ in range(5):
            C = rng.standard_normal((d, r)) + shift
            U = maximise_partition(C)
            label = labels(U)
            got = partition_value(C, label)
            assert got == pytest.approx(value(C, U), abs=1e-12)
            for i, j in itertools.product(range(d), range(-1, r)):
                moved = label.copy()
                moved[i] = j
                assert partition_value(C, moved) <= got + 1e-12


def test_square_is_an_assignment():
    rng = np.random.default_rng(3)
    ratio = []
    for d in [1, 2, 3, 5, 8, 15]:
        C = rng.random((d, d))
        U = maximise_partition(C)
        assert_feasible(U)
        assert set(np.unique(U)) <= {0.0, 1.0}
        ratio.append(value(C, U) / C[linear_sum_assignment(C, maximize=True)].sum())
    assert max(ratio) <= 1 + 1e-12
    assert min(ratio) >= 0.9


@pytest.mark.parametrize("solve", SOLVERS)
def test_one_column_is_the_projection(solve):
    C = np.random.default_rng(0).standard_normal((9, 1))
    np.testing.assert_allclose(solve(C), project_oblique(C), atol=1e-15)
    np.testing.assert_array_equal(solve(-np.abs(C)), project_oblique(-np.abs(C)))


# Larger problems: sequential sweeps, a bound, and the other solver.


@pytest.mark.parametrize("name", PROBLEMS)
def test_not_below_sequential_sweeps_and_near_the_bound(name):
    C = PROBLEMS[name]()
    U = maximise_partition(C)
    assert_feasible(U)
    got, bound = value(C, U), upper_bound(C)
    # Measured relative to the sweeps: +1.4e-3, 0, +5e-5, +3e-5, +8e-4.
    assert got >= sweeps(C) * (1 - 1e-5)
    # Measured: 1.2e-3 below the bound (digits, 64 features), else at most 2e-4.
    assert bound * (1 - 2e-3) <= got <= bound * (1 + 1e-12)


@pytest.mark.parametrize("name", PROBLEMS)
def test_partition_not_below_penalty(name):
    C = PROBLEMS[name]()
    U = maximise_penalty(C)
    assert_feasible(U)
    got = value(C, maximise_partition(C))
    # Measured: the penalty route is 2e-5 to 1.5e-2 lower, most where columns are alike.
    assert got * 0.95 <= value(C, U) <= got * (1 + 1e-6)


@pytest.mark.parametrize("shape", [(300, 7), (200, 60)])
def test_rank_one(shape):
    # All features alike: a step that moves each to its best part moves them all to one part.
    rng = np.random.default_rng(0)
    C = np.outer(rng.random(shape[0]), rng.random(shape[1]))
    U = maximise_partition(C)
    assert_feasible(U)
    assert value(C, U) >= sweeps(C) * (1 - 0.02)


# Properties of every result.

entries = st.one_of(
    st.floats(-10, 10, width=32), st.sampled_from([0.0, 1.0, -1.0, 1e-200, 1e-300, 1e150])
)
matrices = st.integers(1, 9).flatmap(
    lambda d: st.integers(1, d).flatmap(lambda r: arrays(float, (d, r), elements=entries))
)


@st.composite
def feasible(draw, d, r):
    """Draw a feasible U: a part of each feature, none empty, and positive entries."""
    rng = np.random.default_rng(draw(st.integers(0, 2**16)))
    label = rng.permutation(np.concatenate([np.arange(r), rng.integers(-1, r, d - r)]))
    return project_oblique((label[:, None] == np.arange(r)) * rng.uniform(0.1, 1.0, (d, r)))


@pytest.mark.parametrize("solve", SOLVERS)
@settings(max_examples=80, deadline=None)
@given(data=st.data())
def test_feasible_and_not_worse_than_the_start(solve, data):
    C = data.draw(matrices)
    U0 = data.draw(feasible(*C.shape))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cold, warm = solve(C), solve(C, U0)
        again = solve(C, warm)
    for U in (cold, warm, again):
        assert_feasible(U)
    assert value(C, warm) >= value(C, U0)
    assert value(C, again) >= value(C, warm)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**16), power=st.integers(-300, 300), factor=st.floats(0.1, 10))
def test_scale_does_not_matter(seed, power, factor):
    C = np.random.default_rng(seed).standard_normal((12, 4))
    U = maximise_partition(C)
    np.testing.assert_array_equal(maximise_partition(C * 2.0**power) > 0, U > 0)
    np.testing.assert_array_equal(maximise_partition(C * factor) > 0, U > 0)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**16))
def test_order_of_the_columns(seed):
    rng = np.random.default_rng(seed)
    C = rng.standard_normal((50, 5))
    permuted = C[:, rng.permutation(5)]
    # Equal to rounding in 100 of 100 draws; another local optimum would still be this close.
    expected = pytest.approx(value(C, maximise_partition(C)), rel=1e-3)
    assert value(permuted, maximise_partition(permuted)) == expected


@pytest.mark.parametrize("solve", SOLVERS)
@settings(max_examples=30, deadline=None)
@given(data=st.data(), d=st.integers(1, 10), scale=st.floats(1e-3, 1e3))
def test_projecting_a_feasible_matrix_returns_it(solve, data, d, scale):
    U = data.draw(feasible(d, data.draw(st.integers(1, d))))
    np.testing.assert_allclose(solve(scale * U), U, atol=1e-12)
    np.testing.assert_allclose(solve(scale * U, U), U, atol=1e-12)


# Degenerate input.

DEGENERATE = {
    "zero": np.zeros((5, 3)),
    "constant": np.ones((7, 3)),
    "negative constant": -np.ones((4, 4)),
    "all negative": -np.random.default_rng(0).random((6, 3)) - 0.1,
    "one negative column": np.array([[1.0, -3], [2, -2], [3, -1], [4, -5]]),
    "zero rows": np.vstack([np.zeros((5, 2)), np.eye(2)]),
    "equal columns": np.repeat(np.arange(1.0, 9)[:, None], 3, axis=1),
    "one useful feature": np.vstack([np.ones((1, 3)), np.zeros((4, 3))]),
    "all features prefer one part": np.array([[9.0, 0.1, 0.1]] * 3),
    "single entry": np.array([[-2.0]]),
    "tiny and huge": np.array([[1e-300, 1e300], [1e-300, 1e-300], [0, 1e150]]),
}


@pytest.mark.parametrize("solve", SOLVERS)
@pytest.mark.parametrize("name", DEGENERATE)
def test_degenerate(name, solve):
    C = DEGENERATE[name]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        U = solve(C)
    assert_feasible(U)
    np.testing.assert_array_equal(U, solve(C.copy()))


def test_empty_parts_take_the_cheapest_feature():
    # Part 1 has no positive entry: it takes feature 2, where the entry is largest and the loss
    # of part 0 is nothing.
    C = np.array([[3.0, -9.0], [4.0, -9.0], [0.0, -1.0], [0.0, -2.0]])
    expected = np.array([[0.6, 0.0], [0.8, 0.0], [0.0, 1.0], [0.0, 0.0]])
    for solve in SOLVERS:
        np.testing.assert_allclose(solve(C), expected, atol=1e-15)
    # Each part needs one of the two features, although both prefer part 0.
    C = np.array([[1.0, 0.1], [0.5, -5.0]])
    np.testing.assert_array_equal(maximise_partition(C), [[0.0, 1.0], [1.0, 0.0]])


@pytest.mark.parametrize("solve", SOLVERS)
def test_refusals(solve):
    with pytest.raises(ValueError, match=r"shape \(2, 3\)"):
        solve(np.ones((2, 3)))
    with pytest.raises(ValueError, match="U has shape"):
        solve(np.ones((3, 2)), np.ones((3, 1)))
    with pytest.raises(ValueError, match="finite"):
        solve(np.array([[1.0], [np.nan]]))
    with pytest.raises(ValueError, match="floating"):
        solve(np.ones((3, 2), dtype=int))


@pytest.mark.parametrize("solve", SOLVERS)
def test_infeasible_start_is_rounded(solve):
    C = np.random.default_rng(0).standard_normal((8, 3))
    for U0 in (np.ones((8, 3)), np.zeros((8, 3)), -np.ones((8, 3)), 1e6 * np.abs(C)):
        assert_feasible(solve(C, U0))


def test_max_rounds_bounds_the_work():
    C = low_rank(200, 8, 4)
    values = [value(C, maximise_partition(C, max_rounds=k)) for k in (0, 1, 1000)]
    assert values == sorted(values)
    assert_feasible(maximise_partition(C, max_rounds=0))


# Arrays of other libraries.


@pytest.mark.parametrize("solve", SOLVERS)
def test_float32(solve):
    C = PROBLEMS["low rank 784x10"]()
    U = solve(C.astype(np.float32))
    assert U.dtype == np.float32
    assert_feasible(U, 1e-6)
    assert value(C, U) == pytest.approx(value(C, solve(C)), rel=1e-2)
    assert solve(C.astype(np.float32), solve(C)).dtype == np.float32


@pytest.mark.parametrize("solve", SOLVERS)
@pytest.mark.parametrize("library", ["array_api_strict", "torch"])
def test_other_arrays_agree_with_numpy(library, solve):
    xp = pytest.importorskip(library)
    unique = [np.random.default_rng(0).standard_normal((30, 4)), low_rank(60, 6, 3)]
    for k, C in enumerate([*unique, *DEGENERATE.values()]):
        for start in (None, project_oblique(np.eye(*C.shape))):
            expected = solve(C, start)
            got = solve(xp.asarray(C), None if start is None else xp.asarray(start))
            assert type(got) is type(xp.asarray(C))
            assert got.dtype == xp.float64
            got = np.asarray(got)
            assert_feasible(got)
            assert value(C, got) == pytest.approx(value(C, expected), rel=1e-12)
            if k < len(unique):  # elsewhere ties may break by rounding
                np.testing.assert_allclose(got, expected, atol=1e-12)
    assert solve(xp.ones((4, 2), dtype=xp.float32)).dtype == xp.float32
