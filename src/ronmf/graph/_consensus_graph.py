"""Several neighbour graphs of the same samples, weighed and summed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..numerics.arrays import from_numpy, to_numpy
from ..numerics.types import Array
from ._axes import Axes, as_rows
from ._graph import Graph
from ._neighbor_graph import NeighborGraph
from ._recipe import GraphRecipe

__all__ = ["ConsensusGraph", "GraphPart"]


@dataclass(frozen=True, eq=False, repr=False)
class GraphPart:
    """A neighbour graph in coordinates of its own.

    Attributes
    ----------
    recipe : GraphRecipe
        How it was made.
    features : transformer
        Fitted.
    axes : Axes
        From features to coordinates.
    graph : NeighborGraph
        Of the samples' coordinates.
    share : float
        Its share in the consensus; shares add up to one.
    """

    recipe: GraphRecipe
    features: Any
    axes: Axes
    graph: NeighborGraph
    share: float

    @cached_property
    def scale(self) -> float:
        """Factor that gives the graph, alone, a mean degree of its share."""
        W = self.graph.affinity
        return self.share * W.shape[0] / W.sum()

    def features_of(self, X: Array) -> np.ndarray:
        """Return the features of new samples."""
        return as_rows(self.features.transform(to_numpy(X)), self.features, X.shape[0])

    def link(self, F: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the nearest samples of each new one and the scaled weights of these edges.

        New samples are given by their features.
        """
        indices, weights = self.graph.link(self.place(F))
        return indices, self.scale * weights

    def place(self, F: np.ndarray) -> Any:
        """Return coordinates of new samples, given by their features."""
        return from_numpy(self.axes.coordinates(F), self.graph.samples)


@dataclass(frozen=True, eq=False, repr=False)
class ConsensusGraph(Graph):
    """A weighted sum of neighbour graphs, each scaled to the same mean degree.

    Attributes
    ----------
    parts : tuple of GraphPart
        The graphs.
    affinity : csr_array of shape (n_samples, n_samples)
        The sum; its mean degree is one.
    recall : float
        The lowest of the parts.
    """

    parts: tuple[GraphPart, ...]
    affinity: sp.csr_array
    recall: float = 1.0

    @classmethod
    def blend(cls, parts: list[GraphPart]) -> ConsensusGraph:
        """Sum up graphs of the same samples, each scaled to its share."""
        affinity = sum(part.scale * part.graph.affinity for part in parts).tocsr()
        return cls(tuple(parts), affinity, min(part.graph.recall for part in parts))

    def link(self, X: Array) -> tuple[np.ndarray, np.ndarray]:
        """Return the samples that each new one is joined to in any part, and the weights.

        Both have one row per new sample; a sample may appear once for every part.
        """
        own = {id(part.features): part for part in self.parts}  # several parts may share them
        made = {key: part.features_of(X) for key, part in own.items()}
        links = [part.link(made[id(part.features)]) for part in self.parts]
        indices, weights = zip(*links, strict=True)
        return np.concatenate(indices, axis=1), np.concatenate(weights, axis=1)

    def order(self) -> np.ndarray | None:
        """Return samples in an order that puts neighbours of the largest part side by side."""
        return self.neighbors.order()

    @property
    def largest(self) -> GraphPart:
        """The part with the largest share."""
        return max(self.parts, key=lambda part: part.share)

    @property
    def neighbors(self) -> NeighborGraph:
        """Those of the largest part."""
        return self.largest.graph

    def place(self, X: Array) -> Array:
        """Return new samples in the coordinates of the largest part."""
        return self.largest.place(self.largest.features_of(X))

    def remoteness(self) -> np.ndarray:
        """Return the mean over the parts of each sample's remoteness."""
        return np.mean([part.graph.remoteness() for part in self.parts], axis=0)
