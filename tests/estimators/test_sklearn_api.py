"""RONMF in scikit-learn's own terms: estimator checks, cloning, searches, pipelines, callbacks."""

import pickle
import subprocess
import sys

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer
from sklearn.utils.estimator_checks import parametrize_with_checks

from ronmf import MCP, RONMF
from support.sklearn_checks import Recorder, expected_failures


@parametrize_with_checks([RONMF()], expected_failed_checks=expected_failures)
def test_sklearn_checks(estimator, check):
    check(estimator)


@pytest.mark.every_estimator
@parametrize_with_checks(
    [RONMF(groups="samples", penalty="l21")], expected_failed_checks=expected_failures
)
def test_sklearn_checks_of_every_estimator(estimator, check):
    check(estimator)


def test_clone_and_pickle_keep_parameters_and_predictions(digits):
    X, y, _ = digits
    model = RONMF(penalty=MCP(tau=4.0), n_neighbors=6, random_state=0)
    assert clone(model).get_params()["penalty__tau"] == 4.0
    model.fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict(X[:9]), model.predict(X[:9]))


def agreement(model, X, y):
    """Share of held-out labels that the model names right."""
    given = y != -1
    return (model.predict(X)[given] == y[given]).mean()


@pytest.mark.slow
def test_penalty_parameters_in_a_grid_search(digits):
    X, _, truth = digits
    X, truth = X[:200], truth[:200]
    search = GridSearchCV(
        RONMF(penalty=MCP(), graph_weight=10.0, random_state=0),
        {"penalty__tau": [1.5, 3.0], "n_neighbors": [3, 5]},
        scoring=agreement,
        cv=3,
        error_score="raise",
    ).fit(X, truth)
    assert search.best_score_ > 0.8
    assert set(search.best_params_) == {"penalty__tau", "n_neighbors"}


def test_in_a_pipeline(digits):
    X, y, truth = digits
    pipeline = make_pipeline(Normalizer(), RONMF(random_state=0))
    pipeline.fit(X, y)
    assert (pipeline.predict(X) == truth).mean() > 0.9
    assert pipeline[-1].get_feature_names_out()[0] == "ronmf_0"


@pytest.mark.parametrize("stop_after", [None, 2])
def test_callbacks_see_every_sweep_and_may_stop_the_fit(digits, stop_after):
    pytest.importorskip("sklearn.callback", reason="needs scikit-learn >= 1.9")
    X, y, _ = digits
    recorder = Recorder(stop_after)
    model = RONMF(random_state=0).set_callbacks(recorder).fit(X, y)
    assert recorder.sweeps == model.n_iter_
    assert recorder.torn_down
    if stop_after:
        assert model.n_iter_ == stop_after
        assert not model.converged_
        assert model.stop_reason_ == "stopped by a callback"


def test_importing_the_package_imports_no_plotting_web_or_torch_code():
    code = (
        "import sys, ronmf; heavy = {'torch', 'matplotlib', 'fastapi', 'PIL'} & set(sys.modules);"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
