"""Predictions of hidden labels are told from guesses."""

import numpy as np
import pytest
from scipy.stats import hypergeom

from ronmf.labels.chance import like_chance


@pytest.mark.parametrize(
    ("count", "right", "n_classes", "chance"),
    [
        (4, 4, 2, False),  # too few to tell, so nothing is said
        (10, 5, 2, True),
        (100, 50, 2, True),
        (100, 60, 2, True),  # one time in 35
        (100, 68, 2, False),
        (100, 30, 10, False),
        (100, 10, 10, True),
    ],
)
def test_chance_is_told_from_knowledge(count, right, n_classes, chance):
    truth = np.arange(count) % n_classes
    predicted = np.where(np.arange(count) < right, truth, (truth + 1) % n_classes)
    assert like_chance(predicted, truth) is chance


@pytest.mark.parametrize("seed", range(20))
def test_of_two_classes_it_is_the_exact_test(seed):
    """Shuffled, the rare class is met as in a draw without replacement."""
    rng = np.random.default_rng(seed)
    n, rare = 60, int(rng.integers(2, 20))
    truth = np.repeat([1, 0], [rare, n - rare])
    predicted = np.where(rng.random(n) < 0.7, truth, rng.random(n) < rare / n).astype(int)
    hits = int(((predicted == 1) & (truth == 1)).sum())
    p = hypergeom.sf(hits - 1, n, rare, int(predicted.sum()))
    if not 0.0003 < p < 0.003 and (predicted != truth).any():  # 5000 shuffles tell that much
        assert like_chance(predicted, truth) is bool(p > 0.001)


def test_a_rare_class_that_is_found_is_no_guess():
    truth = np.repeat([0, 1], [55, 5])
    assert like_chance(np.zeros(60, dtype=int), truth)
    assert not like_chance(np.repeat([0, 1], [57, 3]), truth)
