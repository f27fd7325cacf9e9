"""A linear view beside the graph: what it says, what it does to propagation, and what it sees."""

import numpy as np
import pytest
import scipy.sparse as sp

from ronmf import RONMF, neighbor_graph
from ronmf.baselines import HarmonicLabelPropagation
from ronmf.graph import default_recipes
from ronmf.graph._axes import UnitScale, principal_axes
from ronmf.graph._linear_view import LinearView
from ronmf.graph._operator import GraphOperator
from ronmf.graph.selection import tuning
from ronmf.saving import load_model, save_model
from support.graph_choice import blobs, choose


def a_view(X, weight=1.0, n_axes=100):
    features = UnitScale().fit(X)
    F = features.transform(X)
    axes = principal_axes(F, n_axes)
    return LinearView(features, axes, axes.coordinates(F), weight)


def a_graph(n=40, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.random((n, 3))
    codes = np.where(np.arange(n) < 6, np.arange(n) % 3, -1)
    P = rng.dirichlet(np.ones(3), n)
    return GraphOperator.build(neighbor_graph(X, 4).affinity, X), codes, P


@pytest.mark.parametrize("weight", [0.1, 2.0])
def test_propagation_beside_a_view_solves_its_equations(weight):
    graph, codes, P = a_graph()
    W, known = graph.affinity.toarray(), codes >= 0
    pull = graph.mean_degree * np.where(known, 10.0, weight)
    target = np.where(known[:, None], np.eye(3)[codes], P)
    true = np.linalg.solve(np.diag(W.sum(axis=1) + pull) - W, pull[:, None] * target)
    found = graph.propagate(codes, 3, 10.0, view=(P, weight))
    np.testing.assert_allclose(found, true, atol=1e-8)
    np.testing.assert_allclose(found.sum(axis=1), 1.0, atol=1e-8)


def test_a_view_without_weight_says_nothing_and_a_heavy_one_everything():
    graph, codes, P = a_graph()
    alone = graph.propagate(codes, 3, 10.0)
    np.testing.assert_allclose(graph.propagate(codes, 3, 10.0, view=(P, 0.0)), alone, atol=1e-8)
    heavy = graph.propagate(codes, 3, 10.0, view=(P, 1e6))
    np.testing.assert_allclose(heavy[codes < 0], P[codes < 0], atol=1e-4)


def test_a_sample_without_edges_is_where_the_view_says():
    graph, codes, P = a_graph()
    W = graph.affinity.tolil()
    W[20], W[:, 20] = 0, 0
    lonely = GraphOperator.build(sp.csr_array(W), P)
    np.testing.assert_allclose(lonely.propagate(codes, 3, 10.0, view=(P, 1.0))[20], P[20])


def test_samples_in_another_order_get_the_same():
    graph, codes, P = a_graph()
    order = np.random.default_rng(1).permutation(40)
    ordered = GraphOperator.build(graph.affinity, P, order)
    expected = graph.propagate(codes, 3, 10.0, view=(P, 0.5))
    np.testing.assert_allclose(ordered.propagate(codes, 3, 10.0, view=(P, 0.5)), expected)


def test_the_rule_is_that_of_shrunk_discriminant_analysis():
    rng = np.random.default_rng(0)
    truth = np.arange(60) % 3
    X = 3 * np.eye(4)[truth] + rng.normal(size=(60, 4))
    codes = np.where(np.arange(60) < 30, truth, -1)
    unsure = np.full((60, 3), 1 / 3)  # nothing is guessed
    _, P = a_view(X).of_classes(unsure, codes)
    known = X[:30]
    means = np.array([known[codes[:30] == j].mean(axis=0) for j in range(3)])
    apart = known - means[codes[:30]]
    scatter = apart.T @ apart / 30
    shrunk = 0.9 * scatter + 0.1 * np.trace(scatter) / 4 * np.eye(4)
    off = X[:, None] - means
    distance = np.einsum("njp,pq,njq->nj", off, np.linalg.inv(shrunk), off)
    np.testing.assert_array_equal(P.argmax(axis=1), distance.argmin(axis=1))
    # A temperature is all that is left between the logarithms and the distances
    ratio = (np.log(P[:, 0] / P[:, 1])) / (distance[:, 1] - distance[:, 0])
    np.testing.assert_allclose(ratio, ratio[0], rtol=1e-3)


def test_the_view_is_as_sure_as_the_root_of_the_graphs_certainty():
    X, codes, _ = blobs(90, noise=4)
    A = np.random.default_rng(0).dirichlet([2.0, 1.0, 1.0], 90)
    _, P = a_view(X).of_classes(A, codes)
    free = codes < 0
    expected = np.sqrt(A[free].max(axis=1).mean())
    assert P[free].max(axis=1).mean() == pytest.approx(expected, abs=0.01)


def test_a_new_sample_is_seen_as_one_of_the_fit():
    X, codes, _ = blobs(90, noise=4)
    A = np.random.default_rng(0).dirichlet(np.ones(3), 90)
    rule, P = a_view(X).of_classes(A, codes)
    np.testing.assert_allclose(rule.probabilities(X[5:9]), P[5:9], atol=1e-6)


@pytest.mark.parametrize(
    "codes", [np.zeros(20, dtype=int), np.arange(20) % 2], ids=["one class", "all labelled"]
)
def test_there_is_nothing_to_see(codes):
    X, n_classes = np.random.default_rng(0).random((20, 3)), codes.max() + 1
    assert a_view(X).of_classes(np.full((20, n_classes), 1 / n_classes), codes) is None


def test_equal_samples_are_not_told_apart():
    codes = np.array([0, 1, -1, -1])
    assert a_view(np.ones((4, 3))).of_classes(np.full((4, 2), 0.5), codes) is None


def test_hidden_labels_do_not_shape_the_view_that_predicts_them(monkeypatch):
    """Random labels of noise; the view stays whatever they say."""
    monkeypatch.setattr(tuning, "VIEW_WORSE", np.inf)
    rng = np.random.default_rng(0)
    X, codes = rng.random((300, 60)), np.where(np.arange(300) < 90, rng.integers(3, size=300), -1)
    chosen = choose(X, codes, default_recipes(X, None))
    assert chosen.propagation.view is not None
    hits = np.concatenate([t.predictions.argmax(axis=1) == codes[t.hidden] for t in chosen.trials])
    assert hits.mean() < 1 / 3 + 0.12


def test_one_label_of_each_class_and_a_named_graph_have_no_view():
    X, codes, truth = blobs(90, noise=4)
    first = [np.flatnonzero(truth == j)[0] for j in range(3)]
    one = np.where(np.isin(np.arange(90), first), truth, -1)
    assert RONMF(random_state=0).fit(X, one).linear_weight_ == 0
    assert RONMF(graph="plain", random_state=0).fit(X, codes).linear_weight_ == 0


@pytest.mark.parametrize("cls", [RONMF, HarmonicLabelPropagation])
def test_a_fit_with_a_view_predicts_new_samples_and_comes_back_from_disk(cls, tmp_path):
    X, codes, truth = blobs(150, noise=2)
    model = cls(graph="auto", random_state=0).fit(X[:120], codes[:120])
    assert model.linear_weight_ == tuning.VIEW_WEIGHT
    P = model.predict_proba(X[120:])
    np.testing.assert_allclose(P.sum(axis=1), 1.0)
    assert (model.predict(X[120:]) == truth[120:]).mean() > 0.8
    save_model(model, tmp_path / "model.zip")
    again = load_model(tmp_path / "model.zip")
    np.testing.assert_allclose(again.predict_proba(X[120:]), P)


def test_what_the_view_contradicts_is_left_out(monkeypatch):
    """Two rings: no linear view tells them apart, and hidden labels say so."""
    rng = np.random.default_rng(0)
    truth, angle = np.arange(200) % 2, rng.uniform(0, 2 * np.pi, 200)
    radius = 1 + 4 * truth + 0.05 * rng.random(200)
    X = radius[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    codes = np.where(np.arange(200) < 60, truth, -1)
    model = RONMF(random_state=0).fit(X, codes)
    assert model.linear_weight_ == 0
    assert (model.labels_ == truth)[60:].all()
