"""The solver as an object of the estimator, and how short the way through a fit is."""

import inspect
import sys

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

from ronmf import ADMM, RONMF, HarmonicLabelPropagation, LabelledKFold, load_model, save_model
from ronmf.admm import solver as loop
from ronmf.bench import make_method
from support.settings import PLAIN


@pytest.fixture(scope="module")
def some(digits):
    X, y, _ = digits
    return X[:200], y[:200]


def test_none_is_the_solver_as_it_comes(some):
    found = [RONMF(**PLAIN, solver=s, random_state=0).fit(*some) for s in (None, ADMM())]
    np.testing.assert_array_equal(found[0].membership_, found[1].membership_)
    assert found[0].solver is None
    assert repr(found[0].solver_) == repr(found[1].solver_) == "ADMM()"


def test_a_fit_keeps_a_solver_of_its_own(some):
    solver = ADMM(max_iter=3, tol=1.0)
    model = RONMF(**PLAIN, solver=solver, random_state=0).fit(*some)
    assert model.solver is solver
    model.set_params(solver__max_iter=9)
    assert (solver.max_iter, model.solver_.max_iter) == (9, 3)
    assert solver.get_params() == ADMM(max_iter=9, tol=1.0).get_params()


def test_parameters_of_the_solver_are_set_by_name():
    model = RONMF().set_params(solver__beta=5.0, n_neighbors=3)
    assert (model.solver.beta, model.n_neighbors) == (5.0, 3)
    copy = clone(model).set_params(solver__beta=6.0)
    assert (copy.solver.beta, model.solver.beta) == (6.0, 5.0)
    assert model.set_params(solver=None).solver is None
    assert model.set_params(solver=ADMM(tol=0.1), solver__beta=7.0).solver.tol == 0.1
    printed = make_method("RONMF-E, as released", solver__tol=0.1).solver
    assert (printed.max_iter, printed.tol, printed.basis) == (2, 0.1, "penalty")
    assert make_method("RONMF-S", solver__basis="unconstrained").solver.basis == "unconstrained"


def test_a_search_over_the_solver(digits):
    X, _, truth = digits
    y = np.where(np.arange(len(truth)) % 10 < 2, truth, -1)
    model, folds = RONMF(**PLAIN, random_state=0), LabelledKFold(2, random_state=0)
    grid = {"solver__basis": ["partition", "unconstrained"], "solver__max_iter": [2]}
    search = GridSearchCV(model, grid, cv=folds, error_score="raise").fit(X, y)
    assert search.best_estimator_.solver_.max_iter == 2
    assert search.best_params_["solver__basis"] == search.best_estimator_.solver_.basis


@pytest.mark.parametrize(
    ("solver", "sentence"),
    [
        (ADMM(-1), r"solver: beta of ADMM must be a float in .*; got -1\.$"),
        (ADMM(True), r"solver: beta of ADMM must be a float in .*; got True\.$"),
        (ADMM(max_iter=0), r"solver: max_iter of ADMM must be an int in .*; got 0\.$"),
        (ADMM(init="kmeans"), r"solver: init of ADMM must be a str among .*; got 'kmeans'\.$"),
        (ADMM(exact="no"), r"solver: exact of ADMM must be .*bool.*; got 'no'\.$"),
        ("admm", "The 'solver' parameter of RONMF must be an instance of .*ADMM' or None"),
    ],
    ids=str,
)
def test_a_wrong_solver_gets_one_sentence(solver, sentence, some):
    with pytest.raises(ValueError, match=sentence):
        RONMF(solver=solver).fit(*some)


def test_a_saved_model_keeps_its_solver(some, tmp_path):
    solver = ADMM(7.0, basis="penalty", init="random", max_iter=4, tol=0.5)
    model = RONMF(**PLAIN, solver=solver, random_state=0).fit(*some)
    save_model(model, tmp_path / "model.ronmf")
    again = load_model(tmp_path / "model.ronmf")
    assert again.solver.get_params() == again.solver_.get_params() == solver.get_params()


def test_estimators_have_few_parameters_and_ancestors():
    assert len(inspect.signature(RONMF).parameters) <= 18
    for kind in (RONMF, HarmonicLabelPropagation):
        ours = [each.__name__ for each in kind.__mro__ if each.__module__.startswith("ronmf.")]
        assert ours == [kind.__name__, "GraphClusterer", "SemiSupervisedClusterer"]


def test_it_is_not_far_from_a_fit_to_the_step_of_the_memberships(some, monkeypatch):
    frames, update = [], loop.update_A

    def counting(*arguments):
        frame, names = sys._getframe(1), ["update_A"]
        while names[-1] != "fit":
            names.append(frame.f_code.co_name)
            frame = frame.f_back
        frames.append(names)
        return update(*arguments)

    monkeypatch.setattr(loop, "update_A", counting)
    RONMF(**PLAIN, solver=ADMM(max_iter=1, tol=1.0), random_state=0).fit(*some)
    assert frames == [["update_A", "solve", "fit_ronmf", "fit"]]
