"""The estimator as a user meets it."""

import numpy as np
from sklearn.metrics import normalized_mutual_info_score
from sklearn.semi_supervised import LabelSpreading

from ronmf import RONMF
from support.settings import PLAIN


def test_labels_and_factors(digits, fitted):
    X, y, truth = digits
    hidden = y == -1
    rival = LabelSpreading(kernel="knn", n_neighbors=7).fit(X, y)
    accuracy = (fitted.transduction_ == truth)[hidden].mean()
    assert accuracy > (rival.transduction_ == truth)[hidden].mean()
    assert fitted.converged_, fitted.stop_reason_
    assert (fitted.transduction_[~hidden] == y[~hidden]).all()
    assert (fitted.classes_[fitted.labels_] == fitted.transduction_).all()
    assert fitted.membership_.shape == (600, 10)
    assert fitted.components_.shape == (10, 64)
    assert fitted.prototypes_.shape == (10, 64)
    assert (fitted.membership_ >= 0).all()
    assert (fitted.amplitudes_ >= 0).all()
    gram = fitted.components_ @ fitted.components_.T
    np.testing.assert_allclose(gram, np.eye(10), atol=1e-10)
    assert ((fitted.components_ > 0).sum(axis=0) <= 1).all()
    assert ((fitted.group_weights_ >= 0) & (fitted.group_weights_ <= 1)).all()
    history = vars(fitted.history_)
    assert {len(series) for series in history.values()} == {fitted.n_iter_}
    assert max(fitted.history_.orthogonality) < 1e-10


def test_the_same_labels_give_the_same_fit(digits, fitted):
    X, y, _ = digits
    again = RONMF(random_state=0)
    labels = again.fit_predict(X.copy(), y.copy())
    np.testing.assert_array_equal(labels, fitted.labels_)
    np.testing.assert_array_equal(fitted.membership_, again.membership_)
    assert fitted.graph_weight_ == again.graph_weight_


def test_multiplying_the_data_changes_nothing(digits, fitted):
    X, y, _ = digits
    plain = RONMF(**PLAIN, random_state=0).fit(X, y)
    # Distances between integers tie, and rounding on the way to a chosen graph would decide.
    for factor, expected, settings in [(1000, plain, PLAIN), (1024, fitted, {})]:
        scaled = RONMF(**settings, random_state=0).fit(factor * X, y)
        np.testing.assert_allclose(scaled.membership_, expected.membership_, atol=1e-6)
        prototypes = factor * expected.prototypes_
        np.testing.assert_allclose(scaled.prototypes_, prototypes, rtol=1e-5, atol=1e-3)


def test_renaming_classes_renames_the_result(digits, fitted):
    X, y, _ = digits
    names = np.array([f"digit {j}" for j in range(10)], dtype=object)
    named = RONMF(random_state=0).fit(X, np.where(y >= 0, names[y], -1))
    assert named.classes_.tolist() == names.tolist()
    assert (named.transduction_ == names[fitted.transduction_]).all()
    assert (named.predict(X[:7]) == names[fitted.predict(X[:7])]).all()


def test_samples_may_come_in_any_order(digits, fitted):
    X, y, _ = digits
    order = np.random.default_rng(0).permutation(len(X))
    # The hidden folds are drawn by position, so what they choose is held fixed.
    weight = fitted.graph_weight_
    straight = RONMF(**PLAIN, graph_weight=weight, random_state=0).fit(X, y)
    shuffled = RONMF(**PLAIN, graph_weight=weight, random_state=0).fit(X[order], y[order])
    assert (shuffled.labels_ == straight.labels_[order]).mean() > 0.995


def test_without_labels_it_clusters_by_graph_and_parts(digits):
    X, _, truth = digits
    model = RONMF(n_clusters=10, random_state=0).fit(X)
    assert normalized_mutual_info_score(truth, model.labels_) > 0.7
    assert len(np.unique(model.labels_)) == 10
    assert np.isfinite(model.membership_).all()


def test_unnamed_clusters_are_discovered(digits):
    """On the mean of three draws: where classes look alike, one of them may go wrong."""
    X, _, truth = digits
    found, kept = [], []
    for seed in range(3):
        rng = np.random.default_rng(seed)
        labelled, new = rng.permutation(600)[:60], np.isin(truth, rng.permutation(10)[:3])
        y = np.full(600, -1)
        y[labelled] = truth[labelled]
        model = RONMF(n_clusters=10, random_state=0).fit(X, np.where(new, -1, y))
        assert len(model.classes_) == 10
        found.append((model.labels_[new] >= 7).mean())
        kept.append((model.transduction_ == truth)[~new].mean())
    assert np.mean(found) > 0.65
    assert np.mean(kept) > 0.8


def test_float32_stays_float32(digits, fitted):
    X, y, _ = digits
    model = RONMF(random_state=0).fit(X.astype(np.float32), y)
    for name in ("membership_", "components_", "amplitudes_", "prototypes_", "group_weights_"):
        assert getattr(model, name).dtype == np.float32, name
    assert model.transform(X[:3].astype(np.float32)).dtype == np.float32
    # Rotated coordinates break ties between neighbours by rounding.
    assert (model.labels_ == fitted.labels_).mean() > 0.97
    gram = model.components_ @ model.components_.T
    np.testing.assert_allclose(gram, np.eye(10), atol=1e-5)
