"""Nearly all neighbours of many samples, against the exact search."""

import sys

import numpy as np
import pytest

from ronmf import ADMM, RONMF, neighbor_graph
from ronmf.graph import GraphChoice, GraphRecipe, _neighbor_graph
from ronmf.numerics import approximate_neighbors as module
from ronmf.numerics.approximate_neighbors import approximate_neighbors, approximation_pays
from ronmf.numerics.memory import memory_limit
from ronmf.numerics.nearest_neighbors import k_nearest

pytest.importorskip("faiss", reason="needs faiss: pip install 'ronmf[ann]'")


def clouds(n, d, seed=0, dtype=np.float32):
    rng = np.random.RandomState(seed)
    centres = 3 * rng.randn(20, d)
    return (centres[rng.randint(20, size=n)] + rng.randn(n, d)).astype(dtype)


@pytest.mark.parametrize(("d", "dtype"), [(12, np.float64), (150, np.float32)])
def test_nearly_all_are_found_and_their_distances_are_exact(d, dtype):
    X = clouds(3000, d, dtype=dtype)
    indices, distances, recall = approximate_neighbors(X, 5)
    true, exact = k_nearest(X, 5)
    assert (indices != np.arange(3000)[:, None]).all()
    measured = np.linalg.norm(X[:, None].astype(np.float64) - X[indices], axis=2)
    np.testing.assert_allclose(distances, measured, rtol=1e-5)
    assert (np.diff(distances, axis=1) >= 0).all()
    found = np.mean([np.isin(own, other).mean() for own, other in zip(true, indices, strict=True)])
    assert found > 0.9
    assert abs(recall - found) < 0.04  # of 300 queries
    assert (distances >= exact).all()
    again = approximate_neighbors(X, 5)
    np.testing.assert_array_equal(again[0], indices)
    assert again[2] == recall


@pytest.mark.parametrize("scale", [1e-15, 1e15])
def test_any_unit_will_do(scale):
    X = clouds(2000, 120)
    ours, same = approximate_neighbors(X, 4), approximate_neighbors(scale * X, 4)
    assert (ours[0] == same[0]).mean() > 0.99


def test_copies_and_lists_with_too_few_samples():
    X = np.repeat(clouds(4, 20), [1, 3, 300, 200], axis=0)  # only copies, of four samples
    indices, distances, recall = approximate_neighbors(X, 5)
    _, exact = k_nearest(X, 5)
    np.testing.assert_allclose(distances, exact, rtol=1e-5)
    assert recall == 1.0
    assert all(len(set(row)) == 5 for row in indices.tolist())


def test_a_graph_of_many_samples_tells_its_recall(monkeypatch):
    X = np.abs(clouds(1500, 30))
    exact = neighbor_graph(X)
    assert exact.recall == 1.0
    assert "recall" not in exact.summary()
    monkeypatch.setattr(module, "_LARGE", 1000)
    graph = neighbor_graph(X)
    assert 0.9 < graph.recall <= 1.0
    overlap = exact.affinity.multiply(graph.affinity > 0).sum() / exact.affinity.sum()
    assert overlap > 0.8
    with pytest.raises(ValueError, match=r"n_neighbors=1500 is not in 1..1499"):
        neighbor_graph(X, 1500)
    with pytest.raises(ValueError, match="needs samples x features"):
        neighbor_graph(np.zeros((2000, 5, 5)))


def test_a_low_recall_is_told_by_every_graph_and_a_very_low_one_not_accepted(monkeypatch):
    X = np.abs(clouds(1500, 30))
    y = np.where(np.arange(1500) % 5 == 0, (X[:, 0] > 1).astype(int), -1)
    monkeypatch.setattr(module, "_LARGE", 1000)
    monkeypatch.setattr(module, "_LISTS_SEARCHED", 1)  # much is missed
    monkeypatch.setattr(module, "_SAMPLES_SEARCHED", 1)
    assert neighbor_graph(X).recall == 1.0
    monkeypatch.setattr(_neighbor_graph, "_LEAST_RECALL", 0.0)
    least = neighbor_graph(X).recall
    assert least < 0.9
    for graph in ("plain", GraphChoice("plain", label_edges=True), GraphRecipe()):
        model = RONMF(graph=graph, solver=ADMM(max_iter=2, tol=1.0)).fit(X, y)
        assert model.graph_.summary()["recall"] == model.graph_.recall < 1.0


def test_more_lists_are_searched_for_more_neighbours():
    X = clouds(4000, 12)
    assert approximate_neighbors(X, 300)[2] > 0.9


def test_few_samples_few_features_and_other_libraries_are_searched_exactly(monkeypatch):
    monkeypatch.setattr(module, "_LARGE", 100)
    assert approximation_pays(clouds(100, 30))
    assert not approximation_pays(clouds(99, 30))
    assert not approximation_pays(clouds(100, 9))
    xp = pytest.importorskip("array_api_strict")
    assert not approximation_pays(xp.asarray(clouds(100, 30)))
    assert not approximation_pays(np.zeros(200))
    monkeypatch.setitem(sys.modules, "faiss", None)  # as if it were not installed
    assert not approximation_pays(clouds(100, 30))


def test_an_index_for_each_block_finds_as_much_as_one_for_all(monkeypatch):
    X = clouds(4000, 12)
    whole = approximate_neighbors(X, 5)
    made = []
    index = module._index
    monkeypatch.setattr(module, "_index", lambda *args: made.append(len(args[1])) or index(*args))
    with memory_limit(8 * 12 * 1500 / module._INDEX_SHARE):
        blocks = approximate_neighbors(X, 5)
    assert made == [1500, 1500, 1000]
    assert blocks[2] > 0.95
    assert (blocks[0] == whole[0]).mean() > 0.95
    exact = k_nearest(X, 5)[1]
    assert (blocks[1] >= exact - 1e-5).all()


def test_very_many_samples_are_put_in_order_first(monkeypatch):
    X = clouds(4000, 5)
    monkeypatch.setattr(module, "_VERY_LARGE", 1000)
    assert approximation_pays(X)
    indices, distances, recall = approximate_neighbors(X, 5)
    assert recall > 0.95
    true, exact = k_nearest(X, 5)
    assert (np.sort(indices, axis=1) == np.sort(true, axis=1)).mean() > 0.95
    np.testing.assert_allclose(
        distances[:, 0], np.linalg.norm(X - X[indices[:, 0]], axis=1), rtol=1e-4, atol=1e-5
    )
    assert (distances >= exact - 1e-5).all()
