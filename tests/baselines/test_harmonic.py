import numpy as np
import pytest

from ronmf import RONMF, neighbor_graph
from ronmf.baselines import LNP, HarmonicLabelPropagation
from support.sklearn_checks import Recorder


def test_equals_a_dense_solve(digits):
    X, y, _ = digits
    model = HarmonicLabelPropagation().fit(X, y)
    W = neighbor_graph(X, 5).affinity.toarray()
    S = np.diag((y >= 0) * 10.0 * W.sum(axis=1).mean())
    Y = (y[:, None] == np.arange(10)).astype(float)
    expected = np.linalg.solve(np.diag(W.sum(axis=1)) - W + S, S @ Y)
    np.testing.assert_allclose(model.membership_, expected, atol=1e-4)
    np.testing.assert_allclose(model.membership_.sum(axis=1), 1.0, atol=1e-4)


def test_is_ronmf_without_a_data_term(digits):
    X, y, _ = digits
    limit = RONMF(graph="plain", class_prior=None, graph_weight=1e8, random_state=0).fit(X, y)
    model = HarmonicLabelPropagation().fit(X, y)
    np.testing.assert_allclose(limit.membership_, model.membership_, atol=1e-3)


def test_samples_that_no_label_reaches_get_equal_shares():
    X = np.concatenate([np.arange(6.0), 100 + np.arange(6.0)])[:, None]
    y = np.array([0, -1, -1, -1, -1, 1] + [-1] * 6)
    model = HarmonicLabelPropagation(n_neighbors=2).fit(X, y)
    np.testing.assert_allclose(model.membership_[6:], 0.5, atol=1e-12)
    assert model.graph_summary_["unreached_samples"] == 6


def test_new_samples_take_the_weighted_mean_of_their_neighbours(digits):
    X, y, truth = digits
    new = np.arange(600) % 6 == 1
    model = HarmonicLabelPropagation().fit(X[~new], y[~new])
    indices, weights = neighbor_graph(X[~new], 5).link(X[new])
    expected = [np.average(model.membership_[i], axis=0, weights=w) for i, w in
                zip(indices, weights, strict=True)]  # fmt: skip
    np.testing.assert_allclose(model.transform(X[new]), expected, rtol=1e-10)
    assert (model.predict(X[new]) == truth[new]).mean() > 0.8


def test_precomputed_graph_refuses_new_samples(digits):
    X, y, _ = digits
    W = neighbor_graph(X, 5).affinity
    model = HarmonicLabelPropagation(graph="precomputed").fit(X, y, affinity=W)
    with pytest.raises(ValueError, match="says nothing of new samples"):
        model.predict(X[:3])


def test_new_samples_on_disk_and_a_notebook(digits, tmp_path):
    X, y, _ = digits
    model = HarmonicLabelPropagation(random_state=0).fit(X[:400], y[:400])
    np.save(tmp_path / "X.npy", X[400:])
    stored = np.load(tmp_path / "X.npy", mmap_mode="r")
    for method in ("transform", "predict", "predict_proba"):
        expected = getattr(model, method)(X[400:])
        np.testing.assert_allclose(getattr(model, method)(stored), expected, rtol=1e-10)
    assert "400 samples in 10 clusters" in model._repr_html_()
    assert not hasattr(model, "report")  # which shows parts and the story of a solution


@pytest.mark.parametrize("library", ["array_api_strict", "torch"])
def test_other_array_libraries(digits, library):
    xp = pytest.importorskip(library)
    X, y, _ = digits
    expected = HarmonicLabelPropagation().fit(X[:200], y[:200])
    model = HarmonicLabelPropagation().fit(xp.asarray(X[:200]), y[:200])
    assert type(model.membership_) is type(xp.asarray(X))
    np.testing.assert_array_equal(model.labels_, expected.labels_)
    np.testing.assert_array_equal(model.predict(X[200:240]), expected.predict(X[200:240]))


def test_labels_cross_the_weakest_edges():
    """Two clusters far apart, joined by edges of the floor weight only, share one label."""
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.random((200, 2)), 5 + rng.random((200, 2)), 60 + rng.random((4, 2))])
    y = np.full(404, -1)
    y[0], y[200] = 0, 1
    model = HarmonicLabelPropagation().fit(X, y)
    assert model.graph_summary_["unreached_samples"] == 0
    assert (model.labels_[400:] == 1).all()


@pytest.mark.parametrize("unit", [1e200, 1e-200])
def test_only_ratios_of_given_weights_matter(digits, unit):
    X, y, _ = digits
    W = neighbor_graph(X, 5).affinity
    model = HarmonicLabelPropagation(graph="precomputed").fit(X, y, affinity=unit * W)
    expected = HarmonicLabelPropagation().fit(X, y)
    np.testing.assert_allclose(model.membership_, expected.membership_, atol=1e-9)
    assert model.graph_summary_["degrees"][1] > 1e-300


def test_callbacks_learn_of_the_fit(digits):
    pytest.importorskip("sklearn.callback", reason="needs scikit-learn >= 1.9")
    X, y, _ = digits
    for kind in (HarmonicLabelPropagation, LNP):
        recorder = Recorder()
        kind().set_callbacks(recorder).fit(X, y)
        assert recorder.torn_down
