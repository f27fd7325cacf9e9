"""Clusters that are there are found again on part of the edges; those of noise are not."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import load_digits

from ronmf import RONMF
from ronmf.graph import Edges
from ronmf.graph._resampling import STABLE, FoundAgain, find_again


def test_groups_are_found_again_and_noise_is_not():
    rng = np.random.default_rng(0)
    groups = np.repeat(np.eye(3) * 9, 40, axis=0) + rng.random((120, 3))
    labels = np.repeat(np.arange(3), 40)
    assert find_again(Edges(5).join(groups).affinity, labels, 3).stability > 0.95
    noise = find_again(Edges(5).join(rng.random((120, 30))).affinity, labels, 3)
    assert noise.stability < STABLE


def test_probabilities_count_how_often_and_the_fit_once():
    again = FoundAgain(np.array([[0, 1, -1], [0, 0, 1]]), stability=1.0)
    fit = np.array([[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]])
    expected = [[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]]
    np.testing.assert_allclose(again.probabilities(fit), expected)
    chance = FoundAgain(again.labels, stability=0.0)
    np.testing.assert_allclose(chance.probabilities(fit), 0.5)


def test_more_clusters_than_are_in_use_are_left_over():
    W = sp.csr_array(sp.block_diag([np.ones((20, 20))] * 3))
    again = find_again(W, np.repeat([0, 1, 1], 20), 3)
    assert (again.labels == -1).any()
    assert again.stability < 1


@pytest.mark.parametrize("n_clusters", [2, 6, "auto"])
def test_noise_without_labels_is_told_and_nothing_of_it_is_sure(n_clusters):
    X = np.random.default_rng(1).random((300, 40))
    with pytest.warns(UserWarning, match="as in noise"):
        model = RONMF(n_clusters, random_state=0).fit(X)
    assert "no structure" in [trouble.kind for trouble in model.diagnose()]
    assert (model.label_distributions_.max(axis=1) > 0.9).mean() <= 0.02


def test_pictures_without_labels_that_are_sure_are_mostly_right():
    X, truth = load_digits(return_X_y=True)
    X, truth = X[:600], truth[:600]
    model = RONMF(10, image_shape=(8, 8), random_state=0).fit(X)
    assert model.stability_ > 0.5
    assert [trouble.kind for trouble in model.diagnose()] == ["no labels"]
    sure = model.label_distributions_.max(axis=1) > 0.9
    pure = [np.bincount(truth[sure & (model.labels_ == j)]).max(initial=0) for j in range(10)]
    assert sure.mean() > 0.3
    assert sum(pure) / sure.sum() > 0.95
