"""Neighbour search against brute force."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.neighbors import NearestNeighbors

from ronmf.numerics import nearest_neighbors as neighbors
from ronmf.numerics.nearest_neighbors import k_nearest
from support.neighbors import brute_force, gaussian


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


@pytest.mark.parametrize("values", [1, 2, 4])
def test_copies_and_ties_go_by_index(values):
    for dtype in (np.float32, np.float64):
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


@pytest.mark.parametrize("convert", [np.asarray, np.asfortranarray])
@pytest.mark.parametrize(("n", "d"), [(300, 11), (600, 6)])
def test_queries_do_not_depend_on_their_batch(convert, n, d, monkeypatch):
    for dtype in (np.float32, np.float64):
        X, Q = gaussian(n, d, dtype=dtype), convert(gaussian(50, d, seed=1, dtype=dtype))
        Q[:5] = X[:5]
        together = k_nearest(X, 4, Q)
        for i in range(50):
            for whole, single in zip(together, k_nearest(X, 4, Q[i : i + 1]), strict=True):
                assert_array_equal(whole[i], single[0])
        among = k_nearest(X, 4)
        with monkeypatch.context() as patch:
            patch.setattr(neighbors, "_CPU_ENTRIES", 2000)  # a few rows a block
            by_blocks = k_nearest(X, 4, Q) + k_nearest(X, 4)
        for blocked, whole in zip(by_blocks, together + among, strict=True):
            assert_array_equal(blocked, whole)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("digits", [1, 6])
def test_a_tree_finds_what_products_find(dtype, digits, monkeypatch):
    """With one digit many distances are equal, and the tree alone would leave their order open."""
    X, Q = (gaussian(n, 6, seed=n).round(digits).astype(dtype) for n in (900, 80))
    X[400:420] = X[7]  # more copies than the tree is asked for
    by_tree = k_nearest(X, 5) + k_nearest(X, 5, Q)
    monkeypatch.setattr(neighbors, "TREE_FEATURES", 0)
    by_products = k_nearest(X, 5) + k_nearest(X, 5, Q)
    for found, expected in zip(by_tree, by_products, strict=True):
        assert_array_equal(found, expected)


@pytest.mark.parametrize("scale", [1e-23, 1e-30])
def test_distances_that_underflow_in_float32_are_ties(scale):
    """A tree measures in double precision, where they are none."""
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.random((300, 3)), scale * rng.random((300, 3))]).astype(np.float32)
    assert_array_equal(k_nearest(X, 5)[0], brute_force(X, 5)[0])


def test_samples_too_far_away_to_measure():
    X = gaussian(800, 5)
    X[3] = 1e200
    with np.errstate(over="ignore", invalid="ignore"):
        indices, distances = k_nearest(X, 5)
    assert indices.max() < 800
    assert np.isinf(distances[3]).all()


def test_samples_without_features_are_copies():
    indices, distances = k_nearest(np.zeros((600, 0)), 3)
    assert_array_equal(indices[:2], [[1, 2, 3], [0, 2, 3]])
    assert not distances.any()


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


def test_no_query_at_all():
    X = np.random.RandomState(0).rand(5000, 12)
    indices, distances = k_nearest(X, 5, X[:0])
    assert indices.shape == distances.shape == (0, 5)
