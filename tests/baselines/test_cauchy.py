"""Truncated Cauchy NMF: what it sets aside, and its codes."""

import numpy as np
import pytest

from ronmf.baselines import (
    GNMF,
    TruncatedCauchyNMF,
)
from support.baselines import three_groups
from support.sklearn_checks import Recorder


def test_a_callback_may_stop_cauchy_among_its_starts(unit):
    pytest.importorskip("sklearn.callback", reason="needs scikit-learn >= 1.9")
    X, y, _ = unit
    model = TruncatedCauchyNMF(random_state=0).set_callbacks(Recorder(2)).fit(X, y)
    assert model.n_iter_ == 0
    assert model.scale_ > 0
    assert model.stop_reason_ == "stopped by a callback"


def test_cauchy_codes_of_training_samples_stay_near_their_own():
    X, y = three_groups()
    model = TruncatedCauchyNMF(random_state=0).fit(X, y)
    assert model.transform(X).max() < 3 * model.coefficients_.max()
    assert (model.predict(X) == model.transduction_).mean() > 0.95


def test_cauchy_does_not_set_aside_all_that_is_not_zero():
    rng = np.random.RandomState(0)
    group = np.arange(60) % 3
    X = np.kron(np.eye(3), np.ones((1, 7)))[group] * rng.uniform(1, 1.1, (60, 21))
    model = TruncatedCauchyNMF(random_state=0).fit(X, np.where(np.arange(60) < 9, group, -1))
    assert (model.transduction_ == group).mean() > 0.9


def test_cauchy_ignores_flipped_pixels(unit):
    X, _, _ = unit
    X = X[:200]
    rng = np.random.default_rng(0)
    noisy = np.where(rng.random(X.shape) < 0.1, 1.0, X)

    def error(model):
        model.fit(noisy)
        return np.linalg.norm(X - model.coefficients_ @ model.components_)

    settings = {"n_clusters": 10, "random_state": 0}
    assert error(TruncatedCauchyNMF(**settings)) < 0.7 * error(GNMF(graph_weight=0.0, **settings))
