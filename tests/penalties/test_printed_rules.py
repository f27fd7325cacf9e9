"""The rules as the paper prints them, and where they are not minimisers."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from ronmf.penalties import (
    ETP,
    MCP,
    SCAD,
)
from support.penalties import V, objective


def test_values_are_those_of_the_table():
    x = np.array([0.0, 0.3, 0.8, 1.1, 1.5, 2.3, 2.4, 3.0, 7.0])
    sigma, tau, gamma = 0.8, 3.0, 0.7
    plateau = np.full_like(x, sigma**2 * tau / 2)
    mcp = np.where(x <= sigma * tau, sigma * x - x**2 / (2 * tau), plateau)
    assert_allclose(MCP(sigma=sigma, tau=tau).value(x), mcp, atol=1e-15)
    middle = (sigma * tau * x - (x**2 + sigma**2) / 2) / (tau - 1)
    pieces = [x <= sigma, x <= sigma * tau]
    scad = np.select(pieces, [sigma * x, middle], sigma**2 * (tau + 1) / 2)
    assert_allclose(SCAD(sigma=sigma, tau=tau).value(x), scad, atol=1e-15)
    etp = sigma / (1 - np.exp(-gamma)) * (1 - np.exp(-gamma * x))
    assert_allclose(ETP(sigma=sigma, gamma=gamma).value(x), etp, atol=1e-15)


def test_scaled_mcp_is_the_mcp_with_sigma_times_and_tau_over_step():
    for step in (0.1, 0.9, 2.0):
        penalty, scaled = MCP(sigma=1.2, tau=2.5), MCP(sigma=1.2 * step, tau=2.5 / step)
        assert_allclose(step * penalty.value(V), scaled.value(V), rtol=1e-13)
        assert_allclose(penalty.prox(V, step), scaled.prox(V, 1.0), rtol=1e-12, atol=1e-14)
        # That is the rule of the table once tau is divided as well.
        assert_allclose(table_mcp(V, 1.2 * step, 2.5 / step), scaled.prox(V, 1.0), atol=1e-13)


def table_mcp(v, sigma, tau):
    return np.where(v <= sigma, 0, np.where(v <= sigma * tau, tau * (v - sigma) / (tau - 1), v))


def table_scad(v, sigma, tau):
    middle = ((tau - 1) * v - sigma * tau) / (tau - 2)
    pieces = [v <= sigma, v <= 2 * sigma, v <= sigma * tau]
    return np.select(pieces, [0 * v, v - sigma, middle], v)


def table_etp(v, sigma, gamma):
    pieces = [v <= sigma, v <= sigma * (1 + 1 / gamma)]
    return np.maximum(np.select(pieces, [0 * v, v - sigma / gamma], v), 0)


@pytest.mark.parametrize(
    ("cls", "table", "name", "shape"),
    [
        (MCP, table_mcp, "tau", 1.5),
        (SCAD, table_scad, "tau", 2.9),
        (ETP, table_etp, "gamma", 0.5),
        (ETP, table_etp, "gamma", 2.0),
    ],
)
def test_printed_rule_is_the_table_with_sigma_times_step(cls, table, name, shape):
    for step in (0.1, 1.0, 4.0):
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
