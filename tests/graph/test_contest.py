"""The contest: what is dropped early, and where features are made."""

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from ronmf.features import HOG, GaussianBlur, MedianFilter, SoftBins, UnitNorm
from ronmf.graph import GraphRecipe, choose_graph, default_recipes
from ronmf.graph.selection import preparing
from ronmf.graph.selection.competing import _dropped_features
from ronmf.graph.selection.preparing import SampleFeatures
from ronmf.graph.selection.scoring import CandidateScorer
from ronmf.graph.selection.weighing import Weigher

SHAPE = (8, 8)
KINDS = [
    MedianFilter(image_shape=SHAPE),
    HOG(image_shape=SHAPE),
    GaussianBlur(1.0, image_shape=SHAPE),
    SoftBins(image_shape=SHAPE),
    UnitNorm(),
    None,
]


def test_labels_that_a_trial_hides_have_no_say_in_what_it_drops(digits):
    X, codes, _ = digits
    settings = {"n_neighbors": 5, "weights": "self_tuning", "heat_width": None}
    rng = np.random.RandomState(0)
    scorer = CandidateScorer(X, codes, settings, 10.0, "labels", 10, len(KINDS), rng)
    scorer.score([GraphRecipe(features) for features in KINDS], report=lambda: None)
    # Two ways to hide few labels: the trials of the other way may hide the same ones.
    last = scorer.scored[-1]
    hides_same = [np.isin(hidden, scorer.splits[0][1]).any() for _, hidden in scorer.splits]
    for candidate in scorer.scored:
        candidate.scores[:] = -2.0
    last.scores[:] = np.where(hides_same, -0.01, -3.0)  # brilliant, where these labels are judged
    dropped = _dropped_features(scorer, Weigher(scorer, 10, rng))
    assert scorer.kind(last.recipe) in dropped[0]
    assert scorer.kind(last.recipe) not in dropped[None]


def test_features_of_data_on_a_device_are_those_of_the_host(digits, monkeypatch):
    torch = pytest.importorskip("torch", reason="needs torch")
    X = digits[0].astype(np.float32)
    rows, labelled = np.arange(0, 600, 3), np.arange(0, 600, 10)
    host, device = (
        SampleFeatures(each, rows, labelled, 10, True) for each in (X, torch.asarray(X))
    )
    monkeypatch.setattr(preparing, "on_cpu", lambda array: False)  # as if it were elsewhere
    monkeypatch.setattr(preparing, "_DEVICE_BLOCK", 250)
    for features in KINDS[:5]:
        recipe = GraphRecipe(features)
        ours, theirs = host.prepare(recipe), device.prepare(recipe)
        expected = host.coordinates(ours.features, ours.axes)
        np.testing.assert_allclose(ours.rows, expected[rows], atol=1e-4)
        np.testing.assert_allclose(ours.labelled, expected[labelled], atol=1e-4)
        found = device.coordinates(theirs.features, theirs.axes)
        assert isinstance(found, torch.Tensor)
        np.testing.assert_allclose(found.numpy(), expected, atol=1e-4)


def test_the_number_of_threads_does_not_decide(digits):
    X, codes, _ = digits
    found = []
    for limit in (1, 2):
        with threadpool_limits(limit, user_api="blas"):
            recipes = default_recipes(X, SHAPE)
            chosen = choose_graph(X, codes, recipes, rng=np.random.RandomState(0))
        found.append({str(c.recipe): (c.share, c.score) for c in chosen.report.candidates})
    for one, two in zip(found[0].items(), found[1].items(), strict=True):
        assert one[0] == two[0]
        np.testing.assert_allclose(one[1], two[1], atol=1e-4)
