"""How many clusters: where the preferred graph sees nothing, another may see everything."""

import numpy as np
import pytest

from ronmf import ADMM, RONMF

COLOURS = [(200, 40, 40), (40, 200, 40), (40, 40, 200), (200, 200, 40)]


def flat_pictures(tones, per_class, seed):
    """Pictures of one tone each and noise: edges tell nothing of their class."""
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(len(tones)), per_class)
    X = np.array(tones)[y][:, None, None] + rng.normal(0, 25, (len(y), 16, 16, len(tones[0])))
    order = rng.permutation(len(y))
    return np.clip(X, 0, 255)[order], y[order]


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(
    "tones", [COLOURS[:3], COLOURS, [(60,), (130,), (210,)]], ids=["three", "four", "gray"]
)
def test_pictures_that_differ_in_colour_or_brightness_alone(tones, seed):
    X, y = flat_pictures(tones, 25, seed)
    model = RONMF("auto", random_state=0).fit(X)
    assert model.cluster_count_.n_clusters == len(tones)
    assert all(len(set(y[model.labels_ == j])) == 1 for j in range(len(tones)))


def test_noise_alone_does_not_fall_apart():
    X = np.random.default_rng(0).random((120, 16, 16))
    count = RONMF("auto", random_state=0).fit(X).cluster_count_
    assert count.gaps.max() < 1.0


def test_another_graph_does_not_change_what_needs_none(digits):
    """Digits in order of their classes, as folders have them: a look at others finds nothing."""
    X, _, truth = digits
    order = np.argsort(truth, kind="stable")
    count = (
        RONMF("auto", image_shape=(8, 8), solver=ADMM(max_iter=2), random_state=0)
        .fit(X[order])
        .cluster_count_
    )
    assert 8 <= count.n_clusters <= 12
    assert count.modularities.max() > 0.9
