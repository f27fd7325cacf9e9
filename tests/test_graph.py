"""Neighbour search against brute force, and every promise of the graph functions."""

import array_api_strict as strict
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.neighbors import NearestNeighbors

from ronmf.graph import (
    add_label_edges,
    check_affinity,
    component_labels,
    degrees,
    graph_summary,
    neighbor_graph,
)
from ronmf.numerics import nearest_neighbors as neighbors
from ronmf.numerics.nearest_neighbors import k_nearest

KINDS = ["self_tuning", "heat", "binary", "cosine"]


def brute_force(X, k, queries=None):
    points = X if queries is None else queries
    squares = ((points[:, None, :] - X[None]) ** 2).sum(axis=2)
    if queries is None:
        np.fill_diagonal(squares, np.inf)
    order = np.argsort(squares, axis=1, kind="stable")[:, :k]
    return order, np.sqrt(np.take_along_axis(squares, order, axis=1))


def gaussian(n=60, d=7, seed=0, dtype=np.float64):
    return np.random.default_rng(seed).normal(size=(n, d)).astype(dtype)


def to_strict(X):
    return strict.asarray(X)


def to_torch(X):
    return pytest.importorskip("torch").from_numpy(X)


# Neighbours


@pytest.mark.parametrize(("n", "d", "k"), [(2, 1, 1), (60, 7, 5), (60, 7, 59), (2000, 20, 6)])
def test_neighbors_equal_scikit_learn(n, d, k):
    X, Q = gaussian(n, d), gaussian(40, d, seed=1)
    tree = NearestNeighbors(n_neighbors=k, algorithm="brute").fit(X)
    for queries in (None, Q):
        indices, distances = k_nearest(X, k, queries)
        expected_distances, expected = tree.kneighbors(queries)
        assert indices.dtype == np.int64
        assert_array_equal(indices, expected)
        assert_allclose(distances, expected_distances, rtol=1e-9)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("values", [1, 2, 4])
def test_copies_and_ties_go_by_index(dtype, values):
    X = np.random.default_rng(0).integers(values, size=(1200, 5)).astype(dtype)
    for queries in (None, X[:90] + 0.5):
        indices, distances = k_nearest(X, 7, queries)
        expected, expected_distances = brute_force(X, 7, queries)
        assert_array_equal(indices, expected)
        assert_array_equal(distances, expected_distances)


def test_float32_near_duplicates_far_from_the_origin():
    """Here |x|^2 + |y|^2 - 2 x'y has errors far above the distances."""
    rng = np.random.default_rng(0)
    sites = 1000.0 * rng.normal(size=(30, 1, 50))
    X = (5000.0 + sites + 0.01 * rng.normal(size=(30, 20, 50))).reshape(600, 50).astype(np.float32)
    indices, distances = k_nearest(X, 5)
    expected, expected_distances = brute_force(X.astype(np.float64), 5)
    assert distances.dtype == np.float32
    assert_array_equal(indices // 20, expected // 20)
    assert_allclose(distances, expected_distances, rtol=1e-5)
    # In float32 itself, with ties from rounding, the order is that of the direct differences.
    assert_array_equal(indices, brute_force(X, 5)[0])


def test_an_outlier_does_not_spoil_the_others():
    X = gaussian(500, 6, dtype=np.float32)
    X[17] = 1e6
    assert_array_equal(k_nearest(X, 4)[0], brute_force(X, 4)[0])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("convert", [np.asarray, np.asfortranarray])
def test_queries_do_not_depend_on_their_batch(dtype, convert, monkeypatch):
    X, Q = gaussian(300, 11, dtype=dtype), convert(gaussian(50, 11, seed=1, dtype=dtype))
    Q[:5] = X[:5]
    together = k_nearest(X, 4, Q)
    for i in range(50):
        for whole, single in zip(together, k_nearest(X, 4, Q[i : i + 1]), strict=True):
            assert_array_equal(whole[i], single[0])
    among = k_nearest(X, 4)
    monkeypatch.setattr(neighbors, "_CPU_BLOCK", 2000)  # a few rows a block
    for blocked, whole in zip(k_nearest(X, 4, Q) + k_nearest(X, 4), together + among, strict=True):
        assert_array_equal(blocked, whole)


def test_no_queries_and_integer_samples():
    X = np.arange(12, dtype=np.uint8).reshape(6, 2)
    assert_array_equal(k_nearest(X, 2)[0], brute_force(X.astype(float), 2)[0])
    assert k_nearest(X, 2, np.empty((0, 2)))[0].shape == (0, 2)


@pytest.mark.parametrize(
    ("k", "queries", "most"), [(5, None, 4), (6, np.zeros((1, 2)), 5), (0, None, 4)]
)
def test_impossible_number_of_neighbors(k, queries, most):
    with pytest.raises(ValueError, match=rf"n_neighbors={k} is not in 1..{most}; change"):
        k_nearest(np.zeros((5, 2)), k, queries)


@pytest.mark.parametrize("convert", [to_strict, to_torch])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_other_array_libraries_equal_numpy(convert, dtype):
    X, Q = gaussian(900, 9, dtype=dtype), gaussian(20, 9, seed=1, dtype=dtype)
    X[100:200] = X[0]  # also the way of many copies
    for queries in (None, Q):
        expected, expected_distances = k_nearest(X, 5, queries)
        indices, distances = k_nearest(convert(X), 5, None if queries is None else convert(queries))
        assert type(distances) is type(convert(X))
        assert str(distances.dtype) == str(convert(X).dtype)
        assert_array_equal(np.asarray(indices), expected)
        assert_allclose(np.asarray(distances), expected_distances, rtol=1e-5)
    for weights in KINDS:
        graph, other = (
            neighbor_graph(X, weights=weights),
            neighbor_graph(convert(X), weights=weights),
        )
        assert_allclose(other.affinity.toarray(), graph.affinity.toarray(), rtol=1e-4)
        for one, two in zip(other.link(convert(Q)), graph.link(Q), strict=True):
            assert isinstance(one, np.ndarray)
            assert_allclose(one, two, rtol=1e-4)


# Weights


def naive_weight(X, i, j, kind, width, last):
    d2 = ((X[i] - X[j]) ** 2).sum()
    if kind == "binary":
        return 1.0
    if kind == "heat":
        return max(1e-6, np.exp(-d2 / (2 * width**2)))
    if kind == "self_tuning":
        return max(1e-6, np.exp(-d2 / (last[i] * last[j])))
    return max(1e-6, X[i] @ X[j] / np.linalg.norm(X[i]) / np.linalg.norm(X[j]))


@pytest.mark.parametrize("width", [None, 0.7, 0.01])
@pytest.mark.parametrize("kind", KINDS)
def test_weights_equal_a_loop(kind, width):
    X = gaussian(40, 3)
    indices, distances = brute_force(X, 4)
    expected = np.zeros((40, 40))
    for i in range(40):
        for j in indices[i]:
            t = distances.mean() if width is None else width
            expected[i, j] = expected[j, i] = naive_weight(X, i, j, kind, t, distances[:, -1])
    W = neighbor_graph(X, 4, weights=kind, heat_width=width).affinity
    assert isinstance(W, sp.csr_array)
    assert W.has_canonical_format
    assert_allclose(W.toarray(), expected, rtol=1e-9)


@given(
    arrays(
        np.float64, st.tuples(st.integers(4, 12), st.integers(1, 3)), elements=st.integers(-3, 3)
    ),
    st.integers(1, 3),
    st.sampled_from(KINDS),
)
@settings(max_examples=150, deadline=None)
def test_what_every_graph_promises(X, k, kind):
    W = neighbor_graph(X, k, weights=kind).affinity
    assert (W != W.T).nnz == 0
    assert W.diagonal().max() == 0
    assert W.data.min() >= 1e-6
    assert W.data.max() <= 1
    assert np.diff(W.indptr).min() >= k
    # A sample linked as a query finds itself, or a copy of itself, first.
    indices, weights = neighbor_graph(X, k, weights=kind).link(X)
    assert_array_equal(X[indices[:, 0]], X)
    assert ((weights >= 1e-6) & (weights <= 1)).all()


def test_wide_heat_is_binary():
    X = gaussian()
    heat = neighbor_graph(X, weights="heat", heat_width=1e9).affinity
    assert_array_equal(heat.toarray(), neighbor_graph(X, weights="binary").affinity.toarray())


def test_self_tuning_ignores_the_unit():
    X = gaussian()
    W = neighbor_graph(X).affinity.toarray()
    assert_allclose(neighbor_graph(1e-5 * X).affinity.toarray(), W, rtol=1e-9)
    assert_allclose(neighbor_graph(1e7 * X).affinity.toarray(), W, rtol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_order_of_samples_is_immaterial(kind):
    X = gaussian()
    order = np.random.default_rng(1).permutation(len(X))
    W = neighbor_graph(X, weights=kind).affinity.toarray()
    permuted = neighbor_graph(X[order], weights=kind).affinity.toarray()
    assert_allclose(permuted, W[np.ix_(order, order)], rtol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_identical_samples(kind):
    graph = neighbor_graph(np.full((20, 3), 0.1), 4, weights=kind)
    assert_allclose(graph.affinity.data, 1.0)
    for point in (0.1, 0.7):  # a copy, and a point at the same distance from all
        indices, weights = graph.link(np.full((1, 3), point))
        assert_array_equal(indices, [[0, 1, 2, 3]])
        assert_allclose(weights, 1.0)


def test_copies_beside_other_samples_weigh_one():
    X = np.vstack([np.zeros((4, 2)), gaussian(20, 2)])
    W = neighbor_graph(X, 3).affinity.toarray()
    assert_allclose(W[:4, :4], 1 - np.eye(4))


def test_zero_samples_keep_faint_edges():
    X = np.abs(gaussian(30, 4))
    X[:2] = 0.0
    W = neighbor_graph(X, 3, weights="cosine").affinity.toarray()
    assert set(W[:2].ravel()) == {0.0, 1e-6}
    assert W[2:, 2:].max() > 0.5
    assert np.isfinite(neighbor_graph(X, 3).affinity.data).all()


def test_no_sample_is_cut_off_by_underflow():
    X = np.vstack([1e-9 * gaussian(10, 2), [[1000.0, 0.0]]])
    W = neighbor_graph(X, 3).affinity
    assert_array_equal(np.unique(W[[10], :].data), [1e-6])
    assert component_labels(W).max() == 0


@pytest.mark.parametrize("kind", KINDS)
def test_links_of_a_query_do_not_depend_on_the_batch(kind):
    graph, Q = neighbor_graph(gaussian(), weights=kind), gaussian(20, 7, seed=1)
    indices, weights = graph.link(Q)
    for i in range(20):
        alone = graph.link(Q[i : i + 1])
        assert_array_equal(alone[0][0], indices[i])
        assert_array_equal(alone[1][0], weights[i])


@pytest.mark.parametrize("kind", KINDS)
def test_links_weigh_like_edges(kind):
    X, Q, width = gaussian(50, 3), gaussian(6, 3, seed=1), 0.8
    indices, distances = brute_force(X, 4, Q)
    last = np.append(brute_force(X, 4)[1][:, -1], distances[:, -1])
    both = np.vstack([X, Q])
    found, weights = neighbor_graph(X, 4, weights=kind, heat_width=width).link(Q)
    assert_array_equal(found, indices)
    for q, j in np.ndindex(6, 4):
        expected = naive_weight(both, 50 + q, indices[q, j], kind, width, last)
        assert_allclose(weights[q, j], expected, rtol=1e-9)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"weights": "gauss"}, "weights='gauss' is not known; use one of self_tuning"),
        ({"heat_width": 0.0}, "heat_width=0.0 is not positive"),
        ({"heat_width": np.nan}, "heat_width=nan is not positive"),
        ({"n_neighbors": 60}, "n_neighbors=60 is not in 1..59"),
    ],
)
def test_wrong_options(options, message):
    with pytest.raises(ValueError, match=message):
        neighbor_graph(gaussian(), **options)


# Graphs made elsewhere


@pytest.mark.parametrize("convert", [np.asarray, sp.csr_matrix, sp.coo_array, sp.csc_array])
def test_check_affinity_drops_the_diagonal_and_leaves_its_input(convert):
    dense = np.array([[3, 1, 0], [1, 0, 2], [0, 2, 1]])
    given_matrix = convert(dense)
    W = check_affinity(given_matrix, 3)
    assert isinstance(W, sp.csr_array)
    assert W.dtype == np.float64
    assert W.nnz == 4
    assert_array_equal(W.toarray(), dense * (1 - np.eye(3)))
    assert_array_equal(given_matrix.sum(), dense.sum())


def test_check_affinity_evens_out_rounding():
    W = check_affinity(np.array([[0.0, 1.0], [1.0 + 1e-8, 0.0]]), 2)
    assert (W != W.T).nnz == 0


@pytest.mark.parametrize(
    ("W", "message"),
    [
        (np.zeros((2, 3)), r"shape \(2, 3\); pass one of shape \(2, 2\)"),
        (np.zeros((3, 3)), r"shape \(3, 3\); pass one of shape \(2, 2\)"),
        (np.array([[0.0, 1.0], [2.0, 0.0]]), r"not symmetric; use \(W \+ W.T\) / 2"),
        (np.array([[0.0, -1.0], [-1.0, 0.0]]), "negative, infinite or NaN"),
        (np.array([[0.0, np.nan], [np.nan, 0.0]]), "negative, infinite or NaN"),
        (sp.csr_array([[0.0, np.inf], [np.inf, 0.0]]), "negative, infinite or NaN"),
    ],
)
def test_check_affinity_errors(W, message):
    with pytest.raises(ValueError, match="The affinity matrix .*" + message):
        check_affinity(W, 2)


# Labels


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
    elif classes == 40:  # few labels a class: all pairs
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


# Summary


def test_degrees_and_components():
    W = np.zeros((8, 8))
    W[:3, :3], W[4:, 4:] = 1, 2
    W = check_affinity(W, 8)
    assert_array_equal(degrees(W), [2, 2, 2, 0, 6, 6, 6, 6])
    assert_array_equal(component_labels(W), [0, 0, 0, 1, 2, 2, 2, 2])
    summary = {
        "samples": 8,
        "edges": 9,
        "degrees": (0.0, 4.0, 6.0),
        "components": 3,
        "component_sizes": [4, 3, 1],
        "isolated_samples": 1,
    }
    assert graph_summary(W) == summary
    labelled = np.array([-1, 0, 0, -1, -1, -1, -1, -1])
    unreached = {"unreached_components": 2, "unreached_samples": 5}
    assert graph_summary(W, labelled) == summary | unreached
    nothing = {"unreached_components": 3, "unreached_samples": 8}
    assert graph_summary(W, np.full(8, -1)) == summary | nothing
