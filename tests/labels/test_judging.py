"""A label has no vote on itself, one that was set aside has none at all; order follows doubt."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from ronmf.labels.hidden_labels import judged_labels
from ronmf.labels.judging import judge_labels, suspicion_order

NOTHING = judged_labels([])
CODES = arrays(int, st.integers(2, 40), elements=st.integers(-1, 3))


def parrot(n_classes):
    """Return what predicts of each sample its own label, where it sees that, and else nothing."""
    return lambda kept: np.where(kept[:, None] >= 0, np.eye(n_classes)[kept], 1 / n_classes)


@settings(max_examples=100, deadline=None)
@given(CODES, arrays(bool, 40), st.integers(0, 5))
def test_nothing_is_judged_by_its_own_label(codes, doubted, seed):
    codes = np.where(codes >= 0, np.unique(codes[codes >= 0]).searchsorted(codes), -1)
    trusted = np.where(doubted[: len(codes)], -1, codes)
    c = codes.max() + 1
    voted = np.zeros(len(codes), dtype=bool)

    def predict(kept):
        voted[kept >= 0] = True
        return parrot(c)(kept)

    samples, P = judge_labels(codes, trusted, predict, NOTHING, np.random.RandomState(seed))
    np.testing.assert_array_equal(P, 1 / max(1, c))
    assert not voted[trusted < 0].any()
    # All but a class's only trusted label are judged.
    counts = np.bincount(trusted[trusted >= 0], minlength=max(1, c))
    alone = (trusted >= 0) & (counts[trusted] == 1)
    expected = np.flatnonzero((codes >= 0) & ~alone) if c > 1 else []
    np.testing.assert_array_equal(samples, expected)


def test_labels_without_support_lose_their_vote():
    """In each of two rings one label is wrong, and misleads the neighbours on which it votes."""
    codes = np.repeat([0, 1], 12)
    codes[[3, 17]] = 1, 0

    def predict(kept):
        rows = []
        for i in range(24):
            side = np.arange(12) + 12 * (i // 12)
            near = side[(i % 12 + np.array([-2, -1, 1, 2])) % 12]
            rows.append([(kept[near] == 0).sum() + 0.1, (kept[near] == 1).sum() + 0.1])
        return np.array(rows) / np.sum(rows, axis=1, keepdims=True)

    samples, P = judge_labels(codes, codes, predict, NOTHING, np.random.RandomState(0))
    right = P[samples, np.repeat([0, 1], 12)]
    assert right.min() > 0.85  # one wrong of four neighbours would leave 0.75 at most
    assert set(suspicion_order(P, codes)[:2]) == {3, 17}


def test_what_trials_predicted_counts_half():
    codes = np.array([0, 0, 1, 1])
    tried = np.array([1]), np.array([[0.9, 0.1]]), np.array([0])
    _, P = judge_labels(codes, codes, parrot(2), tried, np.random.RandomState(0))
    np.testing.assert_allclose(P[:, 0], [0.5, 0.7, 0.5, 0.5])
    changed = np.array([1]), np.array([[0.9, 0.1]]), np.array([1])  # of a label that is no more
    _, P = judge_labels(codes, codes, parrot(2), changed, np.random.RandomState(0))
    np.testing.assert_allclose(P, 0.5)


def test_a_class_without_any_support_keeps_its_labels():
    codes = np.array([0, 0, 0, 1, 1])
    seen = []

    def predict(kept):
        seen.append(kept)
        return np.tile([0.9, 0.1], (5, 1))

    samples, _ = judge_labels(codes, codes, predict, NOTHING, np.random.RandomState(0))
    assert len(samples) == 5
    assert all((kept == 1).any() for kept in seen)


@given(arrays(float, (6, 3), elements=st.floats(0.01, 1)), st.integers(0, 5))
def test_a_less_likely_label_is_more_suspicious(P, seed):
    P = P / P.sum(axis=1, keepdims=True)
    labels = np.random.RandomState(seed).randint(3, size=6)
    order = suspicion_order(P, labels)
    assert sorted(order) == list(range(6))
    own = P[np.arange(6), labels]
    other = np.where(np.eye(3, dtype=bool)[labels], 0, P).max(axis=1)
    for i in range(6):
        for j in range(6):
            if own[i] < own[j] - 1e-9 and other[i] > other[j] + 1e-9:
                assert list(order).index(i) < list(order).index(j)
