"""The contest: what a fold may know, and where features are made."""

import gc
import weakref

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from ronmf import RONMF
from ronmf.features import HOG, GaussianBlur, MedianFilter, SoftBins, UnitNorm
from ronmf.graph import GraphRecipe, default_recipes
from ronmf.graph.selection import features
from ronmf.graph.selection.blend import Blender
from ronmf.graph.selection.choice import _final
from ronmf.graph.selection.features import feature_kinds
from ronmf.graph.selection.shares import shares_in
from support.graph_choice import blobs, choose, contest

SHAPE = (8, 8)
KINDS = [
    MedianFilter(image_shape=SHAPE),
    HOG(image_shape=SHAPE),
    GaussianBlur(1.0, image_shape=SHAPE),
    SoftBins(image_shape=SHAPE),
    UnitNorm(),
    None,
]


def test_a_fold_has_no_say_in_its_own_shares(digits):
    """Scores of the folds that hide the same labels are changed at will: the shares stay."""
    X, codes, _ = digits
    found = contest(X, codes, [GraphRecipe(features) for features in KINDS])
    last = found.judged[found.recipes[-1]]
    own = found.folds[1][1]
    # Few labels are hidden in two ways: the folds of the other way may hide the same ones.
    hides_same = [np.isin(hidden, own).any() for _, hidden in found.folds[1:]]
    assert 1 < sum(hides_same) < len(hides_same)
    before, with_all = shares_in(1, found), shares_in(0, found)
    last.scores[hides_same] = -0.001  # brilliant, where these labels are judged
    assert shares_in(1, found) == before
    assert shares_in(0, found) != with_all


def test_axes_are_made_anew_from_the_labels_that_a_fold_leaves():
    X, codes, _ = blobs(150, noise=5, labelled=0.4)
    recipe = GraphRecipe(axes="lda", shrinkage=0.3)
    found = contest(X, codes, [GraphRecipe(), recipe])
    for i, (kept, hidden) in enumerate(found.folds):
        other = codes.copy()
        other[hidden] = (codes[hidden] + 1) % 3  # what is hidden may say anything
        points = found.kind[recipe].points
        expected = found.directions(recipe, points, np.eye(3)[kept] * (kept >= 0)[:, None])
        np.testing.assert_allclose(found.judged[recipe].directions[i], expected)
        lied = contest(X, np.where(np.isin(np.arange(150), hidden), other, codes), [recipe], False)
        lied.folds = found.folds
        lied.queries = found.queries
        lied.judge([recipe])
        np.testing.assert_allclose(lied.judged[recipe].directions[i], expected)


def test_features_of_data_on_a_device_are_those_of_the_host(digits, monkeypatch):
    torch = pytest.importorskip("torch", reason="needs torch")
    X = digits[0].astype(np.float32)
    rows, recipes = np.arange(0, 600, 3), [GraphRecipe(each) for each in KINDS[:5]]
    host, device = (feature_kinds(each, rows, recipes) for each in (X, torch.asarray(X)))
    monkeypatch.setattr(features, "on_cpu", lambda array: False)  # as if it were elsewhere
    monkeypatch.setattr(features, "_DEVICE_BLOCK", 250)
    for recipe in recipes:
        expected = host[recipe].everywhere
        np.testing.assert_allclose(host[recipe].points, expected[rows], atol=1e-4)
        found = device[recipe].everywhere
        assert isinstance(found, torch.Tensor)
        np.testing.assert_allclose(found.numpy(), expected, atol=1e-4)


def test_what_a_fold_hides_has_no_say_in_the_final_about_its_own_graph():
    """Of many samples with few labels, folds of two ways to hide them overlap."""
    X, codes, _ = blobs(1100, noise=6, labelled=0.0)
    codes[:60] = np.arange(60) % 3
    recipes = [GraphRecipe(), GraphRecipe(axes="lda", shrinkage=0.3)]
    found = contest(X, codes, recipes)
    assert not found.whole
    best, free = ([{recipe: 1.0}] * len(found.folds) for recipe in recipes[::-1])
    before = _final(found, Blender(found), best, free)
    for i in range(1, len(found.folds)):
        lied = contest(X, codes, recipes)
        hidden = lied.folds[i].hidden
        lied.codes = codes.copy()  # the truth by which folds are judged; what they keep stays
        lied.codes[hidden] = (codes[hidden] + 1) % 3
        assert _final(lied, Blender(lied), best, free)[i] == before[i]


def test_own_candidates_need_no_principal_axes_of_every_kind(digits):
    X, codes, _ = digits
    norm = UnitNorm()
    recipes = [GraphRecipe(), GraphRecipe(norm, "lda"), GraphRecipe(norm, "propagated lda")]
    assert choose(X[:200], codes[:200], recipes).report.candidates[0].share > 0


def test_a_fold_in_which_no_candidate_has_axes_predicts_nothing():
    X = np.zeros((21, 2))
    X[[5, 16, 18]] = 1
    y = np.full(21, -1)
    y[[1, 14, 16, 17]] = [1, 0, 0, 1]
    for seed in range(4):
        model = RONMF(n_neighbors=3, random_state=seed).fit(X, y)
        assert model.transduction_.shape == (21,)


def test_nothing_of_a_choice_stays_in_memory(digits):
    X, codes, _ = digits
    gc.disable()
    try:
        made = []
        original = Blender.__init__
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(
                Blender, "__init__", lambda s, c: made.append(weakref.ref(s)) or original(s, c)
            )
            choose(X[:100], codes[:100], [GraphRecipe(), GraphRecipe(axes="lda")])
        assert made[0]() is None
    finally:
        gc.enable()


def test_the_number_of_threads_does_not_decide(digits):
    X, codes, _ = digits
    found = []
    for limit in (1, 2):
        with threadpool_limits(limit, user_api="blas"):
            chosen = choose(X, codes, default_recipes(X, SHAPE))
        found.append({str(c.recipe): (c.share, c.score) for c in chosen.report.candidates})
    for one, two in zip(found[0].items(), found[1].items(), strict=True):
        assert one[0] == two[0]
        np.testing.assert_allclose(one[1], two[1], atol=1e-4)
