"""Spectral embedding, cuts, splits around labels, hints: graphs with known answers."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from ronmf import RONMF
from ronmf.graph import neighbor_graph
from ronmf.graph._anchors import seed_clusters, split_samples
from ronmf.graph._hints import split_classes, unnamed_cluster
from ronmf.graph._spectral import normalized_cut, spectral_embedding
from ronmf.metrics import clustering_accuracy


def rng():
    return np.random.RandomState(0)


def blobs(sizes, spread=1.0, seed=0):
    random = np.random.default_rng(seed)
    centres = 4 * np.eye(len(sizes))
    parts = [centres[j] + spread * random.random((m, len(sizes))) for j, m in enumerate(sizes)]
    return np.concatenate(parts), np.repeat(np.arange(len(sizes)), sizes)


def graph_of(X, n_neighbors=5):
    return neighbor_graph(X, n_neighbors).affinity


@given(st.integers(0, 1000), st.integers(2, 4))
def test_cut_is_the_mean_share_of_edges_that_leave(seed, n_clusters):
    random = np.random.default_rng(seed)
    W = random.random((12, 12)) * (random.random((12, 12)) < 0.4)
    W = np.triu(W, 1) + np.triu(W, 1).T
    labels = random.integers(n_clusters, size=12)
    shares = []
    for j in range(n_clusters):
        own = labels == j
        volume = W[own].sum()
        shares.append(W[own][:, ~own].sum() / volume if volume else 1.0)
    assert normalized_cut(sp.csr_array(W), labels, n_clusters) == pytest.approx(np.mean(shares))


def test_embedding_is_that_of_the_whole_spectrum():
    X, _ = blobs([50, 60, 40], spread=4.0)
    W = graph_of(X)
    embedding, values = spectral_embedding(W, 3, rng())
    dense = W.toarray() + 0.01 * W.sum() / 150 / 150  # a hundredth of the mean degree, to all
    root = np.sqrt(dense.sum(axis=1))
    expected = np.linalg.eigvalsh(dense / np.outer(root, root))[::-1][:3]
    np.testing.assert_allclose(values, expected, atol=1e-8)
    assert values[0] == pytest.approx(1.0)
    np.testing.assert_allclose(np.linalg.norm(embedding, axis=1), 1.0)


def test_components_with_equal_eigenvalues_are_all_found():
    """Lanczos iterations miss copies of an eigenvalue; the weak edges to all set them apart."""
    X, truth = blobs([30] * 8, spread=0.1)
    embedding, _ = spectral_embedding(graph_of(X), 8, rng())
    products = np.abs(embedding @ embedding.T)
    same = truth[:, None] == truth
    assert products[same].min() > 0.99
    assert products[~same].max() < 0.1
    found = split_samples(graph_of(X), np.full(240, -1), 8, rng())
    assert clustering_accuracy(truth, found) == 1.0


@pytest.mark.parametrize("known", [0, 1, 3])
def test_split_keeps_labels_and_finds_the_other_clusters(known):
    X, truth = blobs([30, 50, 40, 30], spread=3.0)
    codes = np.where((truth < known) & (np.arange(150) % 5 == 0), truth, -1)
    found = split_samples(graph_of(X), codes, 4, rng())
    assert (found[codes >= 0] == codes[codes >= 0]).all()
    assert clustering_accuracy(truth, found) > 0.95
    anchors = seed_clusters(graph_of(X), codes, 4, rng())
    assert set(anchors[(codes < 0) & (anchors >= 0)]) == set(range(known, 4))


def test_clusters_without_a_label_are_numbered_by_their_first_samples():
    for seed in range(5):
        X, truth = blobs([15, 15, 15, 15])
        order = np.random.default_rng(seed).permutation(60)
        X, truth = X[order], truth[order]
        codes = np.where((truth == 2) & (np.arange(60) % 2 == 0), 0, -1)
        found = split_samples(graph_of(X), codes, 4, np.random.RandomState(seed))
        assert clustering_accuracy(truth, found) == 1
        first = [np.flatnonzero(found == j)[0] for j in (1, 2, 3)]
        assert first == sorted(first)


def test_long_chains_are_not_cut_in_two():
    """Two rings: k-means would halve them, a spectral split does not."""
    angle = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    ring = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    X = np.concatenate([2 + ring, 2 + 0.4 * ring])
    model = RONMF(2, graph="plain", random_state=0).fit(X)
    assert clustering_accuracy(np.repeat([0, 1], 60), model.labels_) == 1.0


def test_too_many_clusters_for_the_unlabelled_samples():
    with pytest.raises(ValueError, match="asks for 3 clusters without a label, but only 2"):
        split_samples(sp.csr_array((4, 4)), np.array([0, 0, -1, -1]), 4, rng())


def test_hints_name_a_class_of_two_clusters_and_one_nobody_named():
    X, truth = blobs([40, 40, 40, 40])
    W, some = graph_of(X), np.arange(160) % 4 == 0
    merged = np.array([0, 0, 1, 2])[truth]
    codes = np.where(some, merged, -1)
    split = split_classes(W, merged, codes, rng())
    assert [j for j, _ in split] == [0]
    assert len(set(truth[split[0][1]])) == 1
    assert split_classes(W, truth, np.where(some, truth, -1), rng()) == []
    unnamed = np.where(some & (truth < 3), truth, -1)
    found = unnamed_cluster(W, np.minimum(truth, 2), unnamed, rng())
    assert set(truth[found]) == {3}
    assert len(found) == 40
    assert len(unnamed_cluster(W, truth, np.where(some, truth, -1), rng())) == 0
    empty = np.zeros(len(truth), dtype=int)  # all classes but the first lost their samples
    assert len(unnamed_cluster(W, empty, np.where(some, truth, -1), rng())) == 0
    np.testing.assert_array_equal(unnamed_cluster(W, empty, unnamed, rng()), found)


def test_the_model_says_its_hints():
    X, truth = blobs([40, 40, 40])
    y = np.where((np.arange(120) % 4 == 0) & (truth < 2), truth, -1)
    assert [hint.kind for hint in RONMF(random_state=0).fit(X, y).hints()] == ["unnamed class"]
    y = np.where(np.arange(120) % 4 == 0, truth, -1)
    assert RONMF(random_state=0).fit(X, y).hints() == []
