"""Warnings name the user's file and line, not a file of this package or of scikit-learn."""

import inspect
import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler

from ronmf import ADMM, RONMF
from ronmf.baselines import GNMF


def here():
    return inspect.currentframe().f_back.f_lineno


@pytest.mark.parametrize(
    "model", [RONMF(3, solver=ADMM(max_iter=1)), GNMF(3, max_iter=12, tol=1e-9)]
)
def test_a_fit_that_did_not_converge_points_at_the_users_line(model):
    X = np.random.default_rng(0).random((30, 5))
    with pytest.warns(ConvergenceWarning) as caught:
        model.set_params(random_state=0).fit(X)
    assert (caught[0].filename, caught[0].lineno) == (__file__, here() - 1)


def test_ignored_labels_point_at_the_users_line_through_a_pipeline():
    X, y = np.random.default_rng(0).random((30, 5)), np.arange(30) % 3
    model = make_pipeline(MinMaxScaler(), RONMF(2, random_state=0))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.fit(X, y)
        line = here() - 1
    ignored = [each for each in caught if "are ignored" in str(each.message)]
    assert (ignored[0].filename, ignored[0].lineno) == (__file__, line)


@pytest.mark.parametrize("kind", [RONMF, GNMF])
def test_a_warning_that_is_an_error_leaves_a_whole_fit(kind):
    """It comes last: whoever catches it has the new fit, not half of it and half of the old."""
    rng = np.random.default_rng(0)
    model = kind(3, random_state=0).fit(rng.random((40, 5)))
    solver = "solver__" if kind is RONMF else ""
    model.set_params(**{f"{solver}max_iter": 12, f"{solver}tol": 1e-12})
    X = rng.random((30, 5))
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        with pytest.raises(ConvergenceWarning):
            model.fit(X)
    assert model.labels_.shape == (30,)
    assert model.n_features_in_ == 5
    assert model.predict(X).shape == (30,)
    assert model.graph_.affinity.shape == (30, 30)
