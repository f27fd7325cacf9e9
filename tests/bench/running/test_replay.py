"""Methods that know the seed and compute again what the protocol drew: they learn nothing."""

import numpy as np
import pytest

from ronmf.bench import add_noise
from ronmf.bench.running.pool import Pool
from ronmf.bench.running.protocol import draw_case
from ronmf.bench.running.worker import Task
from ronmf.datasets import Dataset
from support.prying_methods import replay

# Streams of the protocol.
LABELS, NOISE = 2, 3


def test_a_replayed_shuffle_tells_nothing(dataset):
    right = []
    with Pool(1, None) as pool:
        for seed in range(12):
            case = draw_case(dataset, n_classes=4, seed=seed, samples_per_class=30)
            pool.submit("replay", Task(case.view, "support.prying_methods:Replayer", "{}", seed))
            ((_, result),) = list(pool.finished())
            assert "failed" not in result, result
            right.append(np.mean(np.array(result["labels"]) == case.truth_for_pictures))
    # 1440 guesses among four classes: chance is 0.25 with a deviation of 0.011.
    assert np.mean(right) == pytest.approx(0.25, abs=0.045)


def test_replayed_label_draws_do_not_tell_where_the_others_of_a_class_are(dataset):
    hits = []
    for seed in range(20):
        case = draw_case(dataset, n_classes=3, seed=seed, samples_per_class=20)
        places = replay(seed, 60)
        y, truth = np.empty(60, dtype=int), np.empty(60, dtype=int)
        y[places], truth[places] = case.view.y, case.truth_for_pictures
        draws = np.random.default_rng((seed, LABELS))
        for j in range(3):
            ranks = np.sort(draws.choice(20, 6, replace=False))
            before = [(truth[:place] == j).sum() for place in np.flatnonzero(y == j)]
            hits.append(np.mean(ranks == before))
    # Had the ranks told, all of them would be right; sorted random ranks agree now and then.
    assert np.mean(hits) < 0.3


def test_identical_pictures_of_two_classes_are_not_told_apart_by_their_order():
    half = np.random.default_rng(0).random((60, 4))
    twins = Dataset(
        "twins", np.vstack([half, half]), np.repeat([0, 1], 60), np.array(["a", "b"]), None
    )
    first = []
    for seed in range(10):
        case = draw_case(twins, seed=seed)
        truth = np.empty(120, dtype=int)
        truth[replay(seed, 120)] = case.truth_for_pictures
        assert (truth[::2] != truth[1::2]).all()  # twins lie side by side before the shuffle
        first.append(truth[::2])
    assert np.mean(first) == pytest.approx(0.5, abs=0.09)  # four deviations of 600 coins


def test_noise_is_the_same_for_every_method_and_cannot_be_subtracted(dataset):
    settings = {"n_classes": 3, "seed": 5, "scaling": "none"}
    clean = draw_case(dataset, **settings).view
    for kind, level in {"gaussian": 0.5, "salt_pepper": 0.2}.items():
        noisy = draw_case(dataset, **settings, noise=kind, noise_level=level).view
        again = draw_case(dataset, **settings, noise=kind, noise_level=level).view
        np.testing.assert_array_equal(noisy.X, again.X)
        replayed, _ = add_noise(clean.X, clean.y, kind, level, (5, NOISE))
        found, guessed = noisy.X - clean.X, replayed - clean.X
        assert abs(np.corrcoef(found.ravel(), guessed.ravel())[0, 1]) < 0.3


def test_flipped_labels_are_not_told_by_a_replay(dataset):
    told = []
    for seed in range(10):
        settings = {"n_classes": 4, "seed": seed}
        right = draw_case(dataset, **settings).view.y
        given = draw_case(dataset, **settings, noise="label_flips", noise_level=0.2).view.y
        _, replayed = add_noise(np.zeros((len(right), 1)), right, "label_flips", 0.2, (seed, NOISE))
        told.append(np.mean(given[replayed != right] != right[replayed != right]))
    assert np.mean(told) == pytest.approx(0.2, abs=0.08)
