"""Candidate graphs on the same samples, scored by the same hidden labels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp

from ...labels.class_prior import apply_class_prior
from ...labels.encoding import one_hot
from ...labels.hidden_labels import hidden_label_splits
from ...numerics.arrays import on_cpu, to_numpy
from ...numerics.threads import in_threads
from ...storage._products import template
from .._axes import discriminant_directions
from .._neighbor_graph import neighbor_graph
from .._operator import GraphOperator
from .._recipe import GraphRecipe
from .compared import axis_rows, compared_rows, thinned
from .judging import judge
from .preparing import SampleFeatures

__all__ = ["CandidateScorer", "ScoredCandidate"]

_COARSE, _TOLERANCE = 3e-4, 1e-4  # of predictions of hidden labels, among some samples and all
_MANY = 3000  # samples from which an accelerator propagates faster
_HOST, _SINGLE = np.empty((0, 0)), np.empty((0, 0), dtype=np.float32)


@dataclass(frozen=True, eq=False)
class ScoredCandidate:
    """A candidate on the compared samples, with all labels and in each trial.

    Attributes
    ----------
    recipe : GraphRecipe
        How its graph is made.
    directions : list of ndarray or None
        From principal axes of its features to its coordinates: with all labels, then in each trial;
        None where the labels left define none.
    affinities : list of csr_array
        Its graphs, with a mean degree of one: with all labels, then in each trial.
    scores, accuracies : ndarray of shape (n_trials,)
        Mean logarithm of the probability of hidden labels, and the fraction that was predicted.
    """

    recipe: GraphRecipe
    directions: list[np.ndarray | None]
    affinities: list[sp.csr_array]
    scores: np.ndarray
    accuracies: np.ndarray


class CandidateScorer(SampleFeatures):
    """Samples to compare candidates on, and ways to hide their labels.

    Parameters
    ----------
    X : array of shape (n_samples, n_features)
        The data, of any array API library.
    codes : ndarray of int, shape (n_samples,)
        Known classes, -1 where unlabelled.
    settings : dict
        ``n_neighbors``, ``weights`` and ``heat_width`` of :func:`neighbor_graph`.
    label_weight : float
        Of propagation, relative to the mean degree.
    class_prior : {"labels", None}
        Whether predictions are scaled by ``prior_factors``.
    n_clusters, n_candidates : int
        How many clusters there are, and how many candidates will compete.
    rng : RandomState
        Source of the compared samples, of the splits and of the labels that shape axes.

    Attributes
    ----------
    splits : list of (kept, hidden)
        Ways to hide labels, among all samples.
    rows : ndarray of int
        The compared samples.
    known : list of ndarray of int, shape (n_compared,)
        Labels of the compared samples at the density of all: with all labels, then in each trial.
    axis_rows : ndarray of int
        The labelled samples that shape discriminant axes.
    scored : list of ScoredCandidate
        The candidates so far.
    """

    def __init__(
        self,
        X: Any,
        codes: np.ndarray,
        settings: dict[str, Any],
        label_weight: float,
        class_prior: str | None,
        n_clusters: int,
        n_candidates: int,
        rng: np.random.RandomState,
    ) -> None:
        self.codes, self.settings = codes, settings
        self.label_weight, self.class_prior = label_weight, class_prior
        self.n_classes = int(codes.max(initial=-1)) + 1
        self.rows = compared_rows(codes, n_clusters, n_candidates, rng)
        self.splits = hidden_label_splits(codes, rng, self.rows) if self.n_classes > 1 else []
        self.known = [
            thinned(kept, self.rows, rng) for kept in (codes, *(kept for kept, _ in self.splits))
        ]
        guided = bool(self.splits) and n_clusters == self.n_classes
        super().__init__(X, self.rows, axis_rows(codes, rng), n_clusters, guided)
        self.scored: list[ScoredCandidate] = []

    @cached_property
    def n_hidden(self) -> int:
        """The number of labels that were hidden in some trial."""
        return len({int(i) for _, hidden in self.splits for i in hidden})

    @cached_property
    def hidden(self) -> list[np.ndarray]:
        """The compared samples (by position) whose labels each trial hides."""
        return [np.flatnonzero(np.isin(self.rows, hidden)) for _, hidden in self.splits]

    @property
    def trial_sizes(self) -> np.ndarray:
        """The number of compared samples whose labels each trial hides."""
        return np.array([len(hidden) for hidden in self.hidden])

    def score(
        self,
        recipes: list[GraphRecipe],
        report: Callable[[], Any],
        guesses: list[np.ndarray] | None = None,
    ) -> None:
        """Score candidates, several at a time, except those whose axes the labels do not define.

        Parameters
        ----------
        recipes : list of GraphRecipe
            The candidates.
        report : callable
            Called after each.
        guesses : list of ndarray, default=None
            Soft labels of the compared samples, for axes of propagated ones: with all labels, then
            in each trial.
        """
        self.prepare_all(recipes)
        found = in_threads(lambda recipe: self._score(recipe, guesses), recipes, report)
        self.scored += [candidate for candidate in found if candidate is not None]

    def _score(
        self, recipe: GraphRecipe, guesses: list[np.ndarray] | None
    ) -> ScoredCandidate | None:
        directions = self._directions(recipe, 0, guesses)
        if directions is None:
            return None
        S = self.prepare(recipe).rows
        every: list[np.ndarray | None] = [directions]
        graphs = [self._affinity(recipe, S @ directions)]
        for t in range(1, len(self.known)):
            own, W = every[0], graphs[0]
            if recipe.uses_labels:  # made anew: the hidden labels must not have shaped it
                own = self._directions(recipe, t, guesses)
                # Labels that define no axes predict nothing.
                W = sp.csr_array(W.shape) if own is None else self._affinity(recipe, S @ own)
            every.append(own)
            graphs.append(W)
        judged = [
            judge(P[hidden], self.codes[self.rows[hidden]], self.n_hidden)
            for P, hidden in zip(self._propagate_trials(graphs[1:]), self.hidden, strict=True)
        ]
        scores, accuracies = np.array(judged).reshape(-1, 2).T
        return ScoredCandidate(recipe, every, graphs, scores, accuracies)

    def blend(self, shares: dict[int, float], index: int) -> sp.csr_array:
        """Return the sum of chosen graphs: `index` 0 with all labels, t + 1 in trial t."""
        return sp.csr_array(sum(w * self.scored[i].affinities[index] for i, w in shares.items()))

    def propagate(self, W: sp.csr_array, codes: np.ndarray) -> np.ndarray:
        """Return memberships of the samples of a graph in labelled classes; rows sum to one."""
        whole = W.shape[0] == len(self.codes) and len(self.codes) > _MANY
        like = _SINGLE if not whole or on_cpu(template(self.X)) else self.X
        A = self._propagate(W, codes, like, _TOLERANCE)
        return apply_class_prior(A, codes, self.class_prior)

    def _propagate_trials(self, graphs: list[sp.csr_array]) -> list[np.ndarray]:
        """Return the memberships of the compared samples in each trial, by its graph."""
        if not graphs:
            return []
        # As one graph that falls apart: many small steps cost more than few large ones.
        W = sp.block_diag(graphs, format="csr")
        A = self._propagate(W, np.concatenate(self.known[1:]), _SINGLE, _COARSE)
        each = zip(np.split(A, len(graphs)), self.known[1:], strict=True)
        return [apply_class_prior(own, codes, self.class_prior) for own, codes in each]

    def _propagate(self, W: sp.csr_array, codes: np.ndarray, like: Any, tol: float) -> np.ndarray:
        # All graphs here have a mean degree of one, or no edge: that must not weigh on the others.
        graph = replace(GraphOperator.build(W, like), mean_degree=1.0)
        A = graph.propagate(codes, self.n_classes, self.label_weight, tol)
        return to_numpy(A).astype(np.float64)

    def neighbors(self, recipe: GraphRecipe) -> dict[str, Any]:
        """Return the settings of a recipe's neighbour graph."""
        own = {} if recipe.n_neighbors is None else {"n_neighbors": recipe.n_neighbors}
        return self.settings | own

    def directions_of(
        self, recipe: GraphRecipe, points: np.ndarray | None = None, members: Any = None
    ) -> np.ndarray | None:
        """Return the map from principal axes to a recipe's coordinates.

        Discriminant axes are those of `members`, soft labels of `points`; None if they define none.
        """
        S = self.prepare(recipe).rows
        used = min(S.shape[1], recipe.n_components)
        deviation = S[:, :used].std(axis=0)
        scale = np.where(deviation > 0, deviation, 1.0) ** -recipe.whitening
        found: np.ndarray | None = np.eye(used)
        if points is not None:
            found = discriminant_directions(points[:, :used] * scale, members, recipe.shrinkage)
        if found is None:
            return None
        unused = np.zeros((S.shape[1] - used, found.shape[1]))
        return np.concatenate([scale[:, None] * found, unused]).astype(S.dtype)

    def _directions(
        self, recipe: GraphRecipe, index: int, guesses: list[np.ndarray] | None
    ) -> np.ndarray | None:
        """Return the directions of a recipe under some labels; None if they define none."""
        if not recipe.uses_labels:
            return self.directions_of(recipe)
        prepared = self.prepare(recipe)
        if guesses is not None:
            return self.directions_of(recipe, prepared.rows, guesses[index])
        # Labels that are not hidden count whether compared or not.
        codes = self.codes if index == 0 else self.splits[index - 1][0]
        given = codes[self.axis_rows]
        seen = given >= 0
        if seen.sum() == len(np.unique(given[seen])):  # no class has a scatter
            return None
        members = one_hot(given[seen], self.n_classes, _HOST)
        return self.directions_of(recipe, prepared.labelled[seen], members)

    def _affinity(self, recipe: GraphRecipe, coordinates: np.ndarray) -> sp.csr_array:
        settings = self.neighbors(recipe)
        settings["n_neighbors"] = min(settings["n_neighbors"], len(coordinates) - 1)
        W = neighbor_graph(coordinates, **settings).affinity
        return W * (W.shape[0] / W.sum())
