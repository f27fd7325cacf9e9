"""What decides where labels are few or clusters have none: priors, cuts, tentative labels."""

import numpy as np
import pytest
import scipy.sparse as sp

from ronmf import RONMF, neighbor_graph
from ronmf.graph import GraphRecipe
from ronmf.graph._operator import GraphOperator
from ronmf.graph._spectral import normalized_cut
from ronmf.graph._spectral_clusters import spectral_clusters
from ronmf.graph.selection import tuning
from ronmf.graph.selection.contest import Contest
from ronmf.graph.selection.shares import clearness, shares_in
from ronmf.labels.class_prior import apply_class_prior
from ronmf.metrics import clustering_accuracy
from support.graph_choice import LABEL_AXES, Columns, blobs, choose, contest


def test_priors_decide_where_no_label_can_be_hidden_and_fade_with_labels():
    X, codes, truth = blobs(60, labelled=0.0)
    codes[:3] = truth[:3]
    # Two recipes of one graph: nothing but the prior tells them apart.
    recipes = [GraphRecipe(n_components=3, prior=0.1), GraphRecipe(n_components=4)]
    chosen = choose(X, codes, recipes)
    shares = {c.recipe.n_components: c.share for c in chosen.report.candidates}
    assert shares[4] == pytest.approx(10 * shares[3])
    assert chosen.trials == []
    assert chosen.report.n_hidden == 0
    assert np.isnan(chosen.report.accuracy)
    assert "no label could be hidden" in str(chosen.report)
    codes[:45] = truth[:45]
    shares = {c.recipe.n_components: c.share for c in choose(X, codes, recipes).report.candidates}
    assert shares[4] == pytest.approx(10**0.3 * shares[3])


def test_without_evidence_the_graph_of_clear_clusters_weighs_more():
    X, _, truth = blobs(120, noise=6, labelled=0.0)
    clear, murky = GraphRecipe(Columns([0, 1, 2])), GraphRecipe(Columns([3, 4, 5, 6]))
    for known in (np.full(120, -1), np.where(np.arange(120) < 3, truth, -1)):
        report = choose(X, known, [murky, clear], n_clusters=3).report
        assert report.candidates[0].recipe is clear
        assert report.candidates[0].share > (0.9 if known.max() < 0 else 0.75)


def test_graphs_that_do_not_fall_apart_clearly_are_told_apart_by_their_priors_alone():
    """Clusters in such a graph may be those of the light: which are clearer says little."""
    X = np.random.default_rng(0).random((150, 12))
    recipes = [GraphRecipe(Columns([0, 1, 2])), GraphRecipe(Columns(list(range(3, 12))))]
    found = contest(X, np.full(150, -1), recipes)
    found.n_clusters = 4
    graphs = [found.judged[recipe].graphs[0] for recipe in recipes]
    cuts = [normalized_cut(W, spectral_clusters(W, 4, np.random.RandomState(0)), 4) for W in graphs]
    assert min(cuts) > 0.07
    assert max(cuts) > 1.3 * min(cuts)
    assert [clearness(recipe, found) for recipe in recipes] == [1.0, 1.0]
    assert list(shares_in(0, found).values()) == pytest.approx([0.5, 0.5])


def test_tentative_labels_make_axes_where_none_can_be_hidden():
    """Classes along quiet axes: their spread hides them from distances, a first guess finds it."""
    X, codes, truth = blobs(240, noise=30, labelled=0.0, seed=1)
    X[:, 3:] /= 4
    codes[:3] = truth[:3]
    chosen = choose(X, codes, [GraphRecipe(), *LABEL_AXES])
    axes = {part.recipe.axes: part.share for part in chosen.graph.parts}
    refined = sum(p.share for p in chosen.graph.parts if p.recipe.axes == "propagated lda")
    assert "lda" not in axes
    assert refined == pytest.approx(0.75)
    right = {}
    for name, W in {
        "chosen": chosen.graph.affinity,
        "plain": neighbor_graph(X, 5).affinity,
    }.items():
        A = apply_class_prior(GraphOperator.build(W, X).propagate(codes, 3, 10.0), codes, "labels")
        right[name] = (A.argmax(axis=1) == truth)[3:].mean()
    assert right["chosen"] > right["plain"] + 0.1


@pytest.mark.parametrize(("labelled", "sparse"), [(6, True), (60, False)])
def test_sparse_labels_choose_first_and_then_guess(labelled, sparse):
    X, codes, truth = blobs(240, noise=30, labelled=0.0, seed=1)
    codes[:labelled] = truth[:labelled]
    chosen = choose(X, codes, [GraphRecipe(), GraphRecipe(axes="lda"), *LABEL_AXES])
    first = [c.share for c in chosen.report.candidates if c.recipe.axes != "propagated lda"]
    assert (sum(first) < 0.25 + 1e-12) == sparse
    assert sum(c.share for c in chosen.report.candidates) == pytest.approx(1)
    assert len({c.recipe.key for c in chosen.report.candidates}) == len(chosen.report.candidates)
    assert len(chosen.trials) > 2
    assert chosen.tentative == []


@pytest.mark.parametrize("n_clusters", [3, 4])
def test_predictions_of_predictions_do_not_agree_where_there_are_no_classes(n_clusters):
    """Axes of tentative labels separate them well, true or not: trials must make their own."""
    X = np.random.default_rng(3).normal(size=(240, 20))
    codes = np.full(240, -1)
    codes[:3] = np.arange(3)
    chosen = choose(X, codes, [GraphRecipe(), *LABEL_AXES], n_clusters=n_clusters)
    assert chosen.trials == []
    agreed = [(t.predictions.argmax(axis=1) == t.truth).mean() for t in chosen.tentative]
    assert len(agreed) == 3
    assert np.mean(agreed) < 0.55  # on the final graph 0.92 and 0.67


def test_a_trial_in_which_no_chosen_graph_has_edges():
    """Copies of one sample define no axes: such a graph predicts nothing, and says so."""
    X = np.ones((30, 3))
    codes = np.where(np.arange(30) < 6, np.arange(30) % 3, -1)
    chosen = choose(X, codes, [GraphRecipe(), *LABEL_AXES])
    for trial in chosen.trials:
        np.testing.assert_allclose(trial.predictions.sum(axis=1), 1.0)
    found = contest(X, codes, [GraphRecipe()])
    nothing = sp.csr_array((30, 30))
    np.testing.assert_allclose(found.propagate(nothing, codes)[6:], 1 / 3)


def test_flat_pictures_have_no_gradients_and_are_clustered_all_the_same():
    gray = np.r_[np.linspace(0.1, 0.2, 15), np.linspace(0.8, 0.9, 15)]
    X, truth = np.repeat(gray[:, None], 64, axis=1), np.repeat([0, 1], 15)
    y = np.where(np.arange(30) % 5 == 0, truth, -1)
    assert (RONMF(image_shape=(8, 8), random_state=0).fit(X, y).labels_ == truth).all()
    assert RONMF(2, image_shape=(8, 8), random_state=0).fit(X).labels_.shape == (30,)


def test_equal_recipes_compete_once():
    X, codes, _ = blobs(60)
    report = choose(X, codes, [GraphRecipe(), GraphRecipe()]).report
    assert [c.share for c in report.candidates] == [1.0]


def test_a_small_prior_is_no_reason_to_have_no_graph():
    X, _, _ = blobs(30)
    recipes = [GraphRecipe(prior=0.01), GraphRecipe(axes="lda")]
    assert len(choose(X, np.full(30, -1), recipes, n_clusters=3).graph.parts) == 1


def test_clusters_without_a_label_get_no_axes_of_the_labelled_ones():
    X, codes, truth = blobs(150, labelled=0.4)
    codes[truth == 2] = -1
    chosen = choose(X, codes, [GraphRecipe(), *LABEL_AXES], n_clusters=3)
    assert {c.recipe.axes for c in chosen.report.candidates} == {"pca", "propagated lda"}
    model = RONMF(3, random_state=0).fit(X, codes)
    assert clustering_accuracy(truth, model.labels_) > 0.95


@pytest.mark.parametrize(("per_class", "more"), [(2, 1), (6, 0)])
def test_a_second_guess_is_made_of_few_labels_only(monkeypatch, per_class, more):
    X, _, truth = blobs(600, noise=3, labelled=0.1)
    codes = np.full(600, -1)
    for j in range(3):
        codes[np.flatnonzero(truth == j)[:per_class]] = j
    made, original = [], Contest.guess
    monkeypatch.setattr(Contest, "guess", lambda *a: made.append(a[2]) or original(*a))

    def guesses_with_all_labels():
        made.clear()
        choose(X, codes, [GraphRecipe(), *LABEL_AXES])
        return sum(np.array_equal(known, codes) for known in made)

    found = guesses_with_all_labels()
    monkeypatch.setattr(tuning, "POOR_GUESS", 0)
    assert found == guesses_with_all_labels() + more
