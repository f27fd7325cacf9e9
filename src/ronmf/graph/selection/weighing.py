"""How much each candidate counts: what is known before any label, then what hidden labels say."""

import numpy as np

from .._anchors import split_samples
from .._spectral import normalized_cut
from .candidates import SMALL
from .scoring import CandidateScorer

__all__ = ["Weigher"]

_MOST, _MOST_OF_SMALL = 4, 6  # graphs in the blend, at most
_FREE_FINALISTS = 1  # graphs without labels that are compared on all samples in any case
_SMALLEST = 0.02  # weight, beside the best, of a graph worth its edges
_SHARPNESS = 8.0  # how much a difference of scores counts, relative to the best one
_TILT = 5.0  # power of the normalised cut by which a graph loses weight
_SMALL_CUT = 0.02  # added to cuts: which of two tiny ones is smaller says little
_LABELS = 4  # hidden labels of each class after which cuts have no say
_LASTING = 0.3  # power of the priors that stays for ever
_REFINED = 3.0  # weight of all axes of propagated labels beside all of the graphs without labels
_DISCRIMINANT = 0.1  # weight of each recipe with axes of given labels


class Weigher:
    """Weights of candidates by their priors, their cuts and their scores.

    Parameters
    ----------
    scorer : CandidateScorer
        The candidates.
    n_clusters : int
        The number of clusters by which cuts are measured.
    rng : RandomState
        Source of the starts of these clusterings.

    Attributes
    ----------
    dropped : dict of set of str
        Features whose axes of given labels take no part: by trial, in which its hidden labels had
        no say, and None for all labels.
    """

    def __init__(
        self, scorer: CandidateScorer, n_clusters: int, rng: np.random.RandomState
    ) -> None:
        self.scorer, self.n_clusters, self.rng = scorer, n_clusters, rng
        # From 1, no label can be hidden, to 0
        self.ignorance = max(0.0, 1 - scorer.n_hidden / (_LABELS * max(1, scorer.n_classes)))
        self.cuts: dict[int, float] = {}
        self.dropped: dict[int | None, set[str]] = {}

    def cut(self, i: int) -> float:
        """Return the normalised cut of a candidate's graph into clusters; labels have no part."""
        if i not in self.cuts:
            W = self.scorer.scored[i].affinities[0]
            nothing = np.full(W.shape[0], -1)
            labels = split_samples(W, nothing, self.n_clusters, self.rng, n_starts=5)
            self.cuts[i] = normalized_cut(W, labels, self.n_clusters)
        return self.cuts[i]

    def shares(
        self,
        trial: int | None = None,
        kinds: set[str] | None = None,
        scores: dict[int, np.ndarray] | None = None,
    ) -> dict[int, float]:
        """Return the share of each chosen candidate by its index; they add up to one.

        Parameters
        ----------
        trial : int, default=None
            A trial whose hidden labels have no say.
        kinds : set of str, default=None
            Features whose axes of propagated labels take part; None: all.
        scores : dict of ndarray, default=None
            Scores of candidates in the first trials, on all samples; None: on the compared ones.
        """
        small = len(self.scorer.codes) <= SMALL
        most = _MOST_OF_SMALL if small else _MOST
        return _largest(self.weights(trial, kinds, scores), most)

    def finalists(self, trial: int | None, kinds: set[str] | None) -> set[int]:
        """Return the candidates to compare on all samples: the best, with one without labels.

        Graphs of thinned samples are worse, but not all by as much.
        """
        weights = self.weights(trial, kinds, None)
        free = np.array([not c.recipe.uses_labels for c in self.scorer.scored])
        best = _largest(weights, _MOST)
        return set(best) | set(_largest(np.where(free, weights, -np.inf), _FREE_FINALISTS))

    def weights(
        self,
        trial: int | None = None,
        kinds: set[str] | None = None,
        scores: dict[int, np.ndarray] | None = None,
    ) -> np.ndarray:
        """Return the logarithms of all candidates' weights; parameters as of `shares`."""
        weights = self._before_evidence(kinds, self.dropped.get(trial, set()))
        if scores is None:
            scores = {i: candidate.scores for i, candidate in enumerate(self.scorer.scored)}
        splits = self.scorer.splits[: len(next(iter(scores.values())))]
        own = splits[trial][1] if trial is not None else np.zeros(0, dtype=int)
        # Few labels are hidden in two ways: a trial of the other way may hide the same ones.
        tested = [t for t, (_, hidden) in enumerate(splits) if not np.isin(hidden, own).any()]
        with np.errstate(divide="ignore"):  # a weight of nothing
            logs = np.log(weights)
        if not tested:
            return logs
        sizes = self.scorer.trial_sizes[tested]
        mean = np.full(len(weights), -np.inf)
        for i, found in scores.items():
            mean[i] = np.average(found[tested], weights=sizes)
        best = mean[weights > 0].max()
        n_hidden = len(np.unique(np.concatenate([splits[t][1] for t in tested])))
        slope = min(n_hidden, _SHARPNESS / max(-best, 0.02))
        return logs + slope * (mean - best)

    def _before_evidence(self, kinds: set[str] | None, dropped: set[str]) -> np.ndarray:
        """Return weights by what is known without hidden labels."""
        recipes = [candidate.recipe for candidate in self.scorer.scored]
        kind = [self.scorer.kind(recipe) for recipe in recipes]
        free = [i for i, recipe in enumerate(recipes) if not recipe.uses_labels]
        prior = np.array([recipes[i].prior for i in free])
        weights = np.zeros(len(recipes))
        weights[free] = prior ** max(_LASTING, self.ignorance)
        if self.ignorance > 0 and self.n_clusters > 1 and len(free) > 1:
            cuts = _SMALL_CUT + np.array([self.cut(i) for i in free])
            weights[free] *= (cuts / cuts.min()) ** (-_TILT * self.ignorance)
        weights[free] /= weights[free].sum()
        for i, recipe in enumerate(recipes):
            if recipe.axes == "lda" and kind[i] not in dropped:
                weights[i] = _DISCRIMINANT
            elif recipe.axes == "propagated lda" and (kinds is None or kind[i] in kinds):
                weights[i] = sum(weights[j] for j in free if kind[j] == kind[i])
        refined = [i for i, recipe in enumerate(recipes) if recipe.axes == "propagated lda"]
        if weights[refined].any():
            weights[refined] *= _REFINED / weights[refined].sum()
        return weights


def _largest(logs: np.ndarray, count: int) -> dict[int, float]:
    """Return the shares of the largest weights, given as logarithms; those far below are left out.

    Logarithms, since the weights of a group may all be too small for a number.
    """
    weights = np.exp(logs - logs.max())
    order = np.argsort(-weights, kind="stable")[:count]
    chosen = {int(i): float(weights[i]) for i in order if weights[i] > _SMALLEST}
    total = sum(chosen.values())
    return {i: weight / total for i, weight in chosen.items()}
