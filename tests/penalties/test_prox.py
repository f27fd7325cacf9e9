"""Every proximal operator against brute force."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone

from ronmf.penalties import (
    ETP,
    MCP,
    SCAD,
    CappedL1,
    L2p,
)
from support.penalties import CASES, V, norms, objective, penalties, steps

# Both sides of every change of regime: tau, tau - 1, tau + 1, 2 theta / sigma, gamma^2 k = 1.
STEPS = [0.01, 0.1, 0.6, 1.0, 1.2, 1.5, 2.7, 3.0, 3.5, 4.7, 6.0, 20.0]


@pytest.mark.parametrize("penalty", CASES, ids=repr)
def test_prox_beats_every_grid_point(penalty):
    grid = np.concatenate([np.linspace(0.0, 8.2, 2051), np.geomspace(1e-9, 4e-3, 60)])
    for step in STEPS:
        best = objective(penalty, grid[:, None], V, step).min(axis=0)
        x = penalty.prox(V, step)
        reached = objective(penalty, x, V, step)
        assert np.all(reached <= best + 1e-12 * (1 + best)), step
        # A value that is wrong at the result alone would make the result look too good.
        assert np.all(reached >= best - 1e-3), step


@pytest.mark.parametrize("penalty", CASES, ids=repr)
def test_prox_is_stationary_where_it_is_smooth(penalty):
    for step in (0.1, 1.0, 5.0):
        x = penalty.prox(V, step)
        inside = (x > 1e-6) & (np.abs(x - getattr(penalty, "theta", -1.0)) > 1e-9)
        x, v = x[inside], V[inside]
        assert_allclose(x + step * x * penalty.weight(x), v, rtol=1e-7)


@settings(max_examples=150, deadline=None)
@given(penalties(), steps, norms)
def test_prox_shrinks_and_is_monotone(penalty, step, v):
    v = np.sort(np.append(v, 0.0))
    x = penalty.prox(v, step)
    assert x[0] == 0
    assert np.all((x >= 0) & (x <= v))
    assert np.all(np.diff(x) >= -1e-7)


@settings(max_examples=150, deadline=None)
@given(penalties(), steps, norms, st.lists(st.floats(0.0, 1.2), min_size=5, max_size=20))
def test_prox_beats_random_competitors(penalty, step, v, shares):
    x = penalty.prox(v, step)
    best = objective(penalty, x, v, step)
    slack = 1e-11 * (1 + v**2 + best)
    for share in shares:
        assert np.all(best <= objective(penalty, share * v, v, step) + slack)
        # Nearby points catch what a far competitor does not.
        near = np.maximum(x + 1e-3 * (share - 0.6), 0)
        assert np.all(best <= objective(penalty, near, v, step) + slack)


@settings(max_examples=150, deadline=None)
@given(penalties(), steps, norms)
def test_float32_agrees_with_float64(penalty, step, v):
    v = v.astype(np.float32).astype(float)
    single = v.astype(np.float32)
    for method in (penalty.value, penalty.weight):
        assert method(single).dtype == np.float32
        assert np.all(np.isfinite(method(single)))
    away = np.abs(v - getattr(penalty, "theta", -1.0)) > 1e-4
    assert_allclose(penalty.value(single), penalty.value(v), rtol=2e-5, atol=1e-6)
    # Where phi gets flat the slope is a difference of nearly equal numbers: absolute accuracy.
    slope, slope64 = penalty.weight(single) * single, penalty.weight(v) * v
    assert_allclose(slope[away], slope64[away], rtol=2e-4, atol=1e-5)
    x = penalty.prox(single, step)
    assert x.dtype == np.float32
    # Objectives are compared, not points: next to a jump both sides are equally good.
    reached = objective(penalty, x.astype(float), v, step)
    best = objective(penalty, penalty.prox(v, step), v, step)
    assert np.all(reached <= best + 1e-5 * (1 + v**2 + best))


def test_parameters_and_steps_as_numpy_scalars_keep_float32():
    for penalty in CASES:
        params = {k: np.float64(p) for k, p in penalty.get_params().items() if k != "rule"}
        penalty = clone(penalty).set_params(**params)
        v = V.astype(np.float32)
        for x in (penalty.prox(v, np.float64(0.5)), penalty.value(v), penalty.weight(v)):
            assert x.dtype == np.float32


@pytest.mark.parametrize("penalty", [*CASES, ETP(gamma=5e3), ETP(gamma=1e-6)], ids=repr)
def test_extreme_norms_and_steps_raise_no_floating_point_error(penalty):
    for dtype in (np.float32, np.float64):
        v = np.array([0.0, 1e-45, 1e-30, 1e-12, 1e6, 1e15], dtype=dtype)
        with np.errstate(over="raise", divide="raise", invalid="raise"):
            for step in (1e-6, 1.0, 1e6):
                x = penalty.prox(v, step)
                assert np.all((x >= 0) & (x <= v))
            weight = penalty.weight(v)
        assert np.all((weight >= 0) & np.isfinite(weight))
        assert_array_equal(penalty.value(v[:1]), [0])


@pytest.mark.parametrize(
    ("penalty", "step", "switch", "after"),
    [
        (MCP(sigma=0.5, tau=2.0), 8.0, 2.0, 2.0),
        (SCAD(sigma=1.0, tau=3.0), 3.0, 3.5, 3.5),
        (SCAD(sigma=1.0, tau=3.0), 16.0, 8.0, 8.0),
        (CappedL1(sigma=1.0, theta=1.0), 1.0, 1.5, 1.5),
        (CappedL1(sigma=1.0, theta=1.0), 8.0, 4.0, 4.0),
        (L2p(p=0.5), 1.0, 1.5, 1.0),
        (L2p(sigma=0.5, p=0.5), 2.0, 1.5, 1.0),
    ],
)
def test_jump_is_where_theory_puts_it_and_ties_go_down(penalty, step, switch, after):
    before, tie, beyond = penalty.prox(np.array([switch - 1e-9, switch, switch + 1e-9]), step)
    assert tie == pytest.approx(before, abs=1e-8)
    assert beyond == pytest.approx(after, abs=1e-6)
    assert beyond - tie > 0.5
