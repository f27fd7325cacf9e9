"""Fits of pictures: listeners, warm starts, cancelled ones."""

import numpy as np
import pytest

from ronmf.sorting import FeatureRecipe, fit_pictures
from support.picture_folders import Stopped, stop_at


def test_what_a_listener_raises_ends_the_fit():
    class Cancelled(Exception):
        pass

    def cancel(stage, done, most):
        if stage == "sweeps" and done:
            raise Cancelled

    X = np.random.default_rng(0).random((40, 5))
    with pytest.raises(Cancelled):
        fit_pictures(X, None, n_clusters=3, report=cancel)


def test_a_second_fit_goes_on_from_the_first():
    rng = np.random.default_rng(0)
    X = np.repeat(np.eye(3), 30, axis=0) * 5 + rng.random((90, 3))
    labels = ["" if i % 10 else "abc"[i // 30] for i in range(90)]
    model = fit_pictures(X, None, labels, warm_start=True)
    labels[1] = "a"
    stages = []
    again = fit_pictures(
        X,
        None,
        labels,
        previous=model,
        report=lambda stage, *counts: stages.append(stage),
    )
    assert again is model
    assert "sweeps" in stages
    assert "graph" not in stages  # it still holds


def test_a_cancelled_fit_leaves_the_previous_one_as_it_was():
    X = np.random.default_rng(0).random((40, 5))
    model = fit_pictures(X, None, n_clusters=3, warm_start=True)
    before, found = model.get_params(), model.transduction_
    with pytest.raises(Stopped):
        fit_pictures(X, None, n_clusters=4, seed=5, previous=model, report=stop_at("sweeps"))
    assert model.get_params() == before
    assert model.transduction_ is found


def test_pixels_keep_their_shape():
    X = np.random.default_rng(0).random((30, 12))
    model = fit_pictures(X, FeatureRecipe("pixels", (3, 4)), n_clusters=2)
    assert model.image_shape_ == (3, 4)
