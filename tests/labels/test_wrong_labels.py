"""Labels that the others contradict: found where they were planted, and nowhere else."""

import numpy as np
import pytest
from sklearn.datasets import load_digits

from ronmf import RONMF, HarmonicLabelPropagation
from ronmf.bench import flip_labels
from ronmf.labels.hidden_labels import Trial
from ronmf.labels.wrong_labels import check_labels

NOTHING = np.full(1, -1)


def trial(given, predictions):
    return [Trial(NOTHING, np.arange(len(given)), predictions, given)]


def sure_of(truth, margin, n_classes=4):
    """Return predictions of classes with some margins."""
    P = np.repeat((1 - np.asarray(margin))[:, None] / n_classes, n_classes, axis=1)
    P[np.arange(len(truth)), truth] += margin
    return P


@pytest.mark.parametrize("share", [0.05, 0.1, 0.2, 0.3])
def test_wrong_labels_are_found_where_predictions_are_sure(share):
    rng = np.random.default_rng(0)
    truth = rng.integers(4, size=300)
    given = flip_labels(truth, share, rng)
    found = check_labels(given, trial(given, sure_of(truth, 0.5 + 0.5 * rng.random(300))))
    assert (given != truth)[found].all()
    assert len(found) >= 0.85 * (given != truth).sum()


def test_unsure_predictions_contradict_nobody():
    rng = np.random.default_rng(0)
    truth = rng.integers(4, size=400)
    margin = rng.random(400)
    # As well calibrated as can be: wrong with the probability it says.
    wrong = rng.random(400) > margin + (1 - margin) / 4
    wrong &= margin < 0.5
    said = np.where(wrong, (truth + 1) % 4, truth)
    assert len(check_labels(truth, trial(truth, sure_of(said, margin)))) == 0


def test_labels_without_any_order_are_left_alone():
    rng = np.random.default_rng(0)
    given, said = rng.integers(4, size=(2, 300))
    assert len(check_labels(given, trial(given, sure_of(said, rng.random(300))))) == 0


def test_three_labels_per_class_are_too_few_to_judge():
    truth = np.repeat(np.arange(12), 3)
    given = np.where(np.arange(36) % 12 == 0, (truth + 1) % 12, truth)
    assert len(check_labels(given, trial(given, sure_of(truth, np.full(36, 0.9), 12)))) == 0
    more = np.concatenate([given, given])
    found = check_labels(more, trial(more, sure_of(np.tile(truth, 2), np.full(72, 0.9), 12)))
    assert len(found) == 6


def test_a_class_keeps_its_labels_if_all_are_doubted():
    truth = np.repeat([0, 1], [95, 5])
    said = np.zeros(100, dtype=int)
    assert len(check_labels(truth, trial(truth, sure_of(said, np.full(100, 0.9), 2)))) == 0
    assert len(check_labels(truth, [])) == 0


def things_on_turntables():
    """Return closed curves, along which a wrong label leads its neighbours astray, and labels."""
    rng = np.random.default_rng(0)
    truth, angle = np.repeat(np.arange(12), 40), np.tile(np.arange(40) * np.pi / 20, 12)
    waves = np.stack([f(k * angle) for k in (1, 2, 3) for f in (np.sin, np.cos)], axis=1)
    X = np.einsum("ik,ikj->ij", waves, rng.normal(size=(12, 6, 20))[truth])
    y = np.where(np.arange(480) % 4 == 0, truth, -1)
    return X - X.min(), flip_labels(y, 0.15, np.random.default_rng(0)), y, truth


@pytest.mark.filterwarnings("ignore:.*seem to have wrong labels")
@pytest.mark.parametrize("estimator", [RONMF, HarmonicLabelPropagation])
@pytest.mark.parametrize("graph", ["auto", "plain"])
def test_setting_wrong_labels_aside_helps(estimator, graph):
    X, given, right, truth = things_on_turntables()
    free = right < 0
    accuracy = {}
    for check in (False, True):
        model = estimator(graph=graph, check_labels=check, random_state=0).fit(X, given)
        accuracy[check] = (model.transduction_ == truth)[free].mean()
    wrong = set(np.flatnonzero(given != right))
    doubted = set(model.doubted_labels_)
    assert len(doubted & wrong) > len(wrong) / 2
    assert len(doubted - wrong) < len(doubted & wrong)
    assert accuracy[True] > accuracy[False] + 0.01


def test_right_labels_change_nothing():
    X, truth = load_digits(return_X_y=True)
    X, right = X[:500], np.where(np.arange(500) % 9 == 0, truth[:500], -1)
    models = [RONMF(check_labels=check, random_state=0).fit(X, right) for check in (False, True)]
    np.testing.assert_array_equal(models[0].membership_, models[1].membership_)
    assert len(models[1].doubted_labels_) == 0
