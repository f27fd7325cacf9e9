"""Label propagation against a dense solution of its equations."""

import numpy as np
import pytest
import scipy.sparse as sp
from threadpoolctl import threadpool_limits

from ronmf.graph import _operator, neighbor_graph
from ronmf.graph._operator import GraphOperator
from ronmf.labels.encoding import one_hot
from ronmf.numerics.threads import own_threads


def solved(W, codes, n_clusters, label_weight):
    """Return the solution of ``(L + mu S) A = mu S Y`` by elimination."""
    W = W.toarray()
    degree = W.sum(axis=1)
    known = np.diag(label_weight * degree.mean() * (codes >= 0))
    Y = one_hot(codes, n_clusters, W)
    return np.linalg.solve(np.diag(degree) - W + known, known @ Y)


@pytest.mark.parametrize("columns", [1, 3, 32])
def test_any_groups_of_columns_give_the_dense_solution(monkeypatch, columns):
    monkeypatch.setattr(_operator, "_COLUMNS", columns)
    rng = np.random.RandomState(0)
    X, c = rng.rand(90, 3), 7
    codes = np.where(np.arange(90) % 3 == 0, np.arange(90) // 3 % c, -1)
    W = neighbor_graph(X, 5).affinity
    A = GraphOperator.build(W, X).propagate(codes, c, 4.0)
    np.testing.assert_allclose(A, solved(W, codes, c, 4.0), atol=1e-9)


def test_graphs_that_do_not_touch_are_as_one():
    """The contest propagates the labels of all trials at once."""
    rng = np.random.RandomState(1)
    graphs = [neighbor_graph(rng.rand(50, 2), 4).affinity for _ in range(3)]
    graphs = [W * (50 / W.sum()) for W in graphs]
    codes = [np.where(rng.rand(50) < 0.3, rng.randint(3, size=50), -1) for _ in graphs]
    each = [
        GraphOperator.build(W, np.empty((0, 0))).propagate(own, 3, 10.0)
        for W, own in zip(graphs, codes, strict=True)
    ]
    W = sp.block_diag(graphs, format="csr")
    together = GraphOperator.build(W, np.empty((0, 0))).propagate(np.concatenate(codes), 3, 10.0)
    np.testing.assert_allclose(together, np.concatenate(each), atol=1e-8)


def test_a_sample_without_edge_and_label_keeps_equal_memberships():
    W = sp.csr_array(np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]]))
    A = GraphOperator.build(W, np.empty((0, 0))).propagate(np.array([1, -1, -1]), 2, 10.0)
    np.testing.assert_allclose(A, [[0, 1], [0, 1], [0.5, 0.5]], atol=1e-9)


def test_a_product_by_blocks_of_rows_is_the_product(monkeypatch):
    monkeypatch.setattr(_operator, "_WORTH_A_THREAD", 1)
    X = np.random.RandomState(0).rand(61, 4)
    operator = GraphOperator.build(neighbor_graph(X, 5).affinity, X)
    with threadpool_limits(2, user_api="blas"), own_threads():
        blocks = operator.row_blocks(4)
        found = np.concatenate([product(X) for _, product in blocks])
    assert [(rows.start, rows.stop) for rows, _ in blocks] == [(0, 30), (30, 61)]
    np.testing.assert_allclose(found, operator.affinity @ X)
    with threadpool_limits(1, user_api="blas"):
        assert len(operator.row_blocks(4)) == 1
