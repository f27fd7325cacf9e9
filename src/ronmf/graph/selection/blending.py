"""The chosen graphs on all samples, and what they predict of hidden labels there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
import scipy.sparse as sp
from array_api_compat import is_numpy_array

from ...numerics.arrays import from_numpy, on_cpu, to_numpy
from ...numerics.threads import in_threads, n_threads
from ...storage._products import template
from .._consensus_graph import ConsensusGraph, GraphPart
from .._neighbor_graph import NeighborGraph, neighbor_graph
from .._recipe import GraphRecipe
from .guessing import guess_labels
from .judging import judge
from .scoring import CandidateScorer

__all__ = ["Blender", "Refining"]

_T = TypeVar("_T")
_R = TypeVar("_R")
_REFINED_KINDS = 2  # kinds of features that get axes of tentative labels
_REFINED_SHARE = 0.75  # of these in the blend


@dataclass(frozen=True)
class Refining:
    """Axes of tentative labels that are added to graphs.

    Attributes
    ----------
    recipes : list of GraphRecipe
        Axes of propagated labels; those with the features of the given graphs are used.
    n_clusters : int
        Number of clusters.
    rng : RandomState
        Source of the guesses.
    twice : bool
        Whether the first guess is so poor that a second one pays.
    """

    recipes: list[GraphRecipe]
    n_clusters: int
    rng: np.random.RandomState
    twice: bool


class Blender:
    """Graphs of candidates on all samples.

    Parameters
    ----------
    X : array of shape (n_samples, n_features)
        The data; neighbours are found on its device.
    scorer : CandidateScorer
        The candidates.
    """

    def __init__(self, X: Any, scorer: CandidateScorer) -> None:
        self.like, self.scorer = template(X), scorer
        self._coordinates: dict[str, np.ndarray] = {}
        self._graphs: dict[tuple[int, int], NeighborGraph] = {}

    def score(self, candidates: list[int], n_trials: int) -> dict[int, np.ndarray]:
        """Return how well candidates predict hidden labels of the first trials, on all samples."""
        self._prepare([self.scorer.scored[i].recipe for i in candidates])

        def score(i: int) -> np.ndarray:
            return np.array([self._score(i, trial) for trial in range(n_trials)])

        # Predictions do not divide themselves.
        apart = is_numpy_array(self.like) and len(candidates) >= n_threads()
        found = in_threads(score, candidates) if apart else self._each(score, candidates)
        return dict(zip(candidates, found, strict=True))

    def _score(self, i: int, trial: int) -> float:
        P = self.predict(self.parts({i: 1.0}, trial + 1), trial)
        truth = self.scorer.codes[self.scorer.splits[trial][1]]
        return judge(P, truth, self.scorer.n_hidden)[0]

    def predict(self, parts: list[GraphPart], trial: int) -> np.ndarray:
        """Return what a blend predicts of the hidden labels of a trial."""
        kept, hidden = self.scorer.splits[trial]
        # Labels that define no axes leave no graph at all, and predict nothing.
        W = ConsensusGraph.blend(parts).affinity if parts else sp.csr_array((len(kept), len(kept)))
        return self.scorer.propagate(W, kept)[hidden]

    def propagated(
        self, parts: list[GraphPart], refining: Refining, known: np.ndarray
    ) -> np.ndarray:
        """Return what some labels predict of all samples on graphs that they alone have refined."""
        W = ConsensusGraph.blend(self.refined(parts, refining, known)).affinity
        return self.scorer.propagate(W, known)

    def parts(self, shares: dict[int, float], index: int) -> list[GraphPart]:
        """Return the graphs of candidates: `index` 0 with all labels, t + 1 in trial t."""
        self._prepare([self.scorer.scored[i].recipe for i in shares])

        def part(i: int) -> GraphPart | None:
            candidate = self.scorer.scored[i]
            own = index if candidate.recipe.uses_labels else 0
            directions = candidate.directions[own]
            if directions is None:  # the labels that are left define no axes
                return None
            if (i, own) not in self._graphs:
                self._graphs[i, own] = self._graph(candidate.recipe, directions)
            return self._part(candidate.recipe, directions, self._graphs[i, own], shares[i])

        parts = [part for part in self._each(part, list(shares)) if part is not None]
        total = sum(part.share for part in parts)
        return [replace(part, share=part.share / total) for part in parts]

    def refined(
        self, parts: list[GraphPart], refining: Refining, known: np.ndarray
    ) -> list[GraphPart]:
        """Return graphs with axes of tentative labels beside those they come from.

        Labels are guessed on the given graphs, and discriminant axes of the guess make new graphs;
        where it is poor, one set of each kind of features first makes graphs for a better guess.

        Parameters
        ----------
        parts : list of GraphPart
            Graphs that no other label than `known` shaped.
        refining : Refining
            Which axes, of how many clusters.
        known : ndarray of int, shape (n_samples,)
            Given labels, -1 elsewhere.
        """
        kind, total = self.scorer.kind, defaultdict[str, float](float)
        for part in parts:
            total[kind(part.recipe)] += part.share
        best = sorted(total, key=lambda name: -total[name])[:_REFINED_KINDS]
        used = [recipe for recipe in refining.recipes if kind(recipe) in best]
        if not used or refining.n_clusters < 2:
            return parts
        whole = sum(total[kind(recipe)] for recipe in used)
        kept = [replace(part, share=(1 - _REFINED_SHARE) * part.share) for part in parts]
        blend = parts
        first = list({kind(recipe): recipe for recipe in reversed(used)}.values())
        for made in (first, used) if refining.twice else (used,):
            W = ConsensusGraph.blend(blend).affinity
            guess = guess_labels(W, known, refining.n_clusters, self.scorer.propagate, refining.rng)
            shares = {recipe: _REFINED_SHARE * total[kind(recipe)] / whole for recipe in made}
            tentative = self._tentative(shares, guess)
            if not tentative:  # the guess tells no clusters apart
                return parts
            given = sum(part.share for part in tentative) / _REFINED_SHARE
            blend = kept + [replace(part, share=part.share / given) for part in tentative]
        return blend

    def _tentative(self, shares: dict[GraphRecipe, float], guess: np.ndarray) -> list[GraphPart]:
        """Return graphs with axes of guessed labels, where these define any."""
        self._prepare(list(shares))

        def part(recipe: GraphRecipe) -> GraphPart | None:
            points = to_numpy(self._principal(recipe))
            directions = self.scorer.directions_of(recipe, points, guess)
            if directions is None:
                return None
            graph = self._graph(recipe, directions)
            return self._part(recipe, directions, graph, shares[recipe])

        return [part for part in self._each(part, list(shares)) if part is not None]

    def _each(self, work: Callable[[_T], _R], pieces: list[_T]) -> list[_R]:
        """Return ``work(piece)`` of each; for an accelerator in threads, so that it need not wait.

        On a CPU the work on one divides itself, and needs less memory than several at a time.
        """
        if on_cpu(self.like):
            return [work(piece) for piece in pieces]
        return in_threads(work, pieces)

    def _prepare(self, recipes: list[GraphRecipe]) -> None:
        """Make coordinates before threads ask for them, which would make those of a kind twice."""
        for recipe in recipes:
            self._principal(recipe)

    def _part(
        self, recipe: GraphRecipe, directions: np.ndarray, graph: NeighborGraph, share: float
    ) -> GraphPart:
        prepared = self.scorer.prepare(recipe)
        axes = prepared.axes.then(directions)
        return GraphPart(recipe, prepared.features, axes, graph, share)

    def _graph(self, recipe: GraphRecipe, directions: np.ndarray) -> NeighborGraph:
        S = self._principal(recipe)
        points = from_numpy(S @ from_numpy(directions, S), self.like)
        return neighbor_graph(points, **self.scorer.neighbors(recipe))

    def _principal(self, recipe: GraphRecipe) -> Any:
        """Return the principal coordinates of all samples, in NumPy or on the data's device."""
        prepared = self.scorer.prepare(recipe)
        if len(self.scorer.rows) == len(self.scorer.codes):
            return prepared.rows
        name = f"{self.scorer.kind(recipe)} {prepared.axes.directions.shape[1]}"
        if name not in self._coordinates:
            self._coordinates[name] = self.scorer.coordinates(prepared.features, prepared.axes)
        return self._coordinates[name]
