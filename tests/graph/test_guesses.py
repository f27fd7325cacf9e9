"""Guesses that do not confirm themselves: balanced classes, the most confident first."""

import numpy as np
import pytest

from ronmf.graph import GraphRecipe, Propagation
from ronmf.graph._operator import GraphOperator
from ronmf.graph.selection import tuning
from ronmf.graph.selection.guesses import balanced, most_confident
from ronmf.graph.selection.shares import clearness, shares_in
from ronmf.labels.class_prior import apply_class_prior
from support.graph_choice import LABEL_AXES, Columns, blobs, choose, contest


@pytest.fixture
def memberships():
    A = np.random.default_rng(0).random((200, 4)) * [3, 1, 1, 0.5]
    return A / A.sum(axis=1, keepdims=True)


def unlabelled(A):
    return np.full(len(A), -1)


def test_classes_are_as_equal_as_is_asked(memberships, monkeypatch):
    spread = {}
    for power in (0.0, 0.5, 1.0):
        monkeypatch.setattr(tuning, "BALANCED", power)
        found = balanced(memberships, unlabelled(memberships))
        np.testing.assert_allclose(found.sum(axis=1), 1.0)
        spread[power] = np.ptp(found.mean(axis=0))
    assert spread[0.0] > 1.3 * spread[0.5]
    assert spread[1.0] < 0.005
    monkeypatch.setattr(tuning, "BALANCED", 0.0)
    found = balanced(memberships, unlabelled(memberships))
    assert (found.argmax(axis=1) == memberships.argmax(axis=1)).all()


def test_classes_of_one_size_stay_as_they_are():
    A = np.repeat(0.7 * np.eye(3) + 0.1, 5, axis=0)
    assert (balanced(A, unlabelled(A)).argmax(axis=1) == A.argmax(axis=1)).all()


def test_labelled_samples_have_no_part_in_sizes(memberships):
    more = np.concatenate([memberships, np.tile([1.0, 0, 0, 0], (100, 1))])
    known = np.where(np.arange(300) < 200, -1, 0)
    alone = balanced(memberships, unlabelled(memberships))
    np.testing.assert_allclose(balanced(more, known)[:200], alone)
    assert balanced(more, np.zeros(300, dtype=int)).shape == (300, 4)


@pytest.mark.parametrize("share", [0.3, 0.65, 1.0])
def test_the_most_confident_of_every_class(share):
    rng = np.random.default_rng(1)
    labels, sure, free = rng.integers(5, size=90), rng.random(90), rng.random(90) < 0.8
    labels[labels == 3] = 4  # a class that no sample is in
    chosen = most_confident(labels, sure, free, share)
    assert not chosen[~free].any()
    for j in range(5):
        mine, others = sure[chosen & (labels == j)], sure[free & ~chosen & (labels == j)]
        assert len(mine) == np.ceil(share * (free & (labels == j)).sum())
        assert not len(others) or mine.min() >= others.max()


def test_who_believes_in_no_sizes_gets_none_balanced():
    X, codes, truth = blobs(90, labelled=0.0)
    codes[:3] = truth[:3]
    guesses = {}
    for prior in ("labels", None):
        found = contest(X, codes, [GraphRecipe()])
        found.propagation = Propagation(class_prior=prior)
        W = next(iter(found.judged.values())).graphs[0]
        guesses[prior] = [found.guess(W, codes, share).sum() for share in (None, 1.0)]
    assert guesses[None][0] == guesses[None][1]
    assert guesses["labels"][0] != guesses["labels"][1]


def test_labels_in_different_clusters_speak_for_a_graph():
    """Both graphs fall into three clear clusters; in one of them two classes share a cluster."""
    rng = np.random.default_rng(0)
    truth, light = np.arange(240) % 3, rng.permutation(240) % 3
    X = np.c_[np.eye(3)[truth], np.eye(3)[light]] * 3 + 0.5 * rng.random((240, 6))
    classes, lights = GraphRecipe(Columns([0, 1, 2])), GraphRecipe(Columns([3, 4, 5]))
    codes = np.full(240, -1)
    first = np.flatnonzero((truth == 0) & (light == 0))[0]
    second = np.flatnonzero((truth == 1) & (light == 0))[0]
    third = np.flatnonzero((truth == 2) & (light == 1))[0]
    codes[[first, second, third]] = [0, 1, 2]
    found = contest(X, codes, [lights, classes])
    shares = shares_in(0, found)
    # Of three labels in three clusters of one size, chance has 8/9 without one of its own.
    evidence = 8 / 9 * tuning.LABELS_APART
    assert np.log(clearness(classes, found)) == pytest.approx(np.log(3.5) + evidence, rel=0.01)
    assert clearness(lights, found) == pytest.approx(3.5, rel=0.01)  # one of three is chance
    ratio = clearness(classes, found) / clearness(lights, found)
    assert shares[classes] / shares[lights] == pytest.approx(ratio)


def test_neither_seed_nor_order_decides_with_one_label_of_each_class():
    X, _, truth = blobs(1200, noise=4, labelled=0.0)
    codes = np.full(1200, -1)
    codes[:3] = truth[:3]
    order = np.random.default_rng(0).permutation(1200)
    recipes = [GraphRecipe(), *LABEL_AXES]

    def predicted(X, codes, seed):
        chosen = choose(X, codes, recipes, seed)
        A = GraphOperator.build(chosen.graph.affinity, X).propagate(codes, 3, 10.0)
        return apply_class_prior(A, codes, "labels").argmax(axis=1)

    first = predicted(X, codes, 0)
    assert (first == predicted(X, codes, 1)).mean() > 0.99
    assert (first[order] == predicted(X[order], codes[order], 2)).mean() > 0.99
