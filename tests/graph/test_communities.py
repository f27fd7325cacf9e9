"""Nested communities: merging by rounds is merging one at a time, and links are what they say."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import assume, given
from hypothesis import strategies as st

from ronmf.graph import neighbor_graph
from ronmf.graph._communities import merge_communities


def random_graph(seed, n=14, density=0.3):
    random = np.random.default_rng(seed)
    W = np.triu(random.random((n, n)) * (random.random((n, n)) < density), 1)
    return W + W.T


def merged_one_at_a_time(W):
    """Merge the two clusters with the strongest link, and look again; of joined ones only."""
    groups, found = [{i} for i in range(len(W))], []
    total = W.sum()

    def link(a, b):
        between = W[np.ix_(list(a), list(b))].sum()
        return between and between * total / (W[list(a)].sum() * W[list(b)].sum())

    while len(groups) > 1:
        links = {(i, j): link(groups[i], groups[j]) for i in range(len(groups)) for j in range(i)}
        second, best = sorted([0.0, *links.values()])[-2:]
        if not best:
            break
        assume(best > second * (1 + 1e-9))  # of equal links any may be first
        i, j = max(links, key=links.get)
        groups[j] |= groups.pop(i)
        found.append((best, {frozenset(group) for group in groups}))
    return found


def clusters(labels):
    return {frozenset(np.flatnonzero(labels == j).tolist()) for j in np.unique(labels)}


@given(st.integers(0, 10_000))
def test_rounds_give_what_merging_one_at_a_time_gives(seed):
    W = random_graph(seed)
    hierarchy = merge_communities(sp.csr_array(W))
    for step, (link, groups) in enumerate(merged_one_at_a_time(W)):
        n_clusters = len(W) - step - 1
        assert clusters(hierarchy.labels(n_clusters)) == groups
        assert hierarchy.links[step] == pytest.approx(link)
        share = hierarchy.strongest_link(n_clusters + 1)
        assert share == pytest.approx(link / (n_clusters + 1))


@given(st.integers(0, 10_000))
def test_layers_are_nested_and_links_never_grow(seed):
    hierarchy = merge_communities(sp.csr_array(random_graph(seed, density=0.1)))
    assert (np.diff(hierarchy.links) <= 0).all()
    finer = hierarchy.labels(14)
    assert len(np.unique(finer)) == 14
    for n_clusters in range(13, 0, -1):
        labels = hierarchy.labels(n_clusters)
        assert len(np.unique(labels)) == n_clusters
        assert all(len(np.unique(labels[finer == j])) == 1 for j in np.unique(finer))
        assert (np.diff(np.bincount(labels)) <= 0).all()  # the largest is 0
        finer = labels


def test_a_link_is_the_resolution_at_which_modularity_does_not_mind():
    W = random_graph(3)
    hierarchy = merge_communities(sp.csr_array(W))

    def modularity(labels, resolution):
        share = [
            W[np.ix_(labels == j, labels == j)].sum() / W.sum()
            - resolution * (W[labels == j].sum() / W.sum()) ** 2
            for j in np.unique(labels)
        ]
        return sum(share)

    for n_clusters in (2, 4, 7):
        link = hierarchy.links[14 - n_clusters]
        apart, merged = (hierarchy.labels(k) for k in (n_clusters, n_clusters - 1))
        assert modularity(apart, link) == pytest.approx(modularity(merged, link))


def test_clusters_that_no_edge_joins_are_merged_last_and_the_small_ones_first():
    sizes = (6, 5, 2, 2)
    W = sp.csr_array(sp.block_diag([np.ones((m, m)) - np.eye(m) for m in sizes]))
    hierarchy = merge_communities(W)
    assert np.bincount(hierarchy.labels(4)).tolist() == [6, 5, 2, 2]
    assert np.bincount(hierarchy.labels(3)).tolist() == [6, 5, 4]
    assert hierarchy.strongest_link(4) == 0
    nothing = merge_communities(sp.csr_array((5, 5)))
    assert len(np.unique(nothing.labels(2))) == 2


def test_the_order_of_samples_does_not_matter():
    X = np.random.default_rng(0).random((150, 3))
    order = np.random.default_rng(1).permutation(150)
    first, second = (merge_communities(neighbor_graph(each, 5).affinity) for each in (X, X[order]))
    for n_clusters in (2, 5, 20):
        assert clusters(first.labels(n_clusters)[order]) == clusters(second.labels(n_clusters))
