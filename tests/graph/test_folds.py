"""The samples on which candidates are compared, and the labels that are hidden meanwhile."""

import numpy as np
import pytest
from sklearn.datasets import load_digits

from ronmf.graph import GraphRequest, choose_graph, default_recipes
from ronmf.graph.selection.folds import (
    compared_count,
    compared_rows,
    few_labels,
    make_folds,
    most_parts,
    stratified,
)


def draw(n, n_classes, share, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.integers(n_classes, size=n)
    return np.where(rng.random(n) < share, truth, -1)


def test_few_samples_are_all_compared():
    rows = compared_rows(draw(400, 4, 0.2), 1000, np.random.RandomState(0))
    assert rows.tolist() == list(range(400))


@pytest.mark.parametrize("share", [0.02, 0.3, 1.0])
def test_of_many_samples_up_to_half_are_labelled_in_the_mix_of_all(share):
    codes = draw(6000, 5, share)
    rows = compared_rows(codes, 1000, np.random.RandomState(0))
    assert len(rows) == len(set(rows)) == 1000
    known = codes[rows][codes[rows] >= 0]
    assert len(known) >= min(499, (codes >= 0).sum())  # to judge by
    mix = np.bincount(codes[codes >= 0]) / (codes >= 0).sum()
    np.testing.assert_allclose(np.bincount(known) / len(known), mix, atol=0.04)


def test_fold_0_hides_nothing_and_the_others_every_label_that_has_a_peer():
    codes = draw(200, 3, 0.3)
    codes[codes == 2] = -1
    codes[7] = 2  # an only label is never hidden: there would be no such class
    folds = make_folds(codes, np.arange(200), np.random.RandomState(0))
    np.testing.assert_array_equal(folds[0][0], codes)
    assert folds[0][1].tolist() == []
    every = np.concatenate([hidden for _, hidden in folds])
    assert set(every) == set(np.flatnonzero(np.isin(codes, [0, 1])))
    for kept, hidden in folds:
        assert (kept[hidden] == -1).all()
        others = np.setdiff1d(np.arange(200), hidden)
        np.testing.assert_array_equal(kept[others], codes[others])
    assert len(make_folds(np.zeros(9, dtype=int), np.arange(9), np.random.RandomState(0))) == 1


def test_every_class_keeps_a_label_in_every_fold():
    """A hundred classes with two labels each: none may vanish while its other label is hidden."""
    codes = np.full(5000, -1)
    codes[:200] = np.arange(200) % 100
    rng = np.random.RandomState(0)
    rows = compared_rows(codes, 2000, rng)
    for kept, hidden in make_folds(codes, rows, rng):
        assert set(kept[rows][kept[rows] >= 0]) == set(range(100))
        assert np.isin(hidden, rows).all()


def test_a_share_of_each_class_is_drawn_but_not_too_few():
    many = np.repeat([0, 1, 2, 3, -1], [4000, 4000, 100, 8, 50])
    drawn = np.bincount(many[stratified(many, 0.1, 20, np.random.RandomState(0))])
    assert drawn.tolist() == [400, 400, 20, 8]


@pytest.mark.parametrize(
    ("counts", "n_clusters", "few"),
    [
        ([5, 5, 5], 3, True),  # sparse: 15 of 1000 samples
        ([50, 50, 50], 3, False),
        ([50, 50, 50], 4, True),  # a cluster without a label
        ([1, 1, 1], 3, True),  # none can be hidden
        ([500], 1, True),  # nothing to tell apart
        ([], 3, True),
    ],
)
def test_when_tentative_labels_know_more(counts, n_clusters, few):
    codes = np.full(1000, -1)
    known = np.repeat(np.arange(len(counts)), counts)
    codes[: len(known)] = known
    assert few_labels(codes, n_clusters) == few


@pytest.mark.parametrize(("labelled", "most"), [(0.0, 8), (0.04, 8), (0.5, 4)])
def test_a_blend_has_as_many_graphs_as_memory_is_promised_for(labelled, most):
    X, truth = load_digits(return_X_y=True)
    X, truth = X[:300], truth[:300]
    codes = np.where(np.arange(300) < 300 * labelled, truth, -1)
    request = GraphRequest(X, codes, n_clusters=10, rng=0)
    parts = choose_graph(request, default_recipes(X, (8, 8))).graph.parts
    assert 1 <= len(parts) <= most_parts(codes, 10) == most
    assert len(parts) > 4 or most == 4


def test_more_are_compared_where_every_class_has_one_label_unless_pictures_are_large():
    assert compared_count(10) == 1000
    assert compared_count(10, one_each=True, n_features=784) == 4000
    assert compared_count(10, one_each=True, n_features=10_000) < 2000
    assert compared_count(10, one_each=True, n_features=60_000) == 1000
    assert compared_count(300, one_each=True, n_features=60_000) == compared_count(300) == 6000
