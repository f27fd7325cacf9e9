"""Rows that are no pictures: with negative values, sparse, or in different units."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn import config_context
from sklearn.datasets import load_digits, load_wine
from sklearn.decomposition import PCA
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from ronmf import RONMF, HarmonicLabelPropagation, baselines, load_model, save_model
from ronmf.graph import neighbor_graph
from ronmf.numerics.signs import split_signs

ALL = [RONMF, *(getattr(baselines, name) for name in baselines.__all__)]
WITH_GRAPH = [kind for kind in ALL if kind().__sklearn_tags__().input_tags.sparse]
pytestmark = pytest.mark.filterwarnings("ignore:.*after 200 iterations")


def signed_groups(n=120, n_features=8, seed=0):
    """Three groups whose centres have values of either sign."""
    rng = np.random.default_rng(seed)
    centres = 3 * rng.choice([-1.0, 1.0], (3, n_features)) * rng.random((3, n_features))
    group = np.arange(n) % 3
    return centres[group] + 0.3 * rng.normal(size=(n, n_features)), group, centres


def a_few(truth, every=10):
    return np.where(np.arange(len(truth)) % every < 3, truth, -1)


def settings(kind):
    return {"random_state": 0} | ({"n_init": 2} if "n_init" in kind().get_params() else {})


def test_methods_with_a_graph_take_any_rows_and_others_say_what_they_need():
    names = {kind.__name__ for kind in WITH_GRAPH}
    assert names >= {"RONMF", "HarmonicLabelPropagation", "LNP", "GNMF", "LpCNMF"}
    X, truth, _ = signed_groups()
    for kind in set(ALL) - set(WITH_GRAPH):
        with pytest.raises(ValueError, match=f"passed to {kind.__name__}: X must be non-negative"):
            kind(3).fit(X, a_few(truth))
        with pytest.raises(TypeError, match=r"[Ss]parse"):
            kind(3).fit(sp.csr_array(np.abs(X)), a_few(truth))


@pytest.mark.parametrize("kind", WITH_GRAPH)
def test_signed_rows_are_clustered_in_their_own_signs(kind):
    X, truth, centres = signed_groups()
    fine = {"n_components": 12} if kind is RONMF else {}  # three disjoint parts make rough samples
    model = kind(3, **settings(kind), **fine).fit(X, a_few(truth))
    assert (model.transduction_ == truth).mean() > 0.95
    assert (model.predict(X) == truth).mean() > 0.95
    assert model.n_features_in_ == X.shape[1]
    again = model.inverse_transform(model.transform(X))
    assert again.shape == X.shape
    if hasattr(model, "prototypes_"):
        for found, centre in zip(model.prototypes_, centres, strict=True):
            assert np.corrcoef(found, centre)[0, 1] > 0.8
    if hasattr(model, "components_"):
        assert model.components_.shape[1] == X.shape[1]
        assert model.components_.min() < 0 < model.components_.max()


@pytest.mark.parametrize("kind", [RONMF, HarmonicLabelPropagation, baselines.GNMF])
def test_a_column_with_the_other_sign_changes_nothing_but_that_sign(kind):
    X, truth, _ = signed_groups()
    turned = np.where(np.arange(X.shape[1]) % 2 == 0, -1.0, 1.0)
    one, other = (
        kind(3, graph="plain", **settings(kind)).fit(rows, a_few(truth)) for rows in (X, X * turned)
    )
    np.testing.assert_array_equal(one.labels_, other.labels_)
    if kind is HarmonicLabelPropagation:  # parts of the others depend on the order of columns
        np.testing.assert_allclose(one.prototypes_ * turned, other.prototypes_, atol=1e-3)
    np.testing.assert_array_equal(one.predict(X), other.predict(X * turned))


@pytest.mark.parametrize("groups", ["features", "samples"])
def test_a_signed_fit_is_that_of_its_two_parts_on_the_graph_of_the_rows(groups):
    X, truth, _ = signed_groups()
    y, W = a_few(truth), neighbor_graph(X, 5).affinity
    common = {"groups": groups, "graph": "precomputed", "random_state": 0}
    signed = RONMF(3, **common).fit(X, y, affinity=W)
    parts = RONMF(3, **common).fit(split_signs(X), y, affinity=W)
    np.testing.assert_allclose(signed.membership_, parts.membership_)
    above, below = np.split(parts.components_, 2, axis=1)
    np.testing.assert_allclose(signed.components_, above - below)
    assert signed.group_weights_.shape == (len(X) if groups == "samples" else X.shape[1],)


def test_rows_without_negative_values_may_be_followed_by_new_ones_with_some():
    X, truth, _ = signed_groups()
    model = RONMF(3, random_state=0).fit(X - X.min(), a_few(truth))
    assert (model.predict(X - X.min() - 0.01) == truth).mean() > 0.95


@pytest.mark.parametrize("kind", WITH_GRAPH)
def test_narrow_sparse_rows_are_as_good_as_dense_ones(kind):
    X, truth, _ = signed_groups()
    X = np.where(np.abs(X) < 1, 0.0, X)
    sparse, dense = (
        kind(3, **settings(kind)).fit(rows, a_few(truth)) for rows in (sp.csr_matrix(X), X)
    )
    np.testing.assert_array_equal(sparse.labels_, dense.labels_)
    np.testing.assert_array_equal(sparse.predict(sp.csc_array(X)), dense.predict(X))
    np.testing.assert_array_equal(sparse.predict(X), dense.predict(sp.coo_array(X)))


@pytest.fixture(scope="module")
def texts():
    """Counts of 3,000 words in texts of three topics, which share most words."""
    rng = np.random.default_rng(0)
    truth = np.arange(240) % 3
    words = rng.dirichlet(np.full(3000, 0.05), 4)
    shares = [0.4 * words[topic] + 0.6 * words[3] for topic in truth]
    return sp.csr_array(np.array([rng.multinomial(80, p) for p in shares], dtype=float)), truth


@pytest.mark.parametrize("kind", WITH_GRAPH)
def test_wide_sparse_rows_are_never_made_dense(kind, texts, monkeypatch):
    X, truth = texts

    def refuse(*_, **__):
        raise AssertionError("the whole table was made dense")

    monkeypatch.setattr(sp.csr_array, "toarray", refuse)
    model = kind(3, **settings(kind)).fit(X, a_few(truth, every=20))
    if kind in (RONMF, HarmonicLabelPropagation):
        assert (model.transduction_ == truth).mean() > 0.9
        assert (model.predict(X) == model.transduction_).mean() > 0.9
    assert model.predict(X[:5]).shape == (5,)
    rows = model.components_ if hasattr(model, "components_") else model.prototypes_
    assert rows.shape == (3, 3000)


def test_prototypes_of_sparse_rows_are_in_their_columns(texts):
    X, truth = texts
    model = RONMF(random_state=0).fit(X, a_few(truth, every=20))
    unit = X / np.sqrt(X.power(2).sum(axis=1))[:, None]
    for j in range(3):
        mean = np.asarray(unit[truth == j].mean(axis=0)).ravel()
        assert np.corrcoef(model.prototypes_[j], mean)[0, 1] > 0.9
    # The length of a text does not matter, as it does not for the cosine.
    again = RONMF(random_state=0).fit(X * np.arange(1, 241)[:, None], a_few(truth, every=20))
    np.testing.assert_array_equal(again.labels_, model.labels_)


def test_nothing_sparse_is_wrong_without_a_sentence(texts):
    X, truth = texts
    bad = X.copy()
    bad.data[0] = np.nan
    with pytest.raises(ValueError, match="contains NaN"):
        RONMF(3).fit(bad, a_few(truth))
    model = RONMF(3, random_state=0).fit(X, a_few(truth))
    with pytest.raises(ValueError, match="2999 features, but RONMF is expecting 3000"):
        model.predict(X[:, :2999])
    RONMF(3, random_state=0).fit(sp.csr_array((30, 4)))  # all zero: one point


def accuracy(model, X, truth, labels=5):
    """Return the mean accuracy over three draws of labels."""
    found = []
    for seed in range(3):
        rng, y = np.random.default_rng(seed), np.full(len(truth), -1)
        for j in np.unique(truth):
            y[rng.permutation(np.flatnonzero(truth == j))[:labels]] = j
        found.append((model.fit(X, y).transduction_ == truth)[y < 0].mean())
    return np.mean(found)


def test_columns_of_different_units_are_brought_to_one():
    X, truth = load_wine(return_X_y=True)
    propagation = HarmonicLabelPropagation(class_prior="labels", random_state=0)
    wanted = accuracy(propagation, StandardScaler().fit_transform(X), truth)
    assert accuracy(propagation, X, truth) < wanted - 0.1
    model = RONMF(random_state=0)
    assert accuracy(model, X, truth) > wanted
    assert "StandardScaler" in str(model.graph_report_.candidates[0].recipe)
    in_other_units = X * np.where(np.arange(13) == 0, 1e4, 1.0)
    assert accuracy(model, in_other_units, truth) > wanted


def test_principal_coordinates_keep_their_spreads():
    X, truth = load_digits(return_X_y=True)
    X, truth = PCA(30).fit_transform(X[:600]), truth[:600]
    propagation = HarmonicLabelPropagation(class_prior="labels", random_state=0)
    model = RONMF(random_state=0)
    wanted = accuracy(propagation, StandardScaler().fit_transform(X), truth)
    assert accuracy(model, X, truth) > wanted
    recipes = [str(each.recipe) for each in model.graph_report_.candidates]
    assert not any("UnitNorm" in recipe for recipe in recipes)


def test_pixels_are_never_negative():
    pictures = np.random.default_rng(0).normal(size=(12, 4, 4))
    for X, shape in ((pictures, None), (pictures.reshape(12, 16), (4, 4))):
        with pytest.raises(ValueError, match="pixels are never negative; shift them"):
            RONMF(2, image_shape=shape).fit(X)


def test_a_model_of_any_rows_is_saved(tmp_path, texts):
    wine = load_wine()
    signed = signed_groups()[:2]
    for X, truth in (texts, (wine.data, wine.target), signed):
        model = RONMF(random_state=0).fit(X, a_few(truth, every=20))
        save_model(model, tmp_path / "model.ronmf")
        again = load_model(tmp_path / "model.ronmf")
        np.testing.assert_array_equal(again.predict(X), model.predict(X))
        np.testing.assert_array_equal(again.novelty(X), model.novelty(X))


def test_signed_rows_on_disk_and_of_dask(tmp_path):
    X, truth, _ = signed_groups(n=300)
    X, y = X.astype(np.float32), a_few(truth, every=30)
    np.save(tmp_path / "X.npy", X)
    data = [np.load(tmp_path / "X.npy", mmap_mode="r")]
    try:
        import dask.array as da

        data.append(da.from_array(X, chunks=(100, 8)))
    except ImportError:
        pass
    wanted = RONMF(random_state=0).fit(X, y)
    for rows in data:
        found = RONMF(random_state=0).fit(rows, y)
        np.testing.assert_array_equal(found.labels_, wanted.labels_)
        np.testing.assert_allclose(found.components_, wanted.components_, atol=1e-3)
        np.testing.assert_array_equal(np.asarray(found.predict(rows)), wanted.predict(X))


@pytest.mark.parametrize("kind", [RONMF, HarmonicLabelPropagation, baselines.GNMF])
def test_what_fit_takes_beside_x_and_y_is_routed(kind):
    X, truth, _ = signed_groups()
    W, y = neighbor_graph(X, 5).affinity, a_few(truth)
    with config_context(enable_metadata_routing=True):
        own = kind(3, graph="precomputed", **settings(kind)).set_fit_request(affinity=True)
        found = make_pipeline(StandardScaler(), own).fit(X, y, affinity=W)[-1]
    assert (found.transduction_ == truth).mean() > 0.9


def test_what_predict_takes_is_routed():
    X, truth, _ = signed_groups()
    far = np.full((1, X.shape[1]), 40.0)
    with config_context(enable_metadata_routing=True):
        own = RONMF(3, random_state=0).set_predict_request(unknown=True)
        pipeline = make_pipeline(StandardScaler(), own).fit(X, a_few(truth))
        assert set(pipeline.predict(np.vstack([X, far]), unknown=7)) <= {0, 1, 2, 7}
