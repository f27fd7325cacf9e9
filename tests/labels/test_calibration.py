"""Calibrated probabilities: a known distortion is undone, and nothing else is touched."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ronmf import ADMM, RONMF
from ronmf.labels.calibration import Calibration, calibrate, calibrate_tentatively
from ronmf.labels.class_prior import normalize_rows
from ronmf.labels.hidden_labels import Trial


def sharpened(P, temperature):
    powers = P ** (1 / temperature)
    return powers / powers.sum(axis=1, keepdims=True)


def true_probabilities(seed, n, c):
    """Probabilities and outcomes that follow them."""
    rng = np.random.default_rng(seed)
    P = rng.dirichlet(np.full(c, 0.7), size=n).clip(1e-3)
    P /= P.sum(axis=1, keepdims=True)
    return P, (rng.random((n, 1)) > P.cumsum(axis=1)).sum(axis=1).clip(max=c - 1)


def expected_calibration_error(P, truth, n_bins=10):
    """Mean gap, over bins of confidence, between confidence and accuracy."""
    confidence, right = P.max(axis=1), P.argmax(axis=1) == truth
    bins = np.minimum((confidence * n_bins).astype(int), n_bins - 1)
    gaps = [
        (bins == b).mean() * abs(confidence[bins == b].mean() - right[bins == b].mean())
        for b in np.unique(bins)
    ]
    return sum(gaps)


@pytest.mark.parametrize("temperature", [0.2, 0.5, 1.0, 2.0, 4.0])
def test_a_known_temperature_is_found(temperature):
    P, truth = true_probabilities(0, 4000, 4)
    distorted = sharpened(P, 1 / temperature)  # so that T undoes it
    found = calibrate(distorted, truth)
    # What was flattened below the floor of a share cannot come back.
    assert found.temperature == pytest.approx(temperature, rel=0.1)
    repaired = found.probabilities(distorted)
    assert expected_calibration_error(repaired, truth) < 0.03
    if temperature != 1:
        assert expected_calibration_error(distorted, truth) > 0.05
        assert np.abs(repaired - P).mean() < 0.3 * np.abs(distorted - P).mean()


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    c=st.integers(1, 5),
    temperature=st.floats(0.02, 10.0),
    doubt=st.floats(0.0, 0.3),
    dtype=st.sampled_from([np.float32, np.float64]),
)
def test_rows_stay_probabilities_in_their_order(seed, c, temperature, doubt, dtype):
    P = np.random.default_rng(seed).dirichlet(np.full(c, 0.5), size=20).astype(dtype)
    P[0] = np.eye(c)[0]
    P[1] = 1 / c
    rows = Calibration(temperature, doubt).probabilities(P)
    assert rows.dtype == dtype
    assert (rows >= 0).all()
    np.testing.assert_allclose(rows.sum(axis=1), 1.0, rtol=1e-5)
    np.testing.assert_allclose(rows[1], 1 / c, rtol=1e-5)
    by_share = np.take_along_axis(rows, np.argsort(P, axis=1), axis=1)
    assert (np.diff(by_share, axis=1) >= -1e-6).all()
    largest = rows[np.arange(20), P.argmax(axis=1)]
    np.testing.assert_array_equal(largest, rows.max(axis=1))


def test_the_likeliest_temperature_is_the_one_found():
    """By brute force over temperatures, the weak belief in 1 included."""
    P, truth = true_probabilities(3, 30, 3)
    found = calibrate(P, truth)
    assert found.doubt == pytest.approx(1 / 32)
    grid = np.exp(np.linspace(np.log(0.02), np.log(10), 4001))
    costs = []
    for T in grid:
        rows = (1 - 1 / 32) * sharpened(P, T) + 1 / 32 / 3
        costs.append(-np.log(rows[np.arange(30), truth]).sum() + np.log(T) ** 2 / 2)
    assert found.temperature == pytest.approx(grid[np.argmin(costs)], rel=0.01)


def test_without_labels_it_is_the_identity():
    P = true_probabilities(0, 10, 3)[0]
    assert calibrate(P[:0], np.empty(0, dtype=int)) == Calibration()
    np.testing.assert_array_equal(Calibration().probabilities(P), P)


def test_few_labels_leave_doubt():
    """A class is never impossible: not after two right answers, less so after a thousand."""
    sure = np.tile([1.0, 0.0], (1000, 1))
    least = [
        calibrate(sure[:n], np.zeros(n, dtype=int)).probabilities(sure)[0, 1] for n in (2, 50, 1000)
    ]
    assert least[0] > 0.1
    assert least[0] > least[1] > least[2] > 0
    wrong = calibrate(sure[:100], np.arange(100) % 2).probabilities(sure)
    assert wrong[0, 1] > 0.2  # half of the answers were wrong


def test_ronmf_knows_better_how_sure_it_is(digits):
    """On samples nobody labelled, over draws of the labels."""
    X, _, truth = digits
    raw, calibrated = [], []
    for seed in range(4):
        y = np.where(np.random.default_rng(seed).random(600) < 0.1, truth, -1)
        model = RONMF(graph="plain", solver=ADMM(max_iter=20), random_state=seed).fit(X, y)
        free = y < 0
        before, after = normalize_rows(model.membership_), model.label_distributions_
        np.testing.assert_allclose(after.sum(axis=1), 1.0)
        np.testing.assert_array_equal(after.argmax(axis=1), model.labels_)
        raw.append(expected_calibration_error(before[free], truth[free]))
        calibrated.append(expected_calibration_error(after[free], truth[free]))
    assert np.mean(calibrated) < 0.6 * np.mean(raw)
    assert np.mean(calibrated) < 0.12


def test_new_samples_get_the_same_treatment(digits):
    X, y, truth = digits
    new = np.arange(600) % 3 == 1
    model = RONMF(graph="plain", solver=ADMM(max_iter=20), random_state=0).fit(X[~new], y[~new])
    raw, probabilities = normalize_rows(model.transform(X[new])), model.predict_proba(X[new])
    np.testing.assert_array_equal(
        model.classes_[probabilities.argmax(axis=1)], model.predict(X[new])
    )
    before = expected_calibration_error(raw, truth[new])
    assert expected_calibration_error(probabilities, truth[new]) < 0.6 * before


def test_one_label_per_class_is_calibrated_on_predictions(digits):
    """No label can be hidden, and memberships from so few are far too timid as they are."""
    X, _, truth = digits
    raw, calibrated = [], []
    for seed in range(3):
        y, rng = np.full(600, -1), np.random.default_rng(seed)
        for j in range(10):
            y[rng.choice(np.flatnonzero(truth == j))] = j
        model = RONMF(solver=ADMM(max_iter=20), image_shape=(8, 8), random_state=0).fit(X, y)
        free = y < 0
        A = normalize_rows(model.membership_)
        raw.append(expected_calibration_error(A[free], truth[free]))
        P = model.label_distributions_
        calibrated.append(expected_calibration_error(P[free], truth[free]))
    assert np.mean(calibrated) < 0.5 * np.mean(raw)
    assert np.mean(calibrated) < 0.12


@pytest.mark.parametrize("confusion", [0.0, 0.4, 1.0])
def test_predictions_of_predictions_are_believed_less_where_labels_contradict(confusion):
    P, truth = true_probabilities(0, 2000, 4)
    distorted, nothing = sharpened(P, 0.5), np.full(2000, -1)
    trials = [Trial(nothing, np.arange(2000), distorted, truth)]
    found = calibrate_tentatively(trials, 1000, confusion)
    again = (P.argmax(axis=1) == truth).mean()
    sure = found.probabilities(distorted).max(axis=1).mean()
    assert sure == pytest.approx(again ** (1 + confusion), abs=0.005)
    if confusion == 0:  # as if predictions were labels
        assert found.temperature == pytest.approx(2.0, rel=0.1)


def test_predictions_of_predictions_that_are_no_use():
    assert calibrate_tentatively([], 3, 0.5) == Calibration()
    timid, truth = np.full((50, 2), 0.5), np.zeros(50, dtype=int)
    trial = Trial(truth, np.arange(50), timid, truth)
    found = calibrate_tentatively([trial], 2, 1.0)  # always right, and no temperature says so
    np.testing.assert_allclose(found.probabilities(timid), 0.5)
    wrong = Trial(truth, np.arange(50), np.tile([0.9, 0.1], (50, 1)), truth + 1)
    assert calibrate_tentatively([wrong], 2, 1.0).probabilities(wrong.predictions).max() < 0.65
