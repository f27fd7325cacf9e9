"""Labelled samples are split; unlabelled ones stay in every training part."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.model_selection import GridSearchCV, cross_val_score

from ronmf import ADMM, MCP, RONMF, GraphRecipe, HarmonicLabelPropagation, LabelledKFold
from ronmf.baselines import GNMF, LNP


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6), n_splits=st.integers(2, 4))
def test_every_labelled_sample_is_tested_once_and_unlabelled_ones_always_train(seed, n_splits):
    rng = np.random.default_rng(seed)
    y = np.concatenate([np.repeat([0, 1, 2], 5), np.full(20, -1)])
    y = rng.permutation(y)
    tested = []
    for train, test in LabelledKFold(n_splits, random_state=seed).split(y, y):
        assert not set(train) & set(test)
        assert set(np.flatnonzero(y == -1)) <= set(train)
        assert len(train) + len(test) == len(y)
        assert set(y[train]) == {-1, 0, 1, 2}
        tested.extend(test)
    assert sorted(tested) == np.flatnonzero(y >= 0).tolist()


def test_names_and_missing_labels_are_read_as_in_fit():
    y = ["cat", None, "dog", "cat", float("nan"), "dog", -1]
    parts = list(LabelledKFold(2, random_state=0).split(np.zeros((7, 1)), y))
    assert sorted(np.concatenate([test for _, test in parts]).tolist()) == [0, 2, 3, 5]


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (None, "y is None"),
        ([0, 0, 0, 1], "n_splits=3 is more than the 1 labels of the rarest class"),
        ([-1, -1, -1, -1], "the 0 labels of the rarest class"),
    ],
)
def test_what_cannot_be_split_gets_a_sentence(y, message):
    with pytest.raises(ValueError, match=message):
        next(LabelledKFold().split(np.zeros((4, 1)), y))


@pytest.mark.parametrize(
    "model",
    [RONMF(graph="plain"), HarmonicLabelPropagation(), LNP(), GNMF(10)],
    ids=lambda model: type(model).__name__,
)
def test_cross_validation_of_every_kind_of_estimator(digits, model):
    X, _, truth = digits
    y = np.where(np.arange(len(truth)) % 10 < 2, truth, -1)
    folds = LabelledKFold(2, random_state=0)
    scores = cross_val_score(model.set_params(random_state=0), X, y, cv=folds)
    assert scores.shape == (2,)
    assert (scores > 0.3).all()  # GNMF names its clusters by the labels


def test_parameters_of_penalty_and_graph_can_be_searched(digits):
    X, _, truth = digits
    y = np.where(np.arange(len(truth)) % 10 < 2, truth, -1)
    model = RONMF(
        penalty=MCP(), graph=GraphRecipe(), solver=ADMM(max_iter=5, tol=1.0), random_state=0
    )
    grid = {"penalty__tau": [1.5, 3.0], "graph__n_neighbors": [1, 5]}
    search = GridSearchCV(model, grid, cv=LabelledKFold(2, random_state=0)).fit(X, y)
    assert search.best_params_["graph__n_neighbors"] == 5
    assert search.best_score_ > 0.8
    assert search.best_estimator_.graph_.parts[0].graph.n_neighbors == 5
