"""Penalties: every proximal operator against brute force, limits and the printed rules."""

import decimal
from decimal import Decimal

import array_api_strict
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import lambertw
from sklearn.base import clone

from ronmf.penalties import (
    ETP,
    L21,
    MCP,
    PENALTIES,
    SCAD,
    CappedL1,
    Frobenius,
    L2p,
    Penalty,
    check_penalty,
)
from ronmf.penalties._exponential import lambertw0

CASES = [
    MCP(),
    MCP(sigma=0.7, tau=1.5),
    SCAD(),
    SCAD(sigma=0.6, tau=2.2),
    ETP(),
    ETP(sigma=2.0, gamma=0.3),
    ETP(sigma=0.5, gamma=6.0),
    L21(sigma=1.3),
    L2p(),
    L2p(sigma=2.0, p=0.05),
    L2p(sigma=0.8, p=0.97),
    L2p(p=1.0),
    L2p(p=1.05),
    L2p(sigma=1.4, p=1.6),
    L2p(p=2.0),
    CappedL1(sigma=0.8, theta=1.2),
    CappedL1(theta=0.3),
    Frobenius(sigma=1.7),
]
# Both sides of every change of regime: tau, tau - 1, tau + 1, 2 theta / sigma, gamma^2 k = 1.
STEPS = [0.01, 0.1, 0.6, 1.0, 1.2, 1.5, 2.7, 3.0, 3.5, 4.7, 6.0, 20.0]
V = np.linspace(0.0, 8.0, 161)


def objective(penalty, x, v, step):
    return 0.5 * (x - v) ** 2 + step * penalty.value(x)


def penalties():
    """Draw any penalty with any parameters."""
    sigma = st.floats(0.05, 5.0)
    return st.one_of(
        st.builds(MCP, sigma=sigma, tau=st.floats(1.01, 10.0)),
        st.builds(SCAD, sigma=sigma, tau=st.floats(2.01, 10.0)),
        st.builds(ETP, sigma=sigma, gamma=st.floats(0.01, 20.0)),
        st.builds(L21, sigma=sigma),
        st.builds(L2p, sigma=sigma, p=st.floats(0.02, 2.0)),
        st.builds(CappedL1, sigma=sigma, theta=st.floats(0.01, 10.0)),
        st.builds(Frobenius, sigma=sigma),
    )


steps = st.floats(0.01, 30.0)
norms = st.lists(st.floats(0.0, 60.0), min_size=2, max_size=20).map(np.array)


# --- proximal operators -----------------------------------------------------------------------


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
@pytest.mark.parametrize("step", [0.1, 1.0, 5.0])
def test_prox_is_stationary_where_it_is_smooth(penalty, step):
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


@pytest.mark.parametrize("penalty", CASES, ids=repr)
def test_parameters_and_steps_as_numpy_scalars_keep_float32(penalty):
    params = {k: np.float64(p) for k, p in penalty.get_params().items() if k != "rule"}
    penalty = clone(penalty).set_params(**params)
    v = V.astype(np.float32)
    for x in (penalty.prox(v, np.float64(0.5)), penalty.value(v), penalty.weight(v)):
        assert x.dtype == np.float32


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("penalty", [*CASES, ETP(gamma=5e3), ETP(gamma=1e-6)], ids=repr)
def test_extreme_norms_and_steps_raise_no_floating_point_error(penalty, dtype):
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


# --- values and weights -----------------------------------------------------------------------


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


# --- limits and equivalences ------------------------------------------------------------------


@pytest.mark.parametrize("step", [0.1, 1.0, 5.0])
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
def test_limits(penalty, limit, step):
    assert_allclose(penalty.value(V), limit.value(V), atol=1e-7)
    assert_allclose(penalty.prox(V, step), limit.prox(V, step), atol=1e-6)
    assert_allclose(penalty.weight(V[1:]), limit.weight(V[1:]), rtol=1e-6)


def test_sharp_etp_and_small_power_tend_to_hard_thresholding():
    step = 2.0
    v = V[np.abs(V - np.sqrt(2 * step)) > 0.02]
    hard = np.where(v > np.sqrt(2 * step), v, 0.0)
    assert_allclose(ETP(gamma=5e3).prox(v, step), hard, atol=1e-8)
    assert_allclose(L2p(p=1e-4).prox(v, step), hard, atol=1e-3)


@pytest.mark.parametrize("step", [0.1, 0.9, 2.0])
def test_scaled_mcp_is_the_mcp_with_sigma_times_and_tau_over_step(step):
    penalty, scaled = MCP(sigma=1.2, tau=2.5), MCP(sigma=1.2 * step, tau=2.5 / step)
    assert_allclose(step * penalty.value(V), scaled.value(V), rtol=1e-13)
    assert_allclose(penalty.prox(V, step), scaled.prox(V, 1.0), rtol=1e-12, atol=1e-14)
    # That is the rule of the table once tau is divided as well.
    assert_allclose(table_mcp(V, 1.2 * step, 2.5 / step), scaled.prox(V, 1.0), atol=1e-13)


# --- the printed rules ------------------------------------------------------------------------


def table_mcp(v, sigma, tau):
    return np.where(v <= sigma, 0, np.where(v <= sigma * tau, tau * (v - sigma) / (tau - 1), v))


def table_scad(v, sigma, tau):
    middle = ((tau - 1) * v - sigma * tau) / (tau - 2)
    pieces = [v <= sigma, v <= 2 * sigma, v <= sigma * tau]
    return np.select(pieces, [0 * v, v - sigma, middle], v)


def table_etp(v, sigma, gamma):
    pieces = [v <= sigma, v <= sigma * (1 + 1 / gamma)]
    return np.maximum(np.select(pieces, [0 * v, v - sigma / gamma], v), 0)


@pytest.mark.parametrize("step", [0.1, 1.0, 4.0])
@pytest.mark.parametrize(
    ("cls", "table", "name", "shape"),
    [
        (MCP, table_mcp, "tau", 1.5),
        (SCAD, table_scad, "tau", 2.9),
        (ETP, table_etp, "gamma", 0.5),
        (ETP, table_etp, "gamma", 2.0),
    ],
)
def test_printed_rule_is_the_table_with_sigma_times_step(cls, table, name, shape, step):
    v = np.linspace(0.0, 9.0, 997)
    printed = cls(sigma=0.8, rule="printed", **{name: shape})
    assert_allclose(printed.prox(v, step), table(v, 0.8 * step, shape), atol=1e-13)


@pytest.mark.parametrize(
    ("cls", "tau", "gap"), [(MCP, 1.5, 0.0964), (MCP, 3.0, 0.0931), (SCAD, 3.7, 0.1)]
)
def test_printed_mcp_and_scad_are_exact_at_step_one_only(cls, tau, gap):
    exact, printed = cls(tau=tau), cls(tau=tau, rule="printed")
    v = np.linspace(0.0, 2 * tau, 20001)
    assert_allclose(printed.prox(v, 1.0), exact.prox(v, 1.0), atol=1e-14)
    difference = np.abs(printed.prox(v, 0.1) - exact.prox(v, 0.1))
    assert difference.max() == pytest.approx(gap, abs=1e-3)
    worse = objective(exact, printed.prox(v, 0.1), v, 0.1) - objective(
        exact, exact.prox(v, 0.1), v, 0.1
    )
    assert worse.max() > 1e-3


def test_printed_etp_is_not_a_minimiser():
    exact, printed = ETP(gamma=0.5), ETP(gamma=0.5, rule="printed")
    v = np.array([1.5])
    assert v[0] - 1.0 / 0.5 == -0.5  # what the table says before it is cut at 0
    assert_array_equal(printed.prox(v, 1.0), [0.0])
    x = exact.prox(v, 1.0)
    assert_allclose(x, 0.52037, atol=1e-5)
    assert objective(exact, 0 * v, v, 1.0) - objective(exact, x, v, 1.0) > 0.06
    # Two jumps: at sigma for gamma > 1 and at sigma (1 + 1 / gamma) for any gamma.
    for gamma, place, jump in [(2.0, 1.0, 0.5), (2.0, 1.5, 0.5), (0.5, 3.0, 2.0)]:
        below, above = ETP(gamma=gamma, rule="printed").prox(place + np.array([0, 1e-9]), 1.0)
        assert above - below == pytest.approx(jump, abs=1e-6)


# --- Lambert's W ------------------------------------------------------------------------------


def test_lambertw_agrees_with_scipy():
    x = -np.concatenate([np.linspace(0, 0.3678, 4001), np.geomspace(1e-300, 1e-2, 500)])
    assert_allclose(lambertw0(x), lambertw(x).real, rtol=2e-14, atol=0)
    x32 = x.astype(np.float32)
    assert_allclose(lambertw0(x32), lambertw(x32.astype(float)).real, rtol=5e-6, atol=1e-44)


def test_lambertw_keeps_its_digits_at_the_branch_point():
    # SciPy loses half its digits here, so the reference is Newton's method with 60 digits.
    x = np.append(-np.exp(-1) + np.array([6e-17, 1e-15, 1e-12, 1e-8, 1e-5, 1e-3, 0.05]), -0.25)
    with decimal.localcontext() as context:
        context.prec = 60
        reference = []
        for number in map(Decimal, x.tolist()):
            w = Decimal("-0.3")  # f is convex and increasing right of -1: descends to the root
            for _ in range(120):
                w -= (w - number * (-w).exp()) / (1 + w)
            reference.append(float(w))
    assert_allclose(lambertw0(x), reference, rtol=1e-9)  # 1e-15 with NumPy 2
    assert_array_equal(lambertw0(np.array([-np.exp(-1), -0.4, 0.0])), [-1.0, -1.0, 0.0])


# --- other array libraries --------------------------------------------------------------------


@pytest.mark.parametrize("penalty", CASES, ids=repr)
def test_array_api_strict_agrees_with_numpy(penalty):
    with array_api_strict.ArrayAPIStrictFlags(api_version="2024.12"):
        for dtype in ("float32", "float64"):
            v = V.astype(dtype)
            strict = array_api_strict.asarray(v)
            pairs = [(penalty.value(strict), penalty.value(v))]
            pairs += [(penalty.weight(strict), penalty.weight(v))]
            pairs += [(penalty.prox(strict, step), penalty.prox(v, step)) for step in (0.2, 1, 5)]
            if "rule" in penalty.get_params():
                printed = clone(penalty).set_params(rule="printed")
                pairs.append((printed.prox(strict, 0.5), printed.prox(v, 0.5)))
            for got, expected in pairs:
                assert isinstance(got, type(strict))
                assert got.dtype == strict.dtype
                assert_allclose(np.asarray(got), expected, rtol=1e-6)


@pytest.mark.parametrize("penalty", CASES, ids=repr)
def test_torch_agrees_with_numpy(penalty):
    torch = pytest.importorskip("torch")
    for dtype in (torch.float32, torch.float64):
        tensor = torch.asarray(V, dtype=dtype)
        rtol = 1e-4 if dtype == torch.float32 else 1e-12
        for method, args in [
            (penalty.value, ()),
            (penalty.weight, ()),
            (penalty.prox, (0.2,)),
            (penalty.prox, (1.1,)),
            (penalty.prox, (5.3,)),
        ]:
            got = method(tensor, *args)
            assert got.dtype == dtype
            # In the same precision: at a kink, rounding alone decides on the side.
            expected = method(tensor.numpy(), *args)
            assert_allclose(got.numpy(), expected, rtol=rtol, atol=rtol)


# --- estimator conventions and errors ---------------------------------------------------------


@pytest.mark.parametrize("penalty", CASES, ids=repr)
def test_clone_and_set_params(penalty):
    copy = clone(penalty)
    assert copy is not penalty
    assert copy.get_params() == penalty.get_params()
    copy.set_params(sigma=9.0)
    assert copy.sigma == 9.0
    assert penalty.sigma != 9.0
    t = np.array([1e-3])
    assert copy.value(t) > penalty.value(t)  # the new parameter is used, nothing is cached


@pytest.mark.parametrize("name", PENALTIES)
def test_check_penalty_from_name_and_instance(name):
    penalty = check_penalty(name)
    assert type(penalty) is PENALTIES[name]
    assert isinstance(penalty, Penalty)
    assert check_penalty(penalty) is penalty


@pytest.mark.parametrize("wrong", ["mcpp", "", None, 3, MCP, ["mcp"]])
def test_unknown_penalty(wrong):
    with pytest.raises(ValueError, match=r"^penalty must be one of 'mcp', .*'frobenius' or a "):
        check_penalty(wrong)


@pytest.mark.parametrize(
    ("penalty", "sentence"),
    [
        (MCP(sigma=0), "sigma of MCP must be a finite number greater than 0; got 0."),
        (L21(sigma=-1.0), "sigma of L21 must be a finite number greater than 0; got -1.0."),
        (L21(sigma=True), "sigma of L21 must be a finite number greater than 0; got True."),
        (L21(sigma="1"), "sigma of L21 must be a finite number greater than 0; got '1'."),
        (L21(sigma=np.nan), "sigma of L21 must be a finite number greater than 0; got nan."),
        (MCP(tau=1.0), "tau of MCP must be a finite number greater than 1; got 1.0."),
        (MCP(tau=np.inf), "tau of MCP must be a finite number greater than 1; got inf."),
        (SCAD(tau=2), "tau of SCAD must be a finite number greater than 2; got 2."),
        (ETP(gamma=0.0), "gamma of ETP must be a finite number greater than 0; got 0.0."),
        (L2p(p=0), "p of L2p must be a finite number greater than 0 and at most 2; got 0."),
        (L2p(p=2.1), "p of L2p must be a finite number greater than 0 and at most 2; got 2.1."),
        (CappedL1(theta=0), "theta of CappedL1 must be a finite number greater than 0; got 0."),
        (ETP(rule="paper"), "rule of ETP must be 'exact' or 'printed'; got 'paper'."),
    ],
    ids=repr,
)
def test_wrong_parameters(penalty, sentence):
    with pytest.raises(ValueError) as error:  # noqa: PT011
        check_penalty(penalty)
    assert str(error.value) == sentence
