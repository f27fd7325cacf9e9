"""The U-step: every result is feasible, whatever the input and the array library."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from ronmf.admm.orthogonal import maximise_partition, project_oblique
from support.basis import PROBLEMS, SOLVERS, assert_feasible, low_rank, value

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
@settings(max_examples=30, deadline=None)
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


@pytest.mark.parametrize("name", DEGENERATE)
def test_degenerate(name):
    for solve in SOLVERS:
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
