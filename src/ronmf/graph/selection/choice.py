"""Which graph? Hide part of the given labels, and see which graphs predict them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils import check_random_state
from threadpoolctl import threadpool_limits

from ...labels.encoding import one_hot
from ...labels.hidden_labels import Trial
from ...numerics.nearest_neighbors import check_count
from ...numerics.types import Array, Seed
from .._consensus_graph import ConsensusGraph
from .._recipe import GraphRecipe
from .report import Candidate, GraphReport
from .scoring import CandidateScorer

__all__ = ["MAX_PARTS", "ChosenGraph", "choose_graph"]

MAX_PARTS = 4  # graphs in the consensus, at most: more cost more and hardly add
_SMALLEST = 0.02  # weight, beside the best, of a graph worth its edges
_PRIOR = 0.3  # weight, before any evidence, of a candidate beside the preferred one
_SHARPNESS = 4.0  # how much a difference of scores counts, relative to the best one
_BEST_FEATURES = 3  # kinds of features that get axes of propagated labels
_CONFIDENCE = 3  # power of a sample's largest membership with which it counts for such axes


@dataclass(frozen=True, eq=False)
class ChosenGraph:
    """A graph, why it was chosen, and how it predicted hidden labels.

    Attributes
    ----------
    graph : ConsensusGraph
        The blend of the best candidates.
    report : GraphReport
        All candidates with their scores and shares.
    trials : list of Trial
        The candidates' predictions of hidden labels, blended as their graphs are.
    """

    graph: ConsensusGraph
    report: GraphReport
    trials: list[Trial]


def choose_graph(
    X: Array,
    codes: np.ndarray,
    recipes: list[GraphRecipe],
    *,
    n_neighbors: int = 5,
    weights: str = "self_tuning",
    heat_width: float | None = None,
    label_weight: float = 10.0,
    class_prior: str | None = "labels",
    rng: Seed,
    report: Callable[[], Any] | None = None,
) -> ChosenGraph:
    """Score candidates by hiding part of the given labels, and blend the best of them.

    A third of the labels at a time is hidden and predicted by label propagation; graphs that depend
    on labels are made anew from those that are left. A candidate's score is the mean logarithm of
    the probability it gave to the true class. In a second round the features of the best candidates
    get discriminant axes of *propagated* labels, in every trial from what was left of the labels
    (over the first round's blend, whose weights all trials decide together). The four best are
    summed with weights ``prior * exp(c (score - best))``, c being the smaller of the number of
    hidden labels and of 4 over the size of the best score: with little evidence the preferred graph
    (that of the first recipe) weighs most, with much evidence the best ones. Where no label can be
    hidden the first recipe is taken.

    Parameters
    ----------
    X : array of shape (n_samples, n_features)
        The data. Features and axes are computed on the host, neighbours on the data's device.
    codes : ndarray of int, shape (n_samples,)
        Known classes, -1 where unlabelled. No other label is used.
    recipes : list of GraphRecipe
        The candidates, the preferred one first.
    n_neighbors, weights, heat_width
        See :func:`neighbor_graph`.
    label_weight : float, default=10
        Of propagation, relative to the mean degree.
    class_prior : {"labels", None}, default="labels"
        Whether predictions are scaled by the sizes that labels suggest.
    rng : int or RandomState
        Source of the splits and, with more than 1000 samples, of those that are compared.
    report : callable, default=None
        Called after every candidate, and for every graph that is built of the chosen ones.

    Returns
    -------
    ChosenGraph
        With ``graph``, ``report`` and ``trials``.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from ronmf.graph import choose_graph, default_recipes
    >>> X, truth = load_digits(return_X_y=True)
    >>> X, truth = X[:500], truth[:500]
    >>> codes = np.where(np.arange(500) % 10 == 0, truth, -1)
    >>> recipes = default_recipes(X, image_shape=(8, 8))
    >>> chosen = choose_graph(X, codes, recipes, rng=np.random.RandomState(0))
    >>> chosen.report.candidates[0].accuracy > 0.9
    True
    """
    codes, generator = np.asarray(codes), check_random_state(rng)
    if codes.shape != (X.shape[0],):
        raise ValueError(
            f"codes has shape {codes.shape} but X has {X.shape[0]} samples; give one class number"
            " each, -1 where unlabelled."
        )
    recipes = [recipes] if isinstance(recipes, GraphRecipe) else recipes
    for recipe in recipes:
        recipe.validate()
        check_count(recipe.n_neighbors or n_neighbors, X.shape[0] - 1)
    if not recipes or recipes[0].uses_labels:
        raise ValueError(
            "recipes (the graph of an estimator) must begin with one that needs no labels"
            " (axes='pca'): it is used when no"
            " label can be hidden."
        )
    report = report or (lambda: None)
    settings = {"n_neighbors": n_neighbors, "weights": weights, "heat_width": heat_width}
    scorer = CandidateScorer(X, codes, settings, label_weight, class_prior, generator)
    # Many small matrices: a second thread would only wait for the first.
    with threadpool_limits(1, user_api="blas"):
        shares = _score_all(scorer, recipes, report)
    parts = []
    for i, share in shares.items():
        parts.append(scorer.build(scorer.scored[i], share))
        report()
    candidates = [Candidate(e.recipe, e.score, e.accuracy) for e in scorer.scored]
    told = GraphReport.rank(candidates, shares, scorer.n_hidden, len(scorer.rows))
    return ChosenGraph(ConsensusGraph.blend(parts), told, scorer.trials(shares))


def _score_all(
    scorer: CandidateScorer, recipes: list[GraphRecipe], report: Callable[[], Any]
) -> dict[int, float]:
    """Score candidates in two rounds; return the shares of the chosen ones by their indices."""
    for recipe in recipes if scorer.splits else recipes[:1]:
        if recipe.axes != "propagated lda":
            scorer.score(recipe)
            report()
    shares = _shares(scorer)
    second = [recipe for recipe in recipes if recipe.axes == "propagated lda"]
    if not scorer.splits or not second:
        return shares
    codes = [scorer.y, *(kept for kept, _ in scorer.splits)]
    guesses = [_confident(A, known) for A, known in zip(scorer.blend(shares), codes, strict=True)]
    kinds = _best_features(scorer, shares)
    for recipe in second:
        if recipe.kind in kinds:
            scorer.score(recipe, guesses)
            report()
    return _shares(scorer)


def _shares(scorer: CandidateScorer) -> dict[int, float]:
    """Return the share of each chosen candidate by its index; they add up to one."""
    weights = np.full(len(scorer.scored), _PRIOR)
    weights[0] = 1.0
    if scorer.splits:
        scores = np.array([candidate.score for candidate in scorer.scored])
        best = scores.max()
        slope = min(scorer.n_hidden, _SHARPNESS / max(-best, 0.02))
        weights *= np.exp(slope * (scores - best))
    weights /= weights.max()
    order = np.argsort(-weights, kind="stable")[:MAX_PARTS]
    chosen = {int(i): float(weights[i]) for i in order if weights[i] > _SMALLEST}
    total = sum(chosen.values())
    return {i: weight / total for i, weight in chosen.items()}


def _best_features(scorer: CandidateScorer, shares: dict[int, float]) -> set[str]:
    """Return the kinds of features with the largest shares."""
    total: dict[str, float] = {}
    for i, share in shares.items():
        name = scorer.scored[i].recipe.kind
        total[name] = total.get(name, 0.0) + share
    return set(sorted(total, key=lambda name: -total[name])[:_BEST_FEATURES])


def _confident(A: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Return soft labels: memberships, less of those in doubt, and the given labels."""
    soft = A * A.max(axis=1, keepdims=True) ** _CONFIDENCE
    given = one_hot(codes, A.shape[1], soft)
    return np.where(codes[:, None] >= 0, given, soft)
