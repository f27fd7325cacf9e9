"""The samples on which candidates compete: every class, at the density of all samples."""

import numpy as np
import pytest

from ronmf.graph.selection.compared import axis_rows, compared_rows, thinned
from ronmf.labels.hidden_labels import hidden_label_splits


def draw(n, n_classes, share, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.integers(n_classes, size=n)
    return np.where(rng.random(n) < share, truth, -1)


def test_few_samples_are_all_compared():
    codes = draw(400, 4, 0.2)
    rows = compared_rows(codes, 4, 40, np.random.RandomState(0))
    assert rows.tolist() == list(range(400))
    np.testing.assert_array_equal(thinned(codes, rows, np.random.RandomState(0)), codes)


@pytest.mark.parametrize("share", [0.02, 0.3])
def test_labels_of_many_samples_keep_their_density(share):
    codes = draw(6000, 5, share)
    rng = np.random.RandomState(0)
    rows = compared_rows(codes, 5, 40, rng)
    assert len(rows) == len(set(rows)) == 1000
    known = thinned(codes, rows, rng)
    assert (known[known >= 0] == codes[rows][known >= 0]).all()
    assert (known >= 0).mean() == pytest.approx((codes >= 0).mean(), abs=0.005)
    mix = np.bincount(known[known >= 0]) / (known >= 0).sum()
    np.testing.assert_allclose(mix, np.bincount(codes[codes >= 0]) / (codes >= 0).sum(), atol=0.03)
    assert (codes[rows] >= 0).sum() >= min(500, (codes >= 0).sum())  # to judge by


def test_few_candidates_can_afford_more_samples():
    codes = draw(6000, 5, 0.1)
    assert len(compared_rows(codes, 5, 10, np.random.RandomState(0))) == 2000
    codes[:] = -1  # nothing to hide: every candidate is made once
    assert len(compared_rows(codes, 0, 40, np.random.RandomState(0))) == 2000


def test_every_class_keeps_a_label_in_every_trial():
    """A hundred classes with two labels each: none may vanish while its other label is hidden."""
    codes = np.full(5000, -1)
    codes[:200] = np.arange(200) % 100
    rng = np.random.RandomState(0)
    rows = compared_rows(codes, 100, 40, rng)
    for kept, hidden in hidden_label_splits(codes, rng, rows):
        assert set(kept[kept >= 0]) == set(range(100))
        known = thinned(kept, rows, rng)
        assert set(known[known >= 0]) == set(range(100))
        assert (known[np.isin(rows, hidden)] == -1).all()


def test_labels_that_shape_axes_are_some_of_each_class():
    few = draw(2000, 5, 0.5)
    np.testing.assert_array_equal(
        axis_rows(few, np.random.RandomState(0)), np.flatnonzero(few > -1)
    )
    many = np.repeat([0, 1, 2, 3, -1], [4000, 4000, 100, 8, 50])
    drawn = np.bincount(many[axis_rows(many, np.random.RandomState(0))])
    np.testing.assert_allclose(drawn[:2], 740, rtol=0.01)
    assert drawn[2:].tolist() == [20, 8]
