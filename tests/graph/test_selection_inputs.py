"""What the choice of a graph is given: recipes, features, labels, and what is wrong with them."""

import numpy as np
import pytest
import sklearn
from sklearn.feature_selection import SelectKBest
from sklearn.pipeline import FeatureUnion, make_pipeline
from sklearn.preprocessing import FunctionTransformer, KBinsDiscretizer

from ronmf import RONMF
from ronmf.features import HOG, UnitNorm
from ronmf.graph import GraphRecipe, Propagation, default_recipes
from support.graph_choice import choose


def separate_classes():
    """Return three clouds of twenty samples, of unequal size in labels."""
    rng = np.random.RandomState(0)
    truth = np.repeat([0, 1, 2], 20)
    X = np.eye(3)[truth] @ rng.uniform(1, 3, (3, 6)) + rng.uniform(0, 0.5, (60, 6))
    codes = np.where(np.isin(np.arange(60), [0, 1, 2, 3, 4, 20, 21, 22, 40, 41]), truth, -1)
    return X, codes


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"n_components": 2.5}, "n_components .* got 2.5"),
        ({"n_neighbors": 0}, "n_neighbors .* got 0"),
        ({"shrinkage": "much"}, "shrinkage .* got 'much'"),
        ({"features": "hog"}, "features='hog'"),
        ({"features": UnitNorm}, "is no transformer"),
        ({"axes": "ica"}, "axes .* got 'ica'"),
    ],
)
def test_recipes_that_cannot_be_made_are_refused_at_once(settings, message):
    with pytest.raises(ValueError, match=message):
        choose(*separate_classes(), [GraphRecipe(**settings)])


def test_features_of_any_container_and_any_constructor():
    X, codes = separate_classes()
    union = FeatureUnion([("unit", UnitNorm()), ("columns", SelectKBest(k=2))])
    assert str(GraphRecipe(union)).startswith("FeatureUnion")
    recipe = GraphRecipe(UnitNorm())
    with sklearn.config_context(transform_output="pandas"):
        framed = choose(X, codes, [recipe])
    plain = choose(X, codes, [recipe])
    assert abs(framed.graph.affinity - plain.graph.affinity).max() == 0
    sparse = GraphRecipe(KBinsDiscretizer(3, encode="onehot", strategy="uniform"))
    with pytest.raises(ValueError, match="KBinsDiscretizer are sparse"):
        choose(X, codes, [sparse])


def test_features_of_whole_numbers_are_as_good_as_fractions():
    X, codes = separate_classes()
    whole, fractions = (
        GraphRecipe(FunctionTransformer(lambda Z, t=t: (Z.mean() < Z).astype(t)), n_components=3)
        for t in (int, float)
    )
    first, second = (choose(X, codes, [each]) for each in (whole, fractions))
    assert abs(first.graph.affinity - second.graph.affinity).max() == 0


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda Z: np.full_like(Z, np.nan), "features of FunctionTransformer are infinite or NaN"),
        (lambda Z: Z.sum(axis=1), "features of FunctionTransformer have shape"),
        (lambda Z: Z[:5], "one row of numbers for each of"),
    ],
)
def test_features_that_are_none_get_a_sentence(function, message):
    with pytest.raises(ValueError, match=message):
        choose(*separate_classes(), [GraphRecipe(FunctionTransformer(function))])


def test_a_later_change_of_a_recipe_does_not_reach_a_fit():
    X, codes = separate_classes()
    model = RONMF(graph=GraphRecipe(n_components=2), random_state=0).fit(X - X.min(), codes)
    before = str(model.graph_report_)
    model.set_params(graph__n_components=99)
    assert str(model.graph_report_) == before
    assert "'ldaa'" in str(GraphRecipe(axes="ldaa"))


def test_features_of_a_recipe_learn_the_shape_of_pictures():
    pictures = np.random.default_rng(0).random((30, 8, 8))
    y = np.where(np.arange(30) < 12, np.arange(30) % 3, -1)
    recipe = GraphRecipe(make_pipeline(HOG(cell=2.0), UnitNorm()))
    model = RONMF(graph=recipe, random_state=0).fit(pictures, y)
    assert recipe.features[0].image_shape is None
    assert model.graph_.parts[0].features[0].image_shape == (8, 8)


def test_inputs_of_the_choice_are_checked():
    X, codes = separate_classes()
    with pytest.raises(ValueError, match="codes has shape"):
        choose(X, codes[:-1], [GraphRecipe()])
    with pytest.raises(ValueError, match="list that is empty or holds something else"):
        RONMF(graph=["auto"]).fit(X, codes)
    assert len(default_recipes(X.tolist(), None)) == len(default_recipes(X, None))
    with pytest.raises(ValueError, match="image_shape"):
        default_recipes(X, (3,))


def test_class_prior_reaches_the_trials():
    X, codes = separate_classes()
    rng = np.random.RandomState(0)
    X = X + rng.uniform(0, 2, X.shape)
    scaled, plain = (
        choose(X, codes, [GraphRecipe()], propagation=Propagation(class_prior=prior)).trials
        for prior in ("labels", None)
    )
    assert any((a.predictions != b.predictions).any() for a, b in zip(scaled, plain, strict=True))
