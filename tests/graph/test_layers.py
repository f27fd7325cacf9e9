"""How many clusters: known answers, labels that vote, and clusters that no label names."""

from itertools import pairwise
from math import log

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from ronmf.graph import neighbor_graph
from ronmf.graph._anchors import anchor_clusters, guess_labels
from ronmf.graph._layer_vote import label_evidence, unnamed_clusters
from ronmf.graph._layers import find_communities


def blobs(n_blobs, size=30, spread=1.0):
    random = np.random.default_rng(0)
    truth = np.repeat(np.arange(n_blobs), size)
    X = 4 * np.eye(n_blobs)[truth] + spread * random.random((len(truth), n_blobs))
    return neighbor_graph(X, 5).affinity, truth


@pytest.mark.parametrize("n_blobs", [2, 5, 9])
def test_separate_clusters_are_counted(n_blobs):
    found = find_communities(blobs(n_blobs)[0])
    assert found.choose() == n_blobs
    assert found.layer(n_blobs).stability > 0.99
    assert found.falls_apart()


def test_noise_does_not_fall_apart():
    X = np.random.default_rng(0).random((300, 20))
    found = find_communities(neighbor_graph(X, 5).affinity)
    assert found.apart()[0] < 2
    assert not found.falls_apart()
    assert found.layer(found.choose()).stability < 0.5


def test_layers_around_a_number():
    found = find_communities(blobs(6)[0])
    counts = found.around(6)
    assert 6 in counts
    assert len(counts) <= 8
    assert counts == sorted(set(counts))
    layers = [found.layer(k) for k in counts]
    assert [layer.n_clusters for layer in layers] == counts
    for coarse, fine in pairwise(layers):
        pairs = np.unique(np.stack([coarse.labels, fine.labels]), axis=1)
        assert pairs.shape[1] == fine.n_clusters  # nested
    assert len(np.unique(layers[0])) == counts[0]  # a layer can be used as its labels


@pytest.mark.parametrize("n", [2, 3, 5])
def test_very_few_samples(n):
    W = sp.csr_array(np.ones((n, n)) - np.eye(n))
    found = find_communities(W)
    assert found.choose() in found.around(found.choose())


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=1, max_size=12))
def test_evidence_is_the_product_of_predictions(labels):
    """A Polya urn: each label is predicted from those before it in its cluster."""
    clusters, codes = np.array(labels).T
    n_classes, spread = codes.max() + 1, 0.5
    expected = 0.0
    for i, (cluster, code) in enumerate(labels):
        before = codes[:i][clusters[:i] == cluster]
        same = (before == code).sum()
        expected += log((same + spread / n_classes) / (len(before) + spread))
    assert label_evidence(clusters, codes) == pytest.approx(expected)


def test_labels_part_clusters_that_looked_like_one():
    """Two lobes of each blob hang together; labels of two classes in them ask for a finer layer."""
    random = np.random.default_rng(0)
    truth = np.repeat(np.arange(8), 25)
    centres = np.repeat(12 * np.eye(4), 2, axis=0) + np.tile([[0.0], [0.5]], (4, 4))
    W = neighbor_graph(centres[truth] + random.random((200, 4)), 5).affinity
    found = find_communities(W)
    natural = found.choose()
    assert natural < 8
    y = np.where(np.arange(200) % 25 < 3, truth, -1)
    assert found.choose(y) > natural
    assert found.choose(np.where(y >= 0, y // 2, -1)) == natural


def test_clusters_without_a_label_are_unnamed_only_if_labels_would_have_hit_them():
    clusters = np.repeat(np.arange(10), 30)

    def codes(n_classes, n_labels):
        return np.where((clusters < n_classes) & (np.arange(300) % 30 < n_labels), clusters, -1)

    for n_labels in (1, 2, 5):
        assert not len(unnamed_clusters(clusters, clusters, codes(10, n_labels)))
        half = unnamed_clusters(clusters, clusters, codes(5, n_labels))
        assert half.tolist() == [5, 6, 7, 8, 9]
    assert unnamed_clusters(clusters, clusters, codes(9, 5)).tolist() == [9]
    # A small cluster may be a part of a class that no label fell into.
    part = np.where(np.arange(300) < 8, 10, clusters)
    given_labels = np.where(part == 10, -1, codes(10, 20))
    assert not len(unnamed_clusters(part, part, given_labels))
    assert len(unnamed_clusters(clusters, clusters, np.full(300, -1))) == 10


def test_guesses_lie_inside_and_are_as_many_as_labels():
    W, truth = blobs(4)
    codes = np.where((truth < 2) & (np.arange(120) % 30 < 8), truth, -1)
    guessed = guess_labels(W, truth, codes, np.random.RandomState(0))
    assert np.bincount(guessed[guessed >= 0]).tolist() == [8, 8, 8, 8]
    assert (guessed[codes >= 0] == codes[codes >= 0]).all()
    assert (guessed[guessed >= 0] == truth[guessed >= 0]).all()
    few = np.where(np.arange(120) == 0, 0, -1)
    guessed = guess_labels(W, np.where(truth < 3, truth, -1), few, np.random.RandomState(0))
    assert np.bincount(guessed[guessed >= 0]).tolist() == [5, 5, 5]
    anchors = anchor_clusters(W, truth, codes)
    assert 0.75 < (anchors >= 0).mean() < 0.95
