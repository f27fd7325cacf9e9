"""New samples that are unlike all samples of a graph."""

import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.neighbors import LocalOutlierFactor

from ronmf import RONMF, HarmonicLabelPropagation, load_model, save_model
from ronmf.graph import neighbor_graph
from ronmf.graph._unseen import _log_factors, unseen_probability
from ronmf.numerics.nearest_neighbors import k_nearest


def test_factors_order_samples_as_those_of_scikit_learn():
    """Breunig's factor has reachability distances; on smooth data that is nearly the same."""
    rng = np.random.default_rng(0)
    X, new = rng.normal(size=(300, 4)), 2 * rng.normal(size=(60, 4))
    graph = neighbor_graph(X, 10)
    ours = _log_factors(graph, *k_nearest(X, 10, new))
    theirs = -LocalOutlierFactor(10, novelty=True).fit(X).score_samples(new)
    assert np.corrcoef(ours, np.log(theirs))[0, 1] > 0.95


@pytest.fixture(scope="module")
def digits():
    X, truth = load_digits(return_X_y=True)
    rng = np.random.default_rng(0)
    fitted = (truth < 5) & (rng.random(len(truth)) < 0.7)
    return X, truth, fitted


@pytest.mark.parametrize("share", [0.05, 1.0])
def test_classes_that_the_fit_has_not_seen_are_strangers(digits, share, tmp_path):
    """Also where every sample of the fit has a label, and nothing is left to be a stranger."""
    X, truth, fitted = digits
    y = np.where(np.random.default_rng(1).random(fitted.sum()) < share, truth[fitted], -1)
    model = RONMF(image_shape=(8, 8), random_state=0).fit(X[fitted], y)
    novelty = model.novelty(X[~fitted])
    unseen = truth[~fitted] > 4
    assert (novelty[unseen] > 0.5).mean() > 0.75
    assert (novelty[~unseen] > 0.5).mean() < 0.1
    assert (model.novelty(16 * np.random.default_rng(2).random((20, 64))) > 0.5).all()
    apart = model.predict(X[~fitted], unknown=-1)
    np.testing.assert_array_equal(apart == -1, novelty > 0.5)
    save_model(model, tmp_path / "model.ronmf")
    again = load_model(tmp_path / "model.ronmf").novelty(X[~fitted])
    np.testing.assert_array_equal(again, novelty)


def test_each_new_sample_is_judged_on_its_own(digits):
    X, truth, fitted = digits
    y = np.where(np.arange(fitted.sum()) % 9 == 0, truth[fitted], -1)
    model = HarmonicLabelPropagation(random_state=0).fit(X[fitted], y)
    together = model.novelty(X[~fitted][:30])
    alone = [model.novelty(X[~fitted][i : i + 1])[0] for i in range(30)]
    np.testing.assert_allclose(alone, together, rtol=1e-6, atol=1e-9)


def test_of_one_cluster_nothing_is_known():
    X = np.random.default_rng(0).random((30, 3))
    found = unseen_probability(neighbor_graph(X), np.zeros(30, dtype=int), X[:4] + 9)
    np.testing.assert_array_equal(found, np.zeros(4))
