"""Every promise of the neighbour graph: its weights, its links, and other array libraries."""

import array_api_strict as strict
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal

from ronmf.graph import neighbor_graph
from ronmf.graph._matrix import component_labels
from ronmf.numerics.nearest_neighbors import k_nearest
from support.neighbors import brute_force, gaussian

KINDS = ["self_tuning", "heat", "binary", "cosine"]


def to_strict(X):
    return strict.asarray(X)


def to_torch(X):
    return pytest.importorskip("torch").from_numpy(X)


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


def naive_weight(X, i, j, kind, width, last):
    d2 = ((X[i] - X[j]) ** 2).sum()
    if kind == "binary":
        return 1.0
    if kind == "heat":
        return max(1e-6, np.exp(-d2 / (2 * width**2)))
    if kind == "self_tuning":
        return max(1e-6, np.exp(-d2 / (last[i] * last[j])))
    return max(1e-6, X[i] @ X[j] / np.linalg.norm(X[i]) / np.linalg.norm(X[j]))


@pytest.mark.parametrize("kind", KINDS)
def test_weights_equal_a_loop(kind):
    for width in (None, 0.7, 0.01):
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
