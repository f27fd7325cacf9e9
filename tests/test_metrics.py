from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ronmf.metrics import best_match, clustering_accuracy, f_measure, nmi, pairwise_f, purity, score

PAIRS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=40)


@given(PAIRS)
def test_accuracy_is_the_best_of_all_maps(pairs):
    truth, found = np.array(pairs).T
    brute = max((np.array(p)[found] == truth).mean() for p in permutations(range(4)))
    assert clustering_accuracy(truth, found) == pytest.approx(brute)


@given(PAIRS)
def test_set_measures_by_brute_force(pairs):
    truth, found = np.array(pairs).T
    n, best, pure = len(truth), 0.0, 0
    for j in set(truth):
        scores = []
        for k in set(found):
            both = ((truth == j) & (found == k)).sum()
            precision, recall = both / (found == k).sum(), both / (truth == j).sum()
            scores.append(2 * precision * recall / (precision + recall) if both else 0.0)
        best += (truth == j).mean() * max(scores)
    for k in set(found):
        pure += max(((truth == j) & (found == k)).sum() for j in set(truth))
    assert f_measure(truth, found) == pytest.approx(best)
    assert purity(truth, found) == pytest.approx(pure / n)


@given(PAIRS)
def test_pairwise_f_by_brute_force(pairs):
    truth, found = np.array(pairs).T
    right = wrong = missed = 0
    for i in range(len(truth)):
        for j in range(i):
            together, predicted = truth[i] == truth[j], found[i] == found[j]
            right += together and predicted
            wrong += predicted and not together
            missed += together and not predicted
    expected = 2 * right / (2 * right + wrong + missed) if right else 0.0
    assert pairwise_f(truth, found) == pytest.approx(expected)


@given(PAIRS)
def test_accuracy_is_never_above_purity(pairs):
    truth, found = np.array(pairs).T
    assert clustering_accuracy(truth, found) <= purity(truth, found) + 1e-12


@given(st.lists(st.integers(0, 5), min_size=18, max_size=18))
def test_f1_of_six_equal_classes_and_clusters_is_at_least_a_sixth(found):
    assert f_measure(np.arange(18) % 6, found) >= 1 / 6 - 1e-12


def test_nmi_is_divided_by_the_larger_entropy():
    truth, found = np.array([0, 0, 1, 1]), np.array([0, 1, 2, 3])
    assert nmi(truth, found) == pytest.approx(0.5)  # 1 bit over 2 bits
    assert nmi(truth, found, "min") == pytest.approx(1.0)
    assert nmi(truth, found, "arithmetic") == pytest.approx(2 / 3)


@settings(deadline=None)  # the first call is slow on a busy machine
@given(PAIRS, st.integers(0, 100))
def test_names_of_clusters_do_not_matter(pairs, seed):
    truth, found = np.array(pairs).T
    renamed = np.random.default_rng(seed).permutation(4)[found] + 10
    unlabelled = np.arange(len(truth)) % 2 == 0
    after = score(truth, renamed, unlabelled)
    for name, value in score(truth, found, unlabelled).items():
        assert after[name] == pytest.approx(value), name


def test_the_map_is_chosen_over_all_samples_and_scored_on_some():
    truth, found = np.array([0, 0, 0, 1, 1]), np.array([1, 1, 1, 1, 0])
    assert best_match(truth, found).tolist() == [0, 0, 0, 0, 1]
    assert clustering_accuracy(truth, found, np.array([0, 0, 0, 1, 1], bool)) == 0.5


def test_classes_may_have_any_number():
    assert clustering_accuracy([-1, -1, 0, 0], [0, 1, 2, 2]) == 0.75


def test_more_clusters_than_classes_and_fewer():
    assert clustering_accuracy([0, 0, 0, 1], [0, 0, 1, 2]) == 0.75
    assert clustering_accuracy([0, 1, 2, 2], [0, 0, 0, 0]) == 0.5


def test_every_sample_labelled_leaves_nothing_to_score():
    result = score([0, 1], [0, 1], [False, False])
    assert np.isnan(result["acc_unlabelled"])
    assert result["acc_all"] == 1.0


def test_bad_shapes_are_one_sentence():
    with pytest.raises(ValueError, match="truth has shape"):
        purity([0, 1], [0])
