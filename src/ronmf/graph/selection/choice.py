"""Which graph? Hide part of the given labels, and see which graphs predict them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils import check_random_state
from threadpoolctl import threadpool_limits

from ...labels.hidden_labels import Trial
from ...numerics.nearest_neighbors import check_count
from ...numerics.types import Array, Seed
from .._consensus_graph import ConsensusGraph
from .._recipe import GraphRecipe
from .blending import Blender, blend_affinity
from .guessing import guess_labels
from .report import Candidate, GraphReport
from .scoring import CandidateScorer
from .weighing import MAX_PARTS, Weigher

__all__ = ["MAX_PARTS", "ChosenGraph", "choose_graph"]

_BEST_FEATURES = 3  # kinds of features that get axes of propagated labels
_HOPELESS = 0.02  # of the largest prior: below, a candidate needs hidden labels to be chosen
_LARGE = 3000  # samples from which three trials are enough


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
        Predictions of hidden labels by such a blend, on all samples: of graphs that those labels
        have not shaped, with shares that those labels have not decided.
    """

    graph: ConsensusGraph
    report: GraphReport
    trials: list[Trial]


def choose_graph(
    X: Array,
    codes: np.ndarray,
    recipes: list[GraphRecipe],
    *,
    n_clusters: int | None = None,
    n_neighbors: int = 5,
    weights: str = "self_tuning",
    heat_width: float | None = None,
    label_weight: float = 10.0,
    class_prior: str | None = "labels",
    rng: Seed,
    report: Callable[[], Any] | None = None,
) -> ChosenGraph:
    """DOC"""
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
    if not any(not recipe.uses_labels for recipe in recipes):
        raise ValueError(
            "recipes (the graph of an estimator) must have one that needs no labels (axes='pca'):"
            " it is used when no label can be hidden."
        )
    settings = {"n_neighbors": n_neighbors, "weights": weights, "heat_width": heat_width}
    scorer = CandidateScorer(X, codes, settings, label_weight, class_prior, generator)
    n_clusters = max(scorer.n_classes, n_clusters or 1)
    weigher = Weigher(scorer, n_clusters, generator)
    report = report or (lambda: None)
    # Axes that tell labelled classes apart would lay clusters that nobody labelled over each other.
    tested = bool(scorer.splits) and n_clusters == scorer.n_classes
    # Many small matrices: a second thread would only wait for the first.
    with threadpool_limits(1, user_api="blas"):
        shares = _compete(scorer, weigher, recipes, tested, report)
    blender, blends = Blender(X, scorer), []
    refining = [] if tested else [r for r in recipes if r.axes == "propagated lda" and r.n_neighbors is None]
    n_ways = 1 + (len(scorer.splits) if len(codes) <= _LARGE else min(len(scorer.splits), 3))
    for index, own in enumerate(shares[:n_ways]):
        known = codes if index == 0 else scorer.splits[index - 1][0]
        parts = blender.parts(own, index)
        blends.append(blender.refined(parts, refining, known, n_clusters, generator))
        report()
    trials = [
        Trial(kept, hidden, blender.propagate(blend_affinity(blend), kept)[hidden])
        for (kept, hidden), blend in zip(scorer.splits, blends[1:], strict=False)
    ]
    told = GraphReport.rank(scorer, shares[0], blends[0], trials)
    return ChosenGraph(ConsensusGraph.blend(blends[0]), told, trials)


def _compete(
    scorer: CandidateScorer,
    weigher: Weigher,
    recipes: list[GraphRecipe],
    tested: bool,
    report: Callable[[], Any],
) -> list[dict[int, float]]:
    """Score candidates; return the shares of the chosen ones, with all labels and in each trial.

    The shares of a trial are decided by the other trials.
    """
    most = max(recipe.prior for recipe in recipes)
    for recipe in recipes:
        hopeless = not tested and recipe.prior < _HOPELESS * most
        if (recipe.axes == "pca" and not hopeless) or (recipe.axes == "lda" and tested):
            scorer.score(recipe)
            report()
    ways = [None, *range(len(scorer.splits))]
    shares = [weigher.shares(trial) for trial in ways]
    second = [recipe for recipe in recipes if recipe.axes == "propagated lda"]
    if not second or not tested:
        return shares
    kinds = [_best_features(scorer, own) for own in shares]
    guesses = [
        guess_labels(
            scorer.blend(own, i), scorer.known[i], weigher.n_clusters, scorer.propagate, weigher.rng
        )
        for i, own in enumerate(shares)
    ]
    for recipe in second:
        if any(recipe.kind in some for some in kinds):
            scorer.score(recipe, guesses)
            report()
    return [weigher.shares(trial, some) for trial, some in zip(ways, kinds, strict=True)]


def _best_features(scorer: CandidateScorer, shares: dict[int, float]) -> set[str]:
    """Return the kinds of features with the largest shares."""
    total: dict[str, float] = {}
    for i, share in shares.items():
        name = scorer.scored[i].recipe.kind
        total[name] = total.get(name, 0.0) + share
    return set(sorted(total, key=lambda name: -total[name])[:_BEST_FEATURES])
