"""Edges that given labels add to a graph and take from it."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_array_equal

from ronmf.graph import neighbor_graph
from ronmf.graph._matrix import add_label_edges
from support.neighbors import gaussian


@pytest.mark.parametrize("classes", [2, 40])
@pytest.mark.parametrize(("join", "cut"), [(True, True), (True, False), (False, True)])
def test_label_edges(join, cut, classes):
    W = neighbor_graph(gaussian(200, 3)).affinity
    codes = np.random.default_rng(0).integers(-1, classes, size=200)
    hidden = codes < 0
    before, after = W.toarray(), add_label_edges(W, codes, join=join, cut=cut).toarray()
    assert_array_equal(W.toarray(), before)
    assert_array_equal(after, after.T)
    assert after.diagonal().max() == 0
    assert_array_equal(after[hidden], before[hidden])
    differ = ~hidden[:, None] & ~hidden & (codes[:, None] != codes)
    same = ~hidden[:, None] & ~hidden & (codes[:, None] == codes)
    assert_array_equal(after[differ], 0.0 if cut else before[differ])
    changed = same & (after != before)
    assert_array_equal(after[changed], W.max())
    if not join:
        assert not changed.any()
    elif classes == 40:  # few labels per class: all pairs
        assert_array_equal(after[same], W.max() * (1 - np.eye(200))[same])


@pytest.mark.parametrize("size", [1, 2, 3, 50, 51, 64, 1000])
def test_joined_class_is_sparse_and_close(size):
    W = add_label_edges(sp.csr_array((size, size)), np.zeros(size, dtype=int))
    edges = size * (size - 1) // 2
    assert W.nnz // 2 == edges if size <= 50 else W.nnz <= 2 * size * np.log2(size)
    hops = sp.csgraph.shortest_path(W.toarray(), unweighted=True).max()
    assert hops <= max(1, np.log2(size))
    assert set(W.data) <= {1.0}


def test_unlabelled_graph_stays():
    W = neighbor_graph(gaussian()).affinity
    assert (add_label_edges(W, np.full(60, -1)) != W).nnz == 0
