"""Data and recipes for tests of the choice of a graph."""

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin

from ronmf.graph import Edges, GraphRecipe, GraphRequest, choose_graph, default_recipes
from ronmf.graph.selection.contest import Contest

LABEL_AXES = [
    GraphRecipe(axes=a, shrinkage=s) for a in ("lda", "propagated lda") for s in (0.1, 0.5)
]


class Columns(TransformerMixin, BaseEstimator):
    """Features that are some columns of the data."""

    def __init__(self, columns=None):
        self.columns = columns

    def fit(self, X, y=None):
        return self

    def transform(self, X):
        return X[:, self.columns]


def choose(X, codes, recipes=None, seed=0, weights="self_tuning", **settings):
    recipes = default_recipes(X, None) if recipes is None else recipes
    request = GraphRequest(X, codes, edges=Edges(weights=weights), rng=seed, **settings)
    return choose_graph(request, recipes)


def contest(X, codes, recipes, judged=True):
    """Return a contest whose candidates without propagated labels were judged."""
    found = Contest(GraphRequest(X, codes), recipes, np.random.RandomState(0))
    if judged:
        found.judge([recipe for recipe in recipes if recipe.axes != "propagated lda"])
    return found


def blobs(n, *, noise=0, labelled=0.2, seed=0):
    """Three classes in three columns, and louder columns that say nothing."""
    rng = np.random.default_rng(seed)
    truth = np.arange(n) % 3
    told = 3 * np.eye(3)[truth] + rng.random((n, 3))
    X = np.concatenate([told, 20 * rng.random((n, noise))], axis=1)
    return X, np.where(rng.random(n) < labelled, truth, -1), truth
