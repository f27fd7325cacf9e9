"""Values and weights by hand, and penalties that become one another in a limit."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from ronmf.penalties import (
    ETP,
    L21,
    MCP,
    SCAD,
    CappedL1,
    Frobenius,
    L2p,
)
from support.penalties import CASES, V, penalties


@settings(max_examples=100, deadline=None)
@given(penalties(), st.floats(0.01, 30.0), st.floats(0.01, 30.0))
def test_value_is_non_decreasing_and_concave_unless_convex(penalty, a, b):
    a, b = min(a, b), max(a, b)
    fa, middle, fb = penalty.value(np.array([a, (a + b) / 2, b]))
    slack = 1e-12 * (1 + fb)
    assert 0 <= fa <= fb + slack
    convex = isinstance(penalty, Frobenius) or (isinstance(penalty, L2p) and penalty.p > 1)
    sign = -1 if convex else 1
    assert sign * (middle - (fa + fb) / 2) >= -slack


def test_values_by_hand():
    t = np.array([0.5, 2.0, 9.0])
    assert_allclose(MCP(sigma=2.0, tau=1.5).value(t), [1 - 0.25 / 3, 4 - 4 / 3, 3.0])
    assert_allclose(SCAD(sigma=1.0, tau=3.0).value(t), [0.5, (6 - 2.5) / 2, 2.0])
    assert_allclose(ETP(sigma=2.0, gamma=0.7).value(np.array([0.0, 1.0])), [0.0, 2.0])
    assert_allclose(L2p(sigma=2.0, p=0.5).value(t), 2 * np.sqrt(t))
    assert_allclose(CappedL1(sigma=2.0, theta=1.0).value(t), [1, 2, 2])
    assert_allclose(L21(sigma=3.0).value(t), 3 * t)
    assert_allclose(Frobenius(sigma=3.0).value(t), 1.5 * t**2)


@pytest.mark.parametrize("penalty", CASES, ids=repr)
def test_weight_is_the_derivative_over_t(penalty):
    t = np.linspace(0.013, 7.0, 200)  # no knot of any case lies within h of these points
    h = 1e-5
    slope = (penalty.value(t + h) - penalty.value(t - h)) / (2 * h)
    assert_allclose(penalty.weight(t), slope / t, rtol=1e-5, atol=1e-6)


def test_weight_at_zero_is_finite_and_marks_outliers():
    t = np.array([0.0, 1e-13, 1e-12, 0.1, 100.0])
    weight = L21().weight(t)
    assert_allclose(weight, [1e12, 1e12, 1e12, 10.0, 0.01])
    assert MCP().weight(t)[-1] == SCAD().weight(t)[-1] == CappedL1().weight(t)[-1] == 0
    assert_allclose(Frobenius(sigma=2.0).weight(t), 2.0)


@pytest.mark.parametrize(
    ("penalty", "limit"),
    [
        (MCP(sigma=1.3, tau=1e9), L21(sigma=1.3)),
        (SCAD(sigma=1.3, tau=1e9), L21(sigma=1.3)),
        (ETP(sigma=1.3, gamma=1e-9), L21(sigma=1.3)),
        (CappedL1(sigma=1.3, theta=1e9), L21(sigma=1.3)),
        (L2p(sigma=1.3, p=1.0), L21(sigma=1.3)),
        (L2p(sigma=1.3, p=2.0), Frobenius(sigma=2.6)),
        (L2p(sigma=1.3, p=2 - 1e-9), Frobenius(sigma=2.6)),
        (L2p(sigma=1.3, p=1 + 1e-9), L21(sigma=1.3)),
        (L2p(sigma=1.3, p=1 - 1e-9), L21(sigma=1.3)),
    ],
)
def test_limits(penalty, limit):
    for step in (0.1, 1.0, 5.0):
        assert_allclose(penalty.value(V), limit.value(V), atol=1e-7)
        assert_allclose(penalty.prox(V, step), limit.prox(V, step), atol=1e-6)
        assert_allclose(penalty.weight(V[1:]), limit.weight(V[1:]), rtol=1e-6)


def test_sharp_etp_and_small_power_tend_to_hard_thresholding():
    step = 2.0
    v = V[np.abs(V - np.sqrt(2 * step)) > 0.02]
    hard = np.where(v > np.sqrt(2 * step), v, 0.0)
    assert_allclose(ETP(gamma=5e3).prox(v, step), hard, atol=1e-8)
    assert_allclose(L2p(p=1e-4).prox(v, step), hard, atol=1e-3)
