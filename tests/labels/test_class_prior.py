"""Class-mass normalisation: what it must do exactly, and where it must do nothing."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ronmf import ADMM, RONMF
from ronmf.baselines import HarmonicLabelPropagation
from ronmf.labels.class_prior import apply_class_prior, normalize_rows, prior_factors


def problem(seed, n=40, c=3, labels=1):
    """Memberships whose rows sum to one, and codes with so many labels of each class."""
    rng = np.random.default_rng(seed)
    A = normalize_rows(rng.random((n, c)) ** 3 * rng.uniform(0.2, 3, size=c))
    codes = np.full(n, -1)
    codes[: c * labels] = np.arange(c * labels) % c
    return A, codes


@settings(max_examples=50, deadline=None)
@given(seed=st.integers(0, 10**6), c=st.integers(1, 6))
def test_one_label_a_class_makes_masses_equal(seed, c):
    A, codes = problem(seed, c=c)
    factors = prior_factors(A, codes)
    mass = (A * factors)[codes < 0].sum(axis=0)
    np.testing.assert_allclose(mass / mass.sum(), 1 / c)


@settings(max_examples=50, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    labels=st.lists(st.integers(1, 12), min_size=2, max_size=4),
)
def test_the_factors_are_those_of_the_formula(seed, labels):
    """By the book: a loop over classes, masses as plain averages."""
    c, n = len(labels), 80
    codes = np.concatenate([np.repeat(np.arange(c), labels), np.full(n - sum(labels), -1)])
    A = 5 * problem(seed, n, c)[0]  # rows of any sum
    factors = prior_factors(A, codes)
    for j in range(c):
        mass = np.mean([row[j] / row.sum() for row in A[codes < 0]])
        wanted = (labels[j] + 10) / (sum(labels) + 10 * c)
        assert factors[j] == pytest.approx((wanted / mass) ** (np.mean(labels) ** -0.5))


def test_the_more_labels_the_more_the_graph_is_believed():
    A, _ = problem(0, n=9000)
    previous = np.inf
    for labels in (1, 4, 25, 400, 2500):
        codes = np.full(9000, -1)
        codes[: 3 * labels] = np.arange(3 * labels) % 3
        correction = np.abs(np.log(prior_factors(A, codes))).max()
        assert correction < previous
        previous = correction
    assert previous < 0.02


def test_masses_as_wanted_stay():
    A = np.array([[0.5, 0.5], [1, 0], [0, 1], [0.3, 0.7], [0.7, 0.3]])
    np.testing.assert_allclose(prior_factors(A, np.array([-1, 0, 1, -1, -1])), 1.0)


@pytest.mark.parametrize(
    "codes", [[0, 0, -1, -1], [-1, -1, -1, -1], [0, 1, 2, 0]], ids=["part", "none", "all"]
)
def test_without_labels_of_all_clusters_or_without_free_samples_nothing_changes(codes):
    A = problem(0, n=4)[0]
    np.testing.assert_array_equal(prior_factors(A, np.array(codes)), np.ones(3))
    np.testing.assert_allclose(apply_class_prior(A, np.array(codes), "labels"), A)


def test_a_class_without_any_mass_does_not_explode():
    A = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 0.0], [0.0, 0.0]])
    factors = prior_factors(A[:4], np.array([0, 1, -1, -1]))
    assert np.isfinite(factors).all()
    assert factors.max() <= 1001
    rows = apply_class_prior(A, np.array([0, 1, -1, -1, -1]), "labels")
    assert np.isfinite(rows).all()
    np.testing.assert_allclose(rows.sum(axis=1), 1.0)


@given(st.integers(0, 10**6), st.sampled_from([np.float32, np.float64]))
def test_shares(seed, dtype):
    A = np.random.default_rng(seed).random((7, 3)).astype(dtype)
    A[2] = 0
    rows = normalize_rows(A)
    assert rows.dtype == dtype
    np.testing.assert_allclose(rows.sum(axis=1), 1.0, rtol=1e-6)
    np.testing.assert_allclose(rows[2], 1 / 3, rtol=1e-6)
    np.testing.assert_allclose(rows[0] * A[0].sum(), A[0], rtol=1e-6)


def test_the_factorisation_does_not_see_it(digits):
    """A and Z are scaled against each other: their product, and all but A and Z, stay."""
    X, _, truth = digits
    X, y = X[:300], np.full(300, -1)
    for j in range(10):
        y[np.flatnonzero(truth[:300] == j)[:2]] = j
    settings = {
        "graph": "plain",
        "graph_weight": 5.0,
        "solver": ADMM(max_iter=20),
        "random_state": 0,
    }
    scaled = RONMF(**settings).fit(X, y)
    free = RONMF(**settings, class_prior=None).fit(X, y)
    factors = prior_factors(free.membership_, y)
    assert np.abs(factors - 1).max() > 0.1
    np.testing.assert_allclose(scaled.membership_, free.membership_ * factors)
    np.testing.assert_allclose(
        scaled.membership_ @ scaled.prototypes_, free.membership_ @ free.prototypes_
    )
    np.testing.assert_array_equal(scaled.components_, free.components_)
    np.testing.assert_array_equal(scaled.group_weights_, free.group_weights_)
    assert scaled.history_.objective == free.history_.objective
    new = X[200:220] + 0.1
    np.testing.assert_allclose(scaled.transform(new), free.transform(new) * factors, atol=1e-10)
    np.testing.assert_allclose(
        scaled.inverse_transform(scaled.transform(new)),
        free.inverse_transform(free.transform(new)),
        atol=1e-8,
    )


def test_propagation_may_have_it_too(digits):
    X, y, _ = digits
    free = HarmonicLabelPropagation().fit(X, y)
    scaled = HarmonicLabelPropagation(class_prior="labels").fit(X, y)
    np.testing.assert_allclose(scaled.membership_, apply_class_prior(free.membership_, y, "labels"))


def test_it_keeps_a_large_class_from_flooding_a_small_one():
    """One label each: of two clouds that touch, the denser one claims too much of the other."""
    gains = []
    for seed in range(6):
        rng = np.random.default_rng(seed)
        X = np.concatenate([rng.normal(5, 0.6, (150, 2)), rng.normal(7.2, 1.2, (150, 2))])
        truth, y = np.repeat([0, 1], 150), np.full(300, -1)
        y[[0, 150]] = 0, 1
        accuracy = [
            (HarmonicLabelPropagation(class_prior=mass).fit(abs(X), y).labels_ == truth).mean()
            for mass in ("labels", None)
        ]
        gains.append(accuracy[0] - accuracy[1])
    assert np.mean(gains) > 0.02
