"""What the methods share: readings, graphs, callbacks, array libraries and failed fits."""

import pickle
import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from ronmf import neighbor_graph
from ronmf.baselines import (
    CNMF,
    GNMF,
    GSNMF,
    LNP,
    LPNMF,
    RNMF,
    RSNMF,
    SNMFDSR,
    SNMFSP,
    LpCNMF,
)
from ronmf.labels.assignment import ClusterAssignment
from ronmf.numerics.arrays import to_numpy
from support.baselines import ALL, MULTIPLICATIVE, three_groups
from support.marks import slow
from support.sklearn_checks import Recorder


@pytest.mark.parametrize("kind", [GNMF, LNP, *slow(*(k for k in ALL if k not in (GNMF, LNP)))])
def test_other_array_libraries_give_the_same(unit, kind):
    X, y, _ = unit
    X, y = X[:120], y[:120]
    settings = {} if kind is LNP else {"max_iter": 12, "n_init": 2}
    expected = kind(10, random_state=0, **settings).fit(X, y)
    for library in ("array_api_strict", "torch"):
        xp = pytest.importorskip(library)
        Xl = xp.asarray(X)
        model = kind(10, random_state=0, **settings).fit(Xl, y)
        codes = model.transform(Xl[:7, :])
        assert type(codes) is type(Xl)
        np.testing.assert_allclose(to_numpy(codes), expected.transform(X[:7]), rtol=1e-6, atol=1e-8)
        np.testing.assert_array_equal(model.labels_, expected.labels_)
        np.testing.assert_array_equal(model.predict(X[:30]), expected.predict(X[:30]))
        single = kind(10, random_state=0, **settings).fit(xp.asarray(X.astype(np.float32)), y)
        assert to_numpy(single.transform(X[:3])).dtype == np.float32


@pytest.mark.parametrize("kind", MULTIPLICATIVE)
def test_both_readings(unit, kind):
    X, y, _ = unit
    X, y = X[:300], y[:300]
    for assign in ("kmeans", "argmax"):
        settings = {"components_per_class": 1} if kind is RSNMF else {}
        model = kind(10, assign=assign, max_iter=30, random_state=0, **settings).fit(X, y)
        again = clone(model).fit(X, y)
        np.testing.assert_array_equal(model.labels_, again.labels_)
        restored = pickle.loads(pickle.dumps(model))
        np.testing.assert_array_equal(restored.predict(X[:20]), model.predict(X[:20]))
        assert hasattr(model, "predict_proba") == (assign == "argmax")
        if assign == "argmax":
            shares = model.predict_proba(X)
            np.testing.assert_allclose(shares.sum(axis=1), 1.0)
            np.testing.assert_array_equal(model.classes_[shares.argmax(axis=1)], model.predict(X))


def test_argmax_needs_as_many_components_as_clusters(unit):
    X, y, _ = unit
    with pytest.raises(ValueError, match="n_components=7 columns, but there are 10 clusters"):
        GNMF(n_components=7, assign="argmax").fit(X, y)


@pytest.mark.parametrize("kind", [GNMF, LPNMF, LpCNMF, SNMFDSR, SNMFSP, GSNMF])
def test_precomputed_graph(unit, kind):
    X, y, _ = unit
    W = neighbor_graph(X, 5, weights="heat").affinity
    settings = {"max_iter": 20, "n_init": 1, "random_state": 0}
    expected = kind(**settings).fit(X, y)
    model = kind(graph="precomputed", **settings).fit(X, y, affinity=W)
    np.testing.assert_allclose(model.coefficients_, expected.coefficients_, rtol=1e-10)
    assert model.predict(X[:5]).shape == (5,)
    with pytest.raises(ValueError, match="needs the graph"):
        kind(graph="precomputed").fit(X, y)


@pytest.mark.parametrize("kind", [GNMF, *slow(*(k for k in MULTIPLICATIVE if k is not GNMF))])
@pytest.mark.parametrize("stop_after", [3, 100])
def test_callbacks_see_every_iteration_and_may_stop_the_fit(unit, kind, stop_after):
    pytest.importorskip("sklearn.callback", reason="needs scikit-learn >= 1.9")
    X, y, _ = unit
    recorder = Recorder(stop_after)
    model = kind(n_init=3, random_state=0).set_callbacks(recorder).fit(X[:150], y[:150])
    assert recorder.sweeps == stop_after
    assert recorder.torn_down
    assert model.stop_reason_ == "stopped by a callback"
    assert model.predict(X[:3]).shape == (3,)


def test_a_fit_that_did_not_converge_warns_unless_told_to_run_on(unit):
    X, y, _ = unit
    with pytest.warns(ConvergenceWarning, match="GNMF did not converge within max_iter=20"):
        GNMF(max_iter=20, tol=1e-6, random_state=0).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = GNMF(max_iter=20, random_state=0).fit(X, y)
    assert model.stop_reason_ == "ran max_iter=20 iterations"


def test_a_later_set_params_does_not_change_a_fit(unit):
    X, y, _ = unit
    model = GNMF(max_iter=10, random_state=0).fit(X, y)
    before = model.predict(X)
    model.set_params(assign="argmax", n_neighbors=2)
    np.testing.assert_array_equal(model.predict(X), before)
    assert not hasattr(model, "predict_proba")
    lnp = LNP().fit(X, y)
    before = lnp.predict(X)
    np.testing.assert_array_equal(lnp.set_params(n_neighbors=1).predict(X), before)


def test_a_fit_that_fails_late_leaves_the_last_one_whole(unit, monkeypatch):
    X, y, _ = unit
    model = GNMF(max_iter=5, random_state=0).fit(X, y)
    before = model.predict(X), model.coefficients_

    def fail(*arguments, **settings):
        raise RuntimeError("no memory")

    monkeypatch.setattr(ClusterAssignment, "fit", fail)
    with pytest.raises(RuntimeError, match="no memory"):
        model.fit(X[:100, :30], y[:100])
    np.testing.assert_array_equal(model.predict(X), before[0])
    assert model.coefficients_ is before[1]


def test_single_precision_codes_with_more_components_than_features():
    X, y = three_groups()
    for kind in (RNMF, CNMF, GNMF):
        model = kind(n_components=15, random_state=0).fit(X.astype(np.float32), y)
        assert model.transform(X).max() < 3 * model.coefficients_.max()
        assert (model.predict(X) == model.transduction_).mean() > 0.95


def test_the_first_class_wins_a_tie(unit):
    X, y, _ = unit
    for seed in range(3):
        model = RNMF(assign="argmax", max_iter=20, n_init=1, random_state=seed).fit(X, y)
        nothing = 0 * X[:1]
        assert model.predict(nothing) == model.classes_[0]
        np.testing.assert_allclose(model.predict_proba(nothing), 0.1)


def test_overflow_is_one_sentence(unit):
    X, y, _ = unit
    model = GNMF(graph_weight=1e308, random_state=0)
    with np.errstate(all="ignore"), pytest.raises(ValueError, match="overflowed; rescale X"):
        model.fit(1e80 * X, y)
