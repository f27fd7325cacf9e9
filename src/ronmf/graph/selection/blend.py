"""Chosen graphs on all samples, and graphs with axes of tentative labels beside them."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import scipy.sparse as sp

from ...numerics.arrays import from_numpy, to_numpy
from ...storage._products import template
from .._axes import Axes
from .._consensus_graph import ConsensusGraph, GraphPart
from .._neighbor_graph import Edges, NeighborGraph
from .._recipe import GraphRecipe
from . import tuning
from .contest import Contest
from .features import coordinates_of_all
from .shares import Shares, best_kinds

__all__ = ["Blender", "spread_graphs"]


class Blender:
    """Makes the graphs of chosen candidates on all samples.

    Parameters
    ----------
    contest : Contest
        The candidates, judged.
    """

    def __init__(self, contest: Contest) -> None:
        self.contest, self.like = contest, template(contest.request.X)
        # Of candidates by fold: a graph without labels serves in every one.
        self._made: dict[tuple[GraphRecipe, int], GraphPart | None] = {}

    def parts(self, shares: Shares, fold: int) -> list[GraphPart]:
        """Return the graphs of candidates in a fold, those left out whose axes are not defined."""
        made = []
        for recipe, share in shares.items():
            key = recipe, fold if recipe.uses_labels else 0
            if key not in self._made:
                directions = self.contest.judged[recipe].directions[key[1]]
                self._made[key] = self._part(recipe, directions)
            part = self._made[key]
            made.append(None if part is None else replace(part, share=share))
        return _scaled(made, 1.0)

    def affinity(self, parts: list[GraphPart]) -> sp.csr_array:
        """Return the weights of a blend; of nothing, no edges."""
        n = len(self.contest.codes)
        return ConsensusGraph.blend(parts).affinity if parts else sp.csr_array((n, n))

    def refined(self, parts: list[GraphPart], known: np.ndarray) -> list[GraphPart]:
        """Return graphs with axes of tentative labels beside those they come from.

        Labels are guessed on the given graphs, and discriminant axes of the guess make new graphs;
        where labels are very few, these make a better guess first. With one label for each class a
        guess that labels all samples would confirm itself: the most confident part of every class
        comes first.

        Parameters
        ----------
        parts : list of GraphPart
            Graphs that no other label than `known` shaped.
        known : ndarray of int, shape (n_samples,)
            Labels, -1 elsewhere.
        """
        contest, kind = self.contest, self.contest.kind
        kinds = best_kinds({part.recipe: part.share for part in parts}, contest)
        used = [r for r in contest.recipes if r.axes == "propagated lda" and kind[r] in kinds]
        if not used or contest.n_clusters < 2:
            return parts
        kept, blend = _scaled(parts, 1 - tuning.TENTATIVE), parts
        poor = (contest.codes >= 0).sum() < tuning.POOR_GUESS * contest.n_clusters
        parts_of_guess = tuning.CONFIDENT if contest.one_each else (None,) * (2 if poor else 1)
        for share in parts_of_guess:
            guess = contest.guess(ConsensusGraph.blend(blend).affinity, known, share)

            made = []
            for recipe in used:
                points = to_numpy(kind[recipe].everywhere)
                directions = contest.directions(recipe, points, guess)
                made.append(self._part(recipe, directions, kinds[kind[recipe]]))
            if not any(made):  # the guess tells no clusters apart
                return parts
            blend = kept + _scaled(made, tuning.TENTATIVE)
        return blend

    def _part(
        self, recipe: GraphRecipe, directions: np.ndarray | None, share: float = 1.0
    ) -> GraphPart | None:
        if directions is None:
            return None
        own = self.contest.kind[recipe]
        S = own.everywhere[:, : len(directions)]
        points = from_numpy(S @ from_numpy(directions, S), self.like)
        axes = Axes(own.axes.centre, own.axes.directions[:, : len(directions)] @ directions)
        graph = self.contest.request.edges.join(points, recipe.n_neighbors)
        return GraphPart(recipe, own.features, axes, graph, share)


def spread_graphs(
    graphs: Sequence[ConsensusGraph], X: Any, edges: Edges, report: Callable[[], Any]
) -> list[ConsensusGraph]:
    """Return the graphs of all of very many samples, as they were made on some of them.

    Parameters
    ----------
    graphs : sequence of ConsensusGraph
        Of some of the samples.
    X : array or StoredRows of shape (n_samples, n_features)
        All samples.
    edges : Edges
        How neighbours are joined.
    report : callable
        Called after every part.
    """
    kinds: dict[int, dict[int, GraphPart]] = {}
    for part in (part for graph in graphs for part in graph.parts):
        # Two graphs may share a part: it differs in nothing but its share.
        kinds.setdefault(id(part.features), {})[id(part.graph)] = part
    made: dict[int, NeighborGraph] = {}
    for parts in kinds.values():
        features = next(iter(parts.values())).features
        every = coordinates_of_all(X, features, [part.axes for part in parts.values()])
        for (key, part), points in zip(parts.items(), every, strict=True):
            made[key] = edges.join(points, part.graph.n_neighbors)
            report()
    return [
        ConsensusGraph.blend([replace(part, graph=made[id(part.graph)]) for part in graph.parts])
        for graph in graphs
    ]


def _scaled(parts: Sequence[GraphPart | None], total: float) -> list[GraphPart]:
    """Return the parts that there are, with shares that add up to a total."""
    there = [part for part in parts if part is not None]
    whole = sum(part.share for part in there)
    return [replace(part, share=total * part.share / whole) for part in there]
