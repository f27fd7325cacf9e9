"""Strangers among the samples: found, told of, kept out of certainty, and told of new samples."""

import warnings

import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.metrics import roc_auc_score

from ronmf import RONMF, HarmonicLabelPropagation, load_model, save_model


def draw(named, labels=5, seed=0):
    """Return digits with labels of some classes only."""
    X, truth = load_digits(return_X_y=True)
    rng, y = np.random.default_rng(seed), np.full(len(truth), -1)
    for j in named:
        y[rng.permutation(np.flatnonzero(truth == j))[:labels]] = j
    return X, y, truth


@pytest.fixture(scope="module")
def half():
    """Digits of which 0 to 4 have labels, and a fit."""
    X, y, truth = draw(range(5))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = RONMF(random_state=0, image_shape=(8, 8)).fit(X, y)
    return model, X, y, truth


def test_strangers_are_told_from_others(half):
    model, _, y, truth = half
    free, strange = y < 0, truth > 4
    assert model.novelty_.shape == y.shape
    assert 0 <= model.novelty_.min() <= model.novelty_.max() <= 1
    assert roc_auc_score(strange[free], model.novelty_[free]) > 0.95
    assert (model.novelty_[strange] > 0.5).mean() > 0.9
    assert (model.novelty_[free & ~strange] > 0.5).mean() < 0.1
    assert (model.novelty_[y >= 0] == 0).all()


def test_certainty_counts_novelty_and_probabilities_do_not(half):
    model, _, _, truth = half
    P, sure = model.label_distributions_, model.certainty_
    np.testing.assert_allclose(P.sum(axis=1), 1.0)
    assert (P.max(axis=1)[truth > 4] > 0.9).mean() > 0.3  # surest of the named, and none of them
    assert (sure[truth > 4] > 0.9).mean() < 0.05
    table = model.results_frame()
    np.testing.assert_array_equal(table["novelty"], model.novelty_)
    np.testing.assert_array_equal(table["certainty"], sure)


def test_the_fit_tells_how_many(half):
    model, X, y, truth = half
    told = [trouble for trouble in model.diagnose() if trouble.kind == "strangers"]
    assert len(told) == 1
    assert len(told[0].samples) == pytest.approx((truth > 4).sum(), rel=0.1)
    assert "look like no labelled class; label some, or keep them apart by" in str(told[0])
    X, y, _ = draw(range(10))
    closed = RONMF(random_state=0, image_shape=(8, 8)).fit(X, y)
    assert "strangers" not in [trouble.kind for trouble in closed.diagnose()]
    assert (closed.novelty_ > 0.5).mean() < 0.02  # 27 ones with a foot and a roof lie apart
    kept = closed.certainty_ / closed.label_distributions_.max(axis=1)
    assert np.quantile(kept, 0.2) > 0.95  # where there are none, hardly anything changes


def test_new_samples_are_like_those_of_the_fit(half, tmp_path):
    model, X, _, truth = half
    some = slice(100, 400)
    fresh = model.novelty(X[some])
    assert ((fresh > 0.5) == (truth[some] > 4)).mean() > 0.9
    np.testing.assert_allclose(model.novelty(X[100:101]), fresh[:1])  # each on its own
    names = model.predict(X[some])
    with_unknown = model.predict(X[some], unknown=-1)
    np.testing.assert_array_equal(with_unknown == -1, fresh > 0.5)
    np.testing.assert_array_equal(with_unknown[fresh <= 0.5], names[fresh <= 0.5])
    assert with_unknown.dtype == names.dtype
    words = model.predict(X[some], unknown="none")
    assert words[fresh > 0.5].tolist() == ["none"] * int((fresh > 0.5).sum())
    assert words[fresh <= 0.5].tolist() == names[fresh <= 0.5].tolist()
    save_model(model, tmp_path / "model.ronmf")
    again = load_model(tmp_path / "model.ronmf")
    np.testing.assert_array_equal(again.novelty(X[some]), fresh)
    np.testing.assert_array_equal(again.novelty_, model.novelty_)
    with pytest.raises(ValueError, match=r"unknown=\[1\] is no single name"):
        model.predict(X[some], unknown=[1])


def test_stored_samples_have_the_same_novelty(half, tmp_path):
    model, X, _, _ = half
    np.save(tmp_path / "X.npy", X)
    stored = np.load(tmp_path / "X.npy", mmap_mode="r")
    np.testing.assert_allclose(model.novelty(stored), model.novelty(X))
    np.testing.assert_array_equal(model.predict(stored, unknown=-1), model.predict(X, unknown=-1))


def test_a_plain_or_given_graph_is_asked_alone():
    X, y, truth = draw(range(5))
    free = y < 0
    plain = HarmonicLabelPropagation().fit(X, y)
    assert roc_auc_score((truth > 4)[free], plain.novelty_[free]) > 0.95
    given = HarmonicLabelPropagation(graph="precomputed").fit(X, y, affinity=plain.graph_.affinity)
    np.testing.assert_allclose(given.novelty_, plain.novelty_, atol=1e-6)
    with pytest.raises(ValueError, match="graph='precomputed' says nothing of new samples"):
        given.novelty(X)


def test_clusters_without_a_name_are_no_strangers():
    """With all clusters asked for, those without a label hold the samples of other classes."""
    X, y, _ = draw(range(5))
    model = RONMF(10, random_state=0, image_shape=(8, 8)).fit(X, y)
    named = model.labels_ < 5
    own = model.label_distributions_.max(axis=1)
    np.testing.assert_array_equal(model.certainty_[~named], own[~named])
    assert "strangers" not in [trouble.kind for trouble in model.diagnose()]
    assert (model.predict(X[~named], unknown=-1) != -1).mean() > 0.9


def test_without_any_label_all_is_new_and_with_all_nothing():
    X, _, truth = draw(range(10))
    X, truth = X[:200], truth[:200]
    model = HarmonicLabelPropagation(10, random_state=0).fit(X)
    assert (model.novelty_ == 1).all()
    assert (model.novelty(X[:5]) == 1).all()
    np.testing.assert_array_equal(model.certainty_, model.label_distributions_.max(axis=1))
    full = HarmonicLabelPropagation(random_state=0).fit(X, truth)
    assert (full.novelty_ == 0).all()


@pytest.mark.parametrize("labels", [1, 2])
def test_few_labels_do_not_make_strangers(labels):
    X, y, _ = draw(range(10), labels, seed=1)
    model = RONMF(random_state=0, image_shape=(8, 8)).fit(X, y)
    assert (model.novelty_ > 0.5).mean() < 0.02
