"""The contest: which candidates are scored, in which order, and which are not worth it."""

from collections.abc import Callable
from typing import Any

import numpy as np

from .._recipe import GraphRecipe
from .candidates import SMALL
from .guessing import guess_labels
from .scoring import CandidateScorer
from .weighing import Weigher

__all__ = ["compete"]

_BEST_FEATURES, _BEST_OF_SMALL = 2, 3  # kinds of features with axes of propagated labels
_PROMISING = 3  # kinds of features with axes of given labels, of many samples
_HOPELESS = 0.02  # of the largest prior: below, a candidate needs hidden labels to be chosen


def compete(
    scorer: CandidateScorer,
    weigher: Weigher,
    recipes: list[GraphRecipe],
    tested: bool,
    report: Callable[[], Any],
) -> list[set[str] | None]:
    """Score candidates; return the kinds of features that got axes of propagated labels.

    With all labels, then in each trial, for which the other trials decide.
    """
    most = max(recipe.prior for recipe in recipes if not recipe.uses_labels)
    least = 0.0 if tested else _HOPELESS * most
    free = [recipe for recipe in recipes if recipe.axes == "pca" and recipe.prior >= least]
    scorer.score(free, report)
    if tested:
        dropped = weigher.dropped = _dropped_features(scorer, weigher)
        everywhere = set.intersection(*dropped.values())
        given = [recipe for recipe in recipes if recipe.axes == "lda"]
        scorer.score([recipe for recipe in given if scorer.kind(recipe) not in everywhere], report)
    second = [recipe for recipe in recipes if recipe.axes == "propagated lda"]
    if not second or not tested:
        return [None] * (1 + len(scorer.splits))
    shares = [weigher.shares(trial) for trial in (None, *range(len(scorer.splits)))]
    kinds: list[set[str] | None] = [_best_features(scorer, own) for own in shares]
    guesses = [
        guess_labels(
            scorer.blend(own, i), scorer.known[i], weigher.n_clusters, scorer.propagate, weigher.rng
        )
        for i, own in enumerate(shares)
    ]
    wanted = set().union(*(some for some in kinds if some))
    scorer.score([recipe for recipe in second if scorer.kind(recipe) in wanted], report, guesses)
    return kinds


def _dropped_features(scorer: CandidateScorer, weigher: Weigher) -> dict[int | None, set[str]]:
    """Return the kinds of features that are not worth discriminant axes: of few samples none.

    Of many, those whose principal axes are not among the best: with all labels (None), and in each
    trial, for which the other trials decide.
    """
    ways: list[int | None] = [None, *range(len(scorer.splits))]
    if len(scorer.codes) <= SMALL:
        return {trial: set() for trial in ways}
    kinds = [scorer.kind(candidate.recipe) for candidate in scorer.scored]
    found: dict[int | None, set[str]] = {}
    for trial in ways:
        order = np.argsort(-weigher.weights(trial), kind="stable")
        ranked = list(dict.fromkeys(kinds[i] for i in order))
        found[trial] = set(ranked[_PROMISING:])
    return found


def _best_features(scorer: CandidateScorer, shares: dict[int, float]) -> set[str]:
    """Return the kinds of features with the largest shares."""
    total: dict[str, float] = {}
    for i, share in shares.items():
        name = scorer.kind(scorer.scored[i].recipe)
        total[name] = total.get(name, 0.0) + share
    count = _BEST_OF_SMALL if len(scorer.codes) <= SMALL else _BEST_FEATURES
    return set(sorted(total, key=lambda name: -total[name])[:count])
