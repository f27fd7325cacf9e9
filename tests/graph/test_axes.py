"""Principal axes and discriminant directions against brute force, scikit-learn and limits."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import eigh
from scipy.spatial.distance import pdist
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from ronmf.graph._axes import discriminant_directions, principal_axes


def labelled_cloud(seed, n=60, p=6, c=3, *, spread=1.0):
    """Coordinates with correlated features, and one-hot labels; classes of unequal size."""
    rng = np.random.default_rng(seed)
    codes = np.concatenate([np.arange(c), rng.integers(c, size=n - c) % (1 + rng.integers(c))])
    mixing = rng.standard_normal((p, p)) + 2 * np.eye(p)
    S = spread * rng.standard_normal((n, p)) @ mixing + 2 * rng.standard_normal((c, p))[codes]
    return S, np.eye(c)[codes]


def within_scatter(S, P):
    """Σ_w by the book: a sum over samples and classes."""
    total = np.zeros((S.shape[1], S.shape[1]))
    for j in range(P.shape[1]):
        mean = np.average(S, axis=0, weights=P[:, j])
        for x, weight in zip(S, P[:, j], strict=True):
            total += weight * np.outer(x - mean, x - mean)
    return total / P.sum()


def metric(directions):
    """What distances in the coordinates depend on: no rotation of them, and no sign."""
    return directions @ directions.T


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(2, 25),
    d=st.integers(1, 30),
    unit=st.sampled_from([1e-80, 1e-20, 1.0, 255.0, 1e80]),
    shift=st.sampled_from([0.0, 100.0]),
)
def test_all_principal_axes_keep_all_distances(seed, n, d, unit, shift):
    F = unit * (np.random.default_rng(seed).standard_normal((n, d)) + shift)
    axes = principal_axes(F, 100)
    assert axes.directions.shape[1] <= min(n, d)
    gram = axes.directions.T @ axes.directions
    np.testing.assert_allclose(gram, np.eye(len(gram)), atol=1e-5)
    kept, distances = pdist(axes.coordinates(F) / unit), pdist(F / unit)
    np.testing.assert_allclose(kept, distances, atol=1e-4 * distances.max())


@pytest.mark.parametrize("shape", [(40, 8), (12, 30)])
def test_fewer_axes_are_those_of_principal_component_analysis(shape):
    F = np.random.default_rng(0).random(shape) * np.linspace(1, 4, shape[1])
    axes = principal_axes(F, 4)
    reference = PCA(4).fit(F)
    np.testing.assert_allclose(metric(axes.directions), metric(reference.components_.T), atol=1e-8)
    np.testing.assert_allclose(axes.coordinates(F).mean(axis=0), 0.0, atol=1e-12)
    variance = axes.coordinates(F).var(axis=0, ddof=1)  # largest first
    np.testing.assert_allclose(variance, reference.explained_variance_, rtol=1e-8)
    assert axes.coordinates(F.astype(np.float32)).shape == (shape[0], 4)
    assert principal_axes(F.astype(np.float32), 4).directions.dtype == np.float32


def test_many_samples_are_thinned_but_not_their_mean():
    rng = np.random.default_rng(0)
    F = rng.standard_normal((4500, 3)) @ rng.standard_normal((3, 12)) + 7
    F[::3] += 5  # the samples that are kept lie elsewhere: the origin must not follow them
    axes = principal_axes(F, 100)
    np.testing.assert_allclose(axes.centre, F.mean(axis=0))
    some = rng.integers(4500, size=40)
    np.testing.assert_allclose(pdist(axes.coordinates(F[some])), pdist(F[some]), rtol=1e-4)


def test_copies_of_one_sample_have_an_axis_all_the_same():
    F = np.full((5, 3), 0.1)
    axes = principal_axes(F, 100)
    np.testing.assert_allclose(axes.coordinates(F), np.zeros((5, 1)), atol=1e-15)


@pytest.mark.parametrize("shrinkage", [0.0, 0.1, 0.5, 0.9])
def test_directions_solve_the_generalised_eigenproblem(shrinkage):
    for seed in range(4):
        S, P = labelled_cloud(seed)
        p, c = S.shape[1], P.shape[1]
        scatter = within_scatter(S, P)
        scatter = (1 - shrinkage) * scatter + shrinkage * np.trace(scatter) / p * np.eye(p)
        means = np.stack([S[P[:, j] == 1].mean(axis=0) for j in range(c)])
        between = np.cov(means.T, bias=True)  # classes count alike, however many labels they have
        _, vectors = eigh(between, scatter)  # scaled to v'Σv = 1
        directions = discriminant_directions(S, P, shrinkage)
        assert directions.shape == (p, c - 1)
        np.testing.assert_allclose(directions.T @ scatter @ directions, np.eye(c - 1), atol=1e-6)
        np.testing.assert_allclose(metric(directions), metric(vectors[:, -(c - 1) :]), atol=1e-6)


def test_without_shrinkage_it_is_scikit_learns_discriminant_analysis():
    for seed in range(3):
        rng = np.random.default_rng(seed)
        codes = np.arange(80) % 4  # equal classes: priors and means then agree
        S = (
            rng.standard_normal((80, 6)) @ rng.standard_normal((6, 6))
            + rng.random((4, 6))[codes] * 3
        )
        reference = LinearDiscriminantAnalysis(solver="eigen").fit(S, codes).scalings_[:, :3]
        directions = discriminant_directions(S, np.eye(4)[codes], 0.0)
        np.testing.assert_allclose(metric(directions), metric(reference), rtol=1e-5, atol=1e-6)


def test_full_shrinkage_looks_along_the_class_means():
    S, P = labelled_cloud(1, c=4)
    means = P.T @ S / P.sum(axis=0)[:, None]
    span = np.linalg.svd(means - means.mean(axis=0))[2][:3].T
    directions = discriminant_directions(S, P, 1.0)
    np.testing.assert_allclose(metric(span) @ directions, directions, rtol=1e-6, atol=1e-9)
    size = np.trace(within_scatter(S, P)) / S.shape[1]
    np.testing.assert_allclose(directions.T @ directions, np.eye(3) / size, rtol=1e-6, atol=1e-9)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6), shrinkage=st.sampled_from([0.1, 0.5]))
def test_a_share_is_a_part_of_a_copy(seed, shrinkage):
    """Memberships (2, 1, 0) are two copies in the first class and one in the second."""
    rng = np.random.default_rng(seed)
    S, counts = rng.standard_normal((30, 4)), rng.integers(3, size=(30, 3))
    counts[:3] += np.eye(3, dtype=int)  # no class without a sample; rows of zeros occur
    copies = np.concatenate([np.repeat(np.arange(30), counts[:, j]) for j in range(3)])
    hard = np.concatenate([np.tile(np.eye(3)[j], (counts[:, j].sum(), 1)) for j in range(3)])
    soft = discriminant_directions(S, 0.1 * counts, shrinkage)
    expected = discriminant_directions(S[copies], hard, shrinkage)
    np.testing.assert_allclose(metric(soft), metric(expected), rtol=1e-6, atol=1e-8)


@settings(max_examples=30, deadline=None)
@given(
    seed=st.integers(0, 10**6), unit=st.sampled_from([1e-20, 1.0, 1e80]), extra=st.integers(0, 9)
)
def test_neither_order_nor_origin_nor_unit_nor_frame_matters(seed, unit, extra):
    rng = np.random.default_rng(seed)
    S, P = labelled_cloud(seed, n=40, p=5)
    P[rng.permutation(40)[:extra]] = 0  # unlabelled
    P[:3] = np.eye(3)
    expected = pdist(S @ discriminant_directions(S, P, 0.3))
    order = rng.permutation(40)
    turn = np.linalg.qr(rng.standard_normal((5, 5)))[0]
    moved = unit * (S @ turn + 3)
    D = discriminant_directions(moved[order], P[order][:, rng.permutation(3)], 0.3)
    np.testing.assert_allclose(pdist(moved @ D), expected, rtol=1e-5, atol=1e-7)
    labelled = P.any(axis=1)
    alone = discriminant_directions(S[labelled], P[labelled], 0.3)
    np.testing.assert_allclose(pdist(S @ alone), expected, rtol=1e-6)


def test_one_label_a_class_has_directions_all_the_same():
    """No scatter within classes: every direction between the means is as good."""
    S = np.random.default_rng(0).random((3, 5))
    directions = discriminant_directions(S, np.eye(3), 0.5)
    assert directions.shape == (5, 2)
    kept = pdist(S @ directions)
    np.testing.assert_allclose(kept / kept[0], pdist(S) / pdist(S)[0], rtol=1e-6)


def nothing_to_tell():
    S = np.random.default_rng(0).random((8, 3))
    one, both = np.zeros((8, 2)), np.eye(2)[np.arange(8) % 2]
    one[:, 0] = 1
    return {
        "no label": (S, np.zeros((8, 2))),
        "one class": (S, one),
        "equal samples": (np.ones((8, 3)), both),
        "equal means": (np.repeat(S[:4], 2, axis=0), both),
    }


@pytest.mark.parametrize("case", nothing_to_tell())
def test_where_nothing_tells_classes_apart_there_are_no_directions(case):
    for shrinkage in (0.0, 0.5, 1.0):
        assert discriminant_directions(*nothing_to_tell()[case], shrinkage) is None
