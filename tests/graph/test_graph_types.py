"""Every graph answers the same questions: weights, links of new samples, a summary."""

import numpy as np
import pytest
import scipy.sparse as sp

from ronmf.graph import (
    GivenGraph,
    Graph,
    GraphRecipe,
    GraphRequest,
    LabelEdgeGraph,
    choose_graph,
    neighbor_graph,
)
from ronmf.graph._matrix import add_label_edges, graph_summary

CODES = np.array([0, 1, 0, 1] + [-1] * 26)


def kinds():
    X = np.random.default_rng(0).random((30, 4))
    near = neighbor_graph(X, 3)
    return X, {
        "neighbour": near,
        "consensus": choose_graph(GraphRequest(X, CODES, rng=0), [GraphRecipe()]).graph,
        "given": GivenGraph.check(near.affinity, 30),
        "edited": LabelEdgeGraph.edit(near, CODES),
    }


@pytest.mark.parametrize("kind", ["neighbour", "consensus", "given", "edited"])
def test_a_graph_has_weights_links_and_a_summary(kind):
    X, graphs = kinds()
    graph = graphs[kind]
    assert isinstance(graph, Graph)
    W = graph.affinity
    assert isinstance(W, sp.csr_array)
    assert abs(W - W.T).max() == 0
    assert W.diagonal().max() == 0
    assert W.min() >= 0
    indices, weights = graph.link(X[:5])
    assert indices.shape == weights.shape
    assert len(indices) == 5
    assert graph.summary(CODES) == graph_summary(W, CODES)
    remote = graph.remoteness()
    assert (remote is None) == (kind == "given")
    if remote is not None:
        assert np.median(remote) == pytest.approx(1.0)


def test_a_given_graph_says_nothing_of_new_samples_and_has_a_unit():
    X, graphs = kinds()
    given = graphs["given"]
    assert given.link(X[:5])[0].shape == (5, 0)
    scaled = given.affinity * given.unit_scale
    assert scaled.sum(axis=1).mean() == pytest.approx(1.0)
    assert GivenGraph.check(sp.csr_array((30, 30)), 30).unit_scale == 1.0


def test_label_edges_change_the_weights_but_not_the_links():
    X, graphs = kinds()
    base, edited = graphs["neighbour"], graphs["edited"]
    assert abs(edited.affinity - add_label_edges(base.affinity, CODES)).max() == 0
    assert abs(edited.affinity - base.affinity).max() > 0
    for ours, theirs in zip(edited.link(X[:5]), base.link(X[:5]), strict=True):
        np.testing.assert_array_equal(ours, theirs)
