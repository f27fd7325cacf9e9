import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar, nnls

from ronmf.baselines import TruncatedCauchyNMF
from ronmf.baselines._multiplicative import cauchy_fit
from ronmf.baselines._multiplicative.cauchy_fit import (
    CauchyCoefficients,
    TruncatedCauchyFit,
    nagy_scale,
    three_sigma_threshold,
)
from ronmf.numerics.arrays import row_blocks


@given(st.integers(0, 10**6), st.floats(1e-4, 1e4))
def test_nagys_scale_maximises_the_likelihood(seed, unit):
    e = unit * np.abs(np.random.default_rng(seed).standard_cauchy(200))

    def loss(log_scale):
        return np.log1p((e / np.exp(log_scale)) ** 2).sum() + len(e) * log_scale

    best = minimize_scalar(loss, bounds=(np.log(unit) - 5, np.log(unit) + 5), method="bounded")
    assert loss(np.log(nagy_scale(e))) <= best.fun + 1e-8 * len(e)


def test_threshold_keeps_the_smaller_half_and_drops_what_is_far():
    e = np.concatenate([np.linspace(0, 1, 101), [5.0, 9.0]])
    assert np.median(e) < three_sigma_threshold(e) < 5.0


def test_nothing_left_to_explain():
    assert nagy_scale(np.array([])) == 1.0
    assert three_sigma_threshold(np.array([])) == np.inf


def test_blocks_do_not_matter(monkeypatch):
    rng = np.random.default_rng(0)
    X, factors = rng.random((23, 7)), {"V": rng.random((23, 3)), "U": rng.random((7, 3))}
    fit = TruncatedCauchyFit(X, 0.2, 0.5)
    whole = fit.value(factors), *fit.split("V", factors), *fit.split("U", factors)
    monkeypatch.setattr(cauchy_fit, "row_blocks", lambda X: row_blocks(X, 5))
    parts = fit.value(factors), *fit.split("V", factors), *fit.split("U", factors)
    for a, b in zip(whole, parts, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12)


def test_a_huge_scale_is_least_squares():
    rng = np.random.default_rng(1)
    X, U = rng.random((9, 8)), rng.random((8, 3))
    robust = CauchyCoefficients(1e6, np.inf, U)
    expected = [nnls(U, x)[0] for x in X]
    np.testing.assert_allclose(robust.coefficients(X, None, None), expected, atol=1e-6)


def test_coefficients_of_new_samples_are_stationary():
    """No small non-negative change of coefficients lowers its own loss."""
    rng = np.random.default_rng(2)
    U = rng.random((12, 3))
    X = rng.random((6, 3)) @ U.T + 0.05 * rng.random((6, 12))
    fit, robust = TruncatedCauchyFit(X, 0.1, np.inf), CauchyCoefficients(0.1, np.inf, U)
    V = robust.coefficients(X, None, None)
    value = fit.value({"V": V, "U": U})
    for _ in range(50):
        near = np.maximum(V + 1e-3 * rng.standard_normal(V.shape), 0)
        assert fit.value({"V": near, "U": U}) >= value - 1e-6


@pytest.mark.parametrize("max_iter", [1, 2, 3, 100])
def test_stages_share_the_iterations(digits, max_iter):
    X, _, _ = digits
    model = TruncatedCauchyNMF(5, max_iter=max_iter, tol=0, n_init=1, random_state=0).fit(X[:80])
    assert model.n_iter_ == max_iter
    assert model.history_.iteration[-1] == max_iter
    assert model.scale_ > 0
    assert model.threshold_ > 0
