"""Outlying pixels and samples get no weight."""

import numpy as np

from ronmf import MCP, RONMF, neighbor_graph
from support.settings import PLAIN


def test_outlying_pixels_get_no_weight(digits):
    """A pixel of pure noise, stronger than all others, is set aside; its peers are kept."""
    X, y, _ = digits
    noisy = X.copy()
    noisy[:, 20] += 30 * np.random.default_rng(0).random(len(X))
    W = neighbor_graph(X, 5).affinity
    model = RONMF(graph="precomputed", random_state=0).fit(noisy, y, affinity=W)
    assert model.group_weights_[20] == 0
    assert (np.delete(model.group_weights_, 20) > 0.1).mean() > 0.8


def test_outlying_samples_get_no_weight(digits):
    X, y, _ = digits
    noisy = X.copy()
    noisy[7] += 50 * np.random.default_rng(0).random(64)
    model = RONMF(**PLAIN, groups="samples", random_state=0).fit(noisy, y)
    assert model.group_weights_.shape == (600,)
    assert model.group_weights_[7] == 0
    assert np.median(model.group_weights_) > 0.9


def test_black_margins_do_not_make_outliers(digits):
    X, y, _ = digits
    bare = RONMF(**PLAIN, random_state=0).fit(X, y)
    framed = np.concatenate([X, np.zeros((600, 100))], axis=1)
    model = RONMF(**PLAIN, random_state=0).fit(framed, y)
    np.testing.assert_allclose(model.group_weights_[:64], bare.group_weights_, atol=0.05)


def test_group_weights_say_so_when_most_groups_are_outliers(digits):
    X, y, _ = digits
    model = RONMF(**PLAIN, penalty=MCP(sigma=0.2), random_state=0).fit(X, y)
    assert (model.group_weights_ == 0).mean() > 0.5
    assert model.group_weights_.max() == 1
