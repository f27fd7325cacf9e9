"""Clusters of a graph without a draw of luck, and labels that contradict them."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import load_digits
from sklearn.metrics import adjusted_rand_score

from ronmf import neighbor_graph
from ronmf.graph._anchors import split_samples
from ronmf.graph._spectral import normalized_cut
from ronmf.graph._spectral_clusters import confusion, overlap, spectral_clusters


@pytest.fixture(scope="module")
def graph():
    return neighbor_graph(load_digits(return_X_y=True)[0][:600], 5).affinity


def clusters(W, n_clusters, seed=0):
    return spectral_clusters(W, n_clusters, np.random.RandomState(seed))


def test_neither_seed_nor_order_decides(graph):
    found = clusters(graph, 10)
    assert len(np.unique(found)) == 10
    assert adjusted_rand_score(found, clusters(graph, 10, seed=5)) == 1
    order = np.random.default_rng(0).permutation(600)
    other = clusters(graph[order][:, order], 10)
    assert adjusted_rand_score(found[order], other) == 1


@pytest.mark.parametrize("n_clusters", [4, 10, 25])
def test_as_little_is_cut_as_by_the_best_of_random_starts(graph, n_clusters):
    rng, nothing = np.random.RandomState(0), np.full(600, -1)
    drawn = split_samples(graph, nothing, n_clusters, rng, n_starts=5)
    cut = normalized_cut(graph, clusters(graph, n_clusters), n_clusters)
    assert cut < 1.1 * normalized_cut(graph, drawn, n_clusters)


@pytest.mark.parametrize("n", [6, 100])
def test_separate_parts_are_found(n):
    W = sp.csr_array(sp.block_diag([np.ones((n, n))] * 3))
    assert adjusted_rand_score(np.repeat([0, 1, 2], n), clusters(W, 3)) == 1


def test_a_graph_without_edges_and_one_cluster_a_sample():
    assert clusters(sp.csr_array((5, 5)), 2).shape == (5,)
    for n_clusters in (4, 9):
        assert sorted(clusters(sp.csr_array(np.ones((4, 4))), n_clusters)) == [0, 1, 2, 3]


def test_overlap_beside_what_chance_does():
    rng = np.random.default_rng(0)
    labels = rng.choice(4, 400, p=[0.4, 0.3, 0.2, 0.1])
    codes = np.full(400, -1)
    drawn = []
    for _ in range(4000):
        codes[:] = -1
        codes[rng.integers(400, size=6)] = 0  # which class each is of does not matter
        given = labels[codes >= 0]
        drawn.append(len(given) - len(set(given)))
    codes[:] = -1
    codes[[np.flatnonzero(labels == j)[0] for j in range(4)]] = np.arange(4)
    codes[np.flatnonzero(labels == 0)[1:3]] = [4, 5]
    count, expected = overlap(labels, codes, 4)
    assert count == 2
    assert expected == pytest.approx(np.mean(drawn), abs=0.1)


def test_labels_contradict_clusters_that_are_others(graph):
    """Classes are the clusters, or were drawn at random, which no cluster knows."""
    found = clusters(graph, 20)
    apart, by_chance = np.full(600, -1), np.full(600, -1)
    for j in range(20):
        apart[np.flatnonzero(found == j)[0]] = j
    by_chance[np.random.default_rng(0).choice(600, 20, replace=False)] = np.arange(20)
    rng = np.random.RandomState(0)
    assert confusion(graph, apart, 20, rng) < 0.15
    assert confusion(graph, by_chance, 20, rng) > 0.7
    assert confusion(graph, np.full(600, -1), 1, rng) == 0.5  # nothing says anything
