"""How a graph is found, as an object of the estimator."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

from ronmf import (
    ADMM,
    RONMF,
    GraphChoice,
    GraphRecipe,
    HarmonicLabelPropagation,
    LabelledKFold,
    load_model,
    neighbor_graph,
    save_model,
)
from ronmf.bench import make_method
from ronmf.features import UnitNorm
from ronmf.graph import LabelEdgeGraph
from support.models import differences

HEAT = GraphChoice("plain", edge_weights="heat", heat_width=0.7, label_edges=True)
SHORT = {"class_prior": None, "random_state": 0}
both = pytest.mark.parametrize(
    "model",
    [RONMF(solver=ADMM(max_iter=3, tol=1.0), **SHORT), HarmonicLabelPropagation(**SHORT)],
    ids=["RONMF", "propagation"],
)


@pytest.fixture(scope="module")
def some(digits):
    X, y, _ = digits
    return X[:200], y[:200]


@both
@pytest.mark.parametrize("graph", ["plain", "auto", GraphRecipe(), [GraphRecipe()]], ids=str)
def test_a_name_or_recipes_are_short_for_a_choice(model, graph, some):
    found = [clone(model).set_params(graph=g).fit(*some) for g in (graph, GraphChoice(graph))]
    np.testing.assert_array_equal(found[0].membership_, found[1].membership_)
    assert str(found[0].graph_report_) == str(found[1].graph_report_)
    assert found[0].graph is graph


@both
def test_its_parameters_make_the_graph(model, some):
    X, y = some
    heat = neighbor_graph(X, 4, weights="heat", heat_width=0.7)
    fitted = clone(model).set_params(graph=HEAT, n_neighbors=4).fit(X, y)
    edited = LabelEdgeGraph.edit(heat, y).affinity
    np.testing.assert_allclose(fitted.graph_.affinity.toarray(), edited.toarray())
    own = clone(model).set_params(graph=GraphChoice("precomputed", label_edges=True))
    own.fit(X, y, affinity=heat.affinity)
    np.testing.assert_allclose(own.graph_.affinity.toarray(), edited.toarray())


@both
def test_edge_weights_are_those_of_all_candidates(model, some):
    recipes = [GraphRecipe(), GraphRecipe(n_components=9)]
    chosen = clone(model).set_params(graph=GraphChoice(recipes, edge_weights="binary")).fit(*some)
    assert {part.graph.weights for part in chosen.graph_.parts} == {"binary"}


@both
def test_its_parameters_are_set_by_name(model):
    model = clone(model).set_params(graph="plain", graph__heat_width=2.0)
    assert (model.graph.candidates, model.graph.heat_width) == ("plain", 2.0)
    copy = clone(model).set_params(graph__heat_width=3.0, n_neighbors=9)
    assert (copy.graph.heat_width, model.graph.heat_width) == (3.0, 2.0)
    assert copy.set_params(graph="auto").graph == "auto"
    recipes = [GraphRecipe(), GraphRecipe(n_components=9)]
    assert copy.set_params(graph=recipes, graph__label_edges=True).graph.candidates is recipes
    copy.set_params(graph=GraphChoice(GraphRecipe()), graph__candidates__n_components=7)
    assert copy.graph.candidates.n_components == 7
    copy.set_params(graph=GraphRecipe(), graph__n_components=8)  # a recipe has its own
    assert copy.graph.n_components == 8
    recipe = copy.graph
    copy.set_params(graph__edge_weights="heat")  # and a choice among it alone has the others
    assert (copy.graph.candidates, copy.graph.edge_weights) == (recipe, "heat")
    with pytest.raises(ValueError, match="GraphChoice has no parameter 'beta'"):
        copy.set_params(graph="auto").set_params(graph__beta=1)


def test_methods_by_name_take_them():
    for name in ("RONMF-M", "RONMF-E, printed", "Propagation, chosen graph"):
        choice = make_method(name, graph__label_edges=True).graph
        assert choice.label_edges
        assert choice.candidates == ("plain" if "printed" in name else "auto")
    assert make_method("RONMF", graph="plain", graph__edge_weights="heat").graph.edge_weights


@both
def test_a_later_change_does_not_reach_a_fit(model, some):
    X, y = some
    choice = GraphChoice([GraphRecipe(), GraphRecipe(n_components=9)])
    fitted = clone(model).set_params(graph=choice).fit(X, y)
    before = fitted.predict_proba(X[:9]), str(fitted.graph_report_)
    choice.candidates[0].set_params(n_components=3)
    choice.set_params(edge_weights="binary", label_edges=True)
    np.testing.assert_array_equal(fitted.predict_proba(X[:9]), before[0])
    assert str(fitted.graph_report_) == before[1]


@both
def test_a_search_over_edge_weights(model, digits):
    X, _, truth = digits
    y = np.where(np.arange(len(truth)) % 10 < 2, truth, -1)
    grid = {"graph": ["plain"], "graph__edge_weights": ["heat", "cosine"]}
    folds = LabelledKFold(2, random_state=0)
    search = GridSearchCV(clone(model), grid, cv=folds, error_score="raise").fit(X, y)
    found = search.best_estimator_.graph
    assert found.candidates == "plain"
    assert found.edge_weights == search.best_params_["graph__edge_weights"]
    assert search.best_estimator_.graph_.weights == found.edge_weights


@both
@pytest.mark.parametrize(
    ("graph", "sentence"),
    [
        (GraphChoice("knn"), r"graph: candidates of GraphChoice must be .*; got 'knn'\.$"),
        (GraphChoice(edge_weights="gauss"), r"graph: edge_weights of .*'heat'.*; got 'gauss'\.$"),
        (GraphChoice(heat_width=-1.0), r"graph: heat_width of .* or None; got -1\.0\.$"),
        (GraphChoice(heat_width=np.inf), r"graph: heat_width of .* or None; got inf\.$"),
        (GraphChoice(heat_width=True), r"graph: heat_width of .* or None; got True\.$"),
        (GraphChoice(label_edges="no"), r"graph: label_edges of .*bool.*; got 'no'\.$"),
        (GraphChoice([]), r"^graph is a list that is empty or holds something else"),
        (GraphChoice(["plain"]), r"^graph is a list that is empty or holds something else"),
        (GraphChoice(GraphRecipe(axes="umap")), r"^axes of GraphRecipe .*; got 'umap'"),
        (GraphChoice, r"^The 'graph' parameter of \w+ must be .*GraphChoice.* Got <class"),
        (
            GraphChoice(heat_width=2.0),
            r"^heat_width=2\.0 is for edge_weights='heat', but edge_weights='self_tuning'; set"
            r" edge_weights='heat' or leave heat_width out\.$",
        ),
    ],
    ids=str,
)
def test_a_wrong_choice_gets_one_sentence(model, graph, sentence, some):
    with pytest.raises(ValueError, match=sentence) as caught:
        clone(model).set_params(graph=graph).fit(*some)
    assert "\n" not in str(caught.value)


@both
def test_a_saved_model_keeps_it(model, some, tmp_path):
    for graph in (HEAT, GraphChoice([GraphRecipe(), GraphRecipe(n_components=9)])):
        fitted = clone(model).set_params(graph=graph).fit(*some)
        save_model(fitted, tmp_path / "model.ronmf")
        again = load_model(tmp_path / "model.ronmf")
        assert repr(again.graph) == repr(graph)
        assert not list(differences(fitted, again))
        refitted = clone(again).fit(*some)
        np.testing.assert_array_equal(refitted.membership_, fitted.membership_)


def test_a_warm_start_sees_that_it_changed(some):
    model = RONMF(warm_start=True, solver=ADMM(max_iter=3, tol=1.0), **SHORT)
    first = model.set_params(graph=GraphChoice("plain")).fit(*some).graph_
    assert model.fit(*some).graph_ is first
    assert model.set_params(graph="plain").fit(*some).graph_ is first
    binary = model.set_params(graph__edge_weights="binary").fit(*some).graph_
    assert binary.weights == "binary"


@both
def test_parameters_of_a_recipe_keep_their_names_in_a_choice(model):
    """One search may set the edges and the axes of a recipe, in any order."""
    model = clone(model).set_params(graph=GraphRecipe(UnitNorm()))
    model.set_params(graph__edge_weights="heat").set_params(graph__n_components=7)
    assert (model.graph.edge_weights, model.graph.candidates.n_components) == ("heat", 7)
    at_once = {"graph__n_components": 5, "graph__heat_width": 2.0, "graph__features": None}
    model.set_params(graph=GraphRecipe(UnitNorm()), **at_once)
    assert model.graph.heat_width == 2.0
    assert (model.graph.candidates.n_components, model.graph.candidates.features) == (5, None)
    with pytest.raises(ValueError, match="GraphChoice has no parameter 'nonsense'"):
        model.set_params(graph__nonsense=1)
