"""The choice of a graph by hidden labels: no leak, the right winner, and a graph as promised."""

import numpy as np
import pytest
from sklearn.datasets import load_digits

from ronmf import ADMM, RONMF, neighbor_graph
from ronmf.baselines import HarmonicLabelPropagation
from ronmf.bench import salt_pepper
from ronmf.features import HOG, UnitNorm
from ronmf.graph import GraphChoice, GraphRecipe, default_recipes
from ronmf.graph._axes import discriminant_directions
from ronmf.graph._operator import GraphOperator
from ronmf.labels.class_prior import apply_class_prior
from ronmf.labels.hidden_labels import run_trials
from support.graph_choice import LABEL_AXES, Columns, blobs, choose
from support.marks import slow


def test_hidden_labels_do_not_shape_the_axes_that_predict_them():
    """Noise with random labels: axes made with the hidden labels would seem to know them all."""
    rng = np.random.default_rng(0)
    X, codes = rng.random((300, 60)), np.where(np.arange(300) < 90, rng.integers(3, size=300), -1)
    chosen = choose(X, codes, [GraphRecipe(), *LABEL_AXES])
    assert len(chosen.report.candidates) == 5
    for candidate in chosen.report.candidates:
        assert candidate.accuracy < 1 / 3 + 0.12, candidate.recipe
        assert candidate.score < -0.9, candidate.recipe  # log(1/3) is -1.1
    for trial in chosen.trials:
        assert (trial.kept[trial.hidden] == -1).all()
    hits = np.concatenate([t.predictions.argmax(axis=1) == codes[t.hidden] for t in chosen.trials])
    assert hits.mean() < 1 / 3 + 0.12
    # And this is what a leak would look like.
    leaking = X @ discriminant_directions(X, np.eye(3)[codes] * (codes >= 0)[:, None], 0.1)
    graph = GraphOperator.build(neighbor_graph(leaking, 5).affinity, X)
    trials = run_trials(
        codes, lambda kept: graph.propagate(kept, 3, 10.0), np.random.RandomState(0)
    )
    hits = np.concatenate([t.predictions.argmax(axis=1) == codes[t.hidden] for t in trials])
    assert hits.mean() > 0.7


def test_the_same_seed_chooses_the_same_graph():
    X, codes, _ = blobs(120, noise=4)
    recipes = default_recipes(X, None)
    first, again = (choose(X.copy(), codes.copy(), recipes, seed=3) for _ in range(2))
    assert first.report == again.report
    np.testing.assert_array_equal(first.graph.affinity.toarray(), again.graph.affinity.toarray())


@pytest.mark.parametrize("weights", ["self_tuning", "heat", "binary", "cosine"])
@pytest.mark.parametrize("seed", range(2))
def test_the_graph_is_a_blend_of_a_few(weights, seed):
    X, codes, _ = blobs(100, noise=6, seed=seed)
    chosen = choose(X, codes, weights=weights, seed=seed)
    parts, W = chosen.graph.parts, chosen.graph.affinity
    assert 1 <= len(parts) <= 4
    assert sum(part.share for part in parts) == pytest.approx(1.0)
    assert W.sum() / 100 == pytest.approx(1.0)
    assert W.min() >= 0
    assert abs(W - W.T).max() < 1e-12
    assert not W.diagonal().any()
    blend = sum(
        part.share * 100 / part.graph.affinity.sum() * part.graph.affinity.toarray()
        for part in parts
    )
    np.testing.assert_allclose(W.toarray(), blend, atol=1e-12)
    for part in parts:  # each of them is the neighbour graph of its coordinates
        F = X if part.features is None else part.features.transform(X)
        wanted = part.recipe.n_neighbors or 5
        expected = neighbor_graph(part.axes.coordinates(F), wanted, weights=weights).affinity
        assert abs(part.graph.affinity - expected).max() < 1e-9
    shares = [c.share for c in chosen.report.candidates]
    assert shares == sorted(shares, reverse=True)
    assert sorted(p.share for p in parts) == sorted(s for s in shares if s)


def test_scores_are_those_of_propagation_on_the_candidates_graph():
    X, codes, _ = blobs(90, noise=3)
    chosen = choose(X, codes, [GraphRecipe()], seed=5)
    graph = GraphOperator.build(neighbor_graph(X, 5).affinity, X)

    def predict(kept):
        prior = chosen.propagation.class_prior
        return apply_class_prior(graph.propagate(kept, 3, 10.0), kept, prior)

    trials = run_trials(codes, predict, np.random.RandomState(5))
    only = chosen.report.candidates[0]
    true = [t.predictions[range(len(t.hidden)), codes[t.hidden]] for t in trials]
    scores = [np.log(0.98 * share + 0.02 / 3).mean() for share in true]
    assert only.score == pytest.approx(np.mean(scores), abs=1e-3)
    right = [t.predictions.argmax(axis=1) == codes[t.hidden] for t in trials]
    assert only.accuracy == pytest.approx(np.mean([each.mean() for each in right]))
    assert chosen.report.accuracy == pytest.approx(np.concatenate(right).mean())
    for trial, expected in zip(chosen.trials, trials, strict=True):
        np.testing.assert_array_equal(trial.hidden, expected.hidden)
        np.testing.assert_allclose(trial.predictions, expected.predictions, atol=1e-3)


def test_the_features_that_tell_classes_apart_win():
    X, codes, truth = blobs(150, noise=20)
    right, wrong = GraphRecipe(Columns([0, 1, 2])), GraphRecipe(Columns(list(range(3, 23))))
    chosen = choose(X, codes, [wrong, GraphRecipe(), right])
    best = chosen.report.candidates[0]
    assert best.recipe is right
    assert best.share > 0.8
    assert best.accuracy > 0.95
    graphs = {"chosen": [wrong, right], "plain": "plain"}
    scores = {
        name: (HarmonicLabelPropagation(graph=graph, random_state=0).fit(X, codes).labels_ == truth)
        for name, graph in graphs.items()
    }
    assert scores["chosen"].mean() > 0.95
    assert scores["plain"].mean() < 0.7


def test_discriminant_axes_find_the_features_that_tell_classes_apart():
    X, codes, truth = blobs(300, noise=10, labelled=0.3)
    plain, chosen = (
        HarmonicLabelPropagation(graph=graph, random_state=0).fit(X, codes).labels_ == truth
        for graph in ("plain", "auto")
    )
    assert plain[codes < 0].mean() < 0.5
    assert chosen[codes < 0].mean() > 0.95


def test_features_are_told_apart_even_if_they_look_alike():
    """Long parameters print alike; each recipe gets its own features all the same."""
    X, codes, _ = blobs(60, noise=3)
    middles = [0, 1, 2] * 400, [3, 4, 5] * 400
    recipes = [GraphRecipe(Columns(np.array([0, 1, 2, *m, 0, 1, 2]))) for m in middles]
    assert repr(recipes[0]) == repr(recipes[1])
    candidates = choose(X, codes, recipes).report.candidates
    accuracy = {id(c.recipe): c.accuracy for c in candidates}
    assert accuracy[id(recipes[0])] > 0.9
    assert accuracy[id(recipes[1])] < 0.6


@pytest.mark.parametrize("labelled", [0.05, *slow(1.0)])
def test_many_samples_are_compared_in_part_and_joined_all(labelled):
    X, codes, truth = blobs(2400, noise=8, labelled=labelled)
    recipes = [GraphRecipe(), GraphRecipe(UnitNorm()), *LABEL_AXES]
    chosen, again = (choose(X, codes, recipes, seed=1) for _ in range(2))
    assert chosen.report.n_samples == 1000
    assert chosen.report == again.report
    W = chosen.graph.affinity
    assert W.shape == (2400, 2400)
    assert W.sum() / 2400 == pytest.approx(1.0)
    assert (W.sum(axis=1) > 0).all()
    for trial in chosen.trials:
        assert trial.kept.shape == (2400,)
        assert (codes[trial.hidden] >= 0).all()
        assert (trial.kept[trial.hidden] == -1).all()
        same = trial.kept == codes
        assert (same | (trial.kept == -1)).all()
    given = HarmonicLabelPropagation(graph="precomputed").fit(X, codes, affinity=W)
    plain = HarmonicLabelPropagation().fit(X, codes)
    free = codes < 0 if labelled < 1 else slice(None)
    right = (given.labels_ == truth)[free].mean()
    assert right > 0.9
    assert right >= (plain.labels_ == truth)[free].mean()


def test_new_samples_are_linked_as_the_samples_were():
    """With one width for all, a copy of a sample has the sample's edges, and one to itself."""
    X, codes, _ = blobs(80, noise=3)
    graph = choose(X, codes, weights="heat").graph
    indices, weights = graph.link(X)
    counts = [part.recipe.n_neighbors or 5 for part in graph.parts]
    assert indices.shape == weights.shape == (80, sum(counts))
    for part, count, stop in zip(graph.parts, counts, np.cumsum(counts), strict=True):
        columns = slice(stop - count, stop)
        assert (indices[:, columns][:, 0] == np.arange(80)).all()
        near, links = indices[:, columns][:, 1:], weights[:, columns][:, 1:]
        expected = np.take_along_axis(part.graph.affinity.toarray(), near, axis=1) * part.scale
        np.testing.assert_allclose(links, expected, rtol=1e-6)
        assert (links > 0).all()
    total = np.zeros((80, 80))
    np.add.at(total, (np.arange(80)[:, None], indices), weights)
    np.fill_diagonal(total, 0)
    assert (total <= graph.affinity.toarray() + 1e-9).all()


def test_every_query_is_linked_on_its_own(digits):
    X, y, _ = digits
    model = HarmonicLabelPropagation(graph="auto", image_shape=(8, 8), random_state=0)
    model.fit(X[:150], y[:150])
    queries = X[400:420]
    indices, weights = model.graph_.link(queries)
    for i in range(20):
        alone = model.graph_.link(queries[i : i + 1])
        np.testing.assert_array_equal(alone[0][0], indices[i])
        np.testing.assert_allclose(alone[1][0], weights[i], rtol=1e-9)
    assert (model.predict(queries) == model.predict(queries[::-1])[::-1]).all()


def test_recipes_of_ones_own(digits):
    X, y, _ = digits
    recipes = [GraphRecipe(n_neighbors=3), GraphRecipe(HOG(image_shape=(8, 8)), "lda")]
    graph = GraphChoice(recipes, edge_weights="binary")
    model = RONMF(graph=graph, solver=ADMM(max_iter=2), random_state=0).fit(X, y)
    report = model.graph_report_
    assert {c.recipe.key for c in report.candidates} == {recipe.key for recipe in recipes}
    text = str(report)
    assert report.n_hidden == np.isin(y, np.flatnonzero(np.bincount(y[y >= 0]) > 1)).sum()
    assert f"{report.n_hidden} given labels" in text
    assert "as is, PCA 100, 3 neighbours" in text
    assert "HOG, LDA 0.5" in text
    for part in model.graph_.parts:
        wanted = part.recipe.n_neighbors or 5
        assert part.graph.indices.shape == (600, wanted)
        assert (part.graph.affinity.toarray() > 0).sum(axis=1).min() >= wanted


def test_a_single_recipe_without_labels_is_the_plain_graph():
    X, codes, _ = blobs(90, noise=3)
    model = RONMF(graph=GraphRecipe(), solver=ADMM(max_iter=2), random_state=0).fit(X, codes)
    plain = neighbor_graph(X, 5).affinity
    expected = plain.toarray() * 90 / plain.sum()
    np.testing.assert_allclose(model.graph_.affinity.toarray(), expected, atol=1e-6)
    assert [c.share for c in model.graph_report_.candidates] == [1.0]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"axes": "ica"}, "axes of GraphRecipe must be .*'pca'.*; got 'ica'"),
        ({"n_components": 0}, "n_components of GraphRecipe must be an int .*; got 0"),
        ({"shrinkage": 1.5}, "shrinkage of GraphRecipe must be .*; got 1.5"),
        ({"whitening": -0.5}, "whitening of GraphRecipe must be .*; got -0.5"),
        ({"prior": 0.0}, "prior of GraphRecipe must be .*; got 0.0"),
    ],
)
def test_bad_recipes_get_one_sentence(settings, message):
    with pytest.raises(ValueError, match=message):
        GraphRecipe(**settings).validate()


@pytest.mark.parametrize("recipes", [[], LABEL_AXES])
def test_recipes_must_have_one_that_needs_no_labels(recipes):
    with pytest.raises(ValueError, match="none that needs no labels"):
        choose(np.eye(8), np.arange(8) % 2, recipes)


@pytest.mark.slow
def test_pictures_with_noise_gain_by_their_own_graphs():
    """Salt and pepper in a tenth of the pixels: the mean over draws, on unlabelled digits."""
    X, truth = load_digits(return_X_y=True)
    accuracy = {"auto": [], "plain": []}
    for seed in range(3):
        rng = np.random.default_rng(seed)
        some = rng.permutation(len(X))[:400]
        noisy = salt_pepper(X[some] / 16.0, 0.1, rng)
        y = np.where(np.arange(400) < 100, truth[some], -1)
        for graph, found in accuracy.items():
            model = RONMF(graph=graph, image_shape=(8, 8), solver=ADMM(max_iter=20), random_state=0)
            found.append((model.fit(noisy, y).transduction_ == truth[some])[100:].mean())
    assert np.mean(accuracy["auto"]) > np.mean(accuracy["plain"]) + 0.02
