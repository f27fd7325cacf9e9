"""Bounds of distances: never above them, and the neighbours they lead to are the exact ones."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ronmf.numerics import distance_bounds
from ronmf.numerics.distance_bounds import DistanceBounds
from ronmf.numerics.nearest_neighbors import k_nearest


@pytest.fixture(autouse=True)
def axes_for_small_data(monkeypatch):
    monkeypatch.setattr(distance_bounds, "_POINTS_FOR_AXES", 60)
    monkeypatch.setattr(distance_bounds, "_FEATURES_FOR_AXES", 8)


def correlated(seed, n, d, rank, dtype):
    """Samples near a plane, so that few axes hold most of the variance."""
    rng = np.random.default_rng(seed)
    plane = rng.standard_normal((n, rank)) @ rng.standard_normal((rank, d))
    X = plane + 10 ** rng.uniform(-3, -0.5) * rng.standard_normal((n, d))
    return (X * 10 ** rng.uniform(-3, 3) + rng.uniform(-5, 5)).astype(dtype)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    d=st.integers(9, 30),
    rank=st.integers(1, 4),
    dtype=st.sampled_from([np.float32, np.float64]),
    n_queries=st.sampled_from([20, 55, 80]),
)
def test_bounds_are_never_above_the_distances(seed, d, rank, dtype, n_queries):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(distance_bounds, "_POINTS_FOR_AXES", 60)
        patch.setattr(distance_bounds, "_FEATURES_FOR_AXES", 8)
        X = correlated(seed, 150, d, rank, dtype)
        bounds = DistanceBounds.of(X, n_queries)
        keys, offset = bounds.keys(X[:n_queries])
    exact = X.astype(np.float64)
    true = ((exact[:n_queries, None, :] - exact[None, :, :]) ** 2).sum(axis=2)
    assert (keys + offset[:, None] <= true * (1 + 1e-12)).all()


def test_neighbours_along_axes_are_the_exact_ones():
    X = correlated(0, 400, 40, 5, np.float32)
    X[50:60] = X[0]  # copies: ties go to the lowest index
    assert DistanceBounds.of(X, len(X)).are_loose
    indices, distances = k_nearest(X, 6)
    exact = X.astype(np.float64)
    squares = ((exact[:, None, :] - exact[None, :, :]) ** 2).sum(axis=2)
    np.fill_diagonal(squares, np.inf)
    expected = np.argsort(squares, axis=1, kind="stable")[:, :6]
    np.testing.assert_array_equal(indices, expected)
    np.testing.assert_allclose(
        distances, np.sqrt(np.take_along_axis(squares, expected, axis=1)), rtol=1e-5, atol=1e-6
    )


def test_given_lengths_change_nothing():
    X = correlated(1, 300, 12, 3, np.float64)
    plain = k_nearest(X, 4, X[:3] + 0.01)
    given_lengths = k_nearest(X, 4, X[:3] + 0.01, squares=(X * X).sum(axis=1))
    for a, b in zip(plain, given_lengths, strict=True):
        np.testing.assert_array_equal(a, b)


def test_samples_without_any_variance_have_no_axes():
    X = np.ones((300, 20))
    assert not DistanceBounds.of(X, 300).are_loose
    np.testing.assert_array_equal(k_nearest(X, 2)[0][:3], [[1, 2], [0, 2], [0, 1]])
