"""Graphs that are no neighbour graphs of our own: given as a matrix, or edited by labels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from ..numerics.types import Affinity, Array
from ._graph import Graph, no_links
from ._matrix import add_label_edges, check_affinity
from ._neighbor_graph import NeighborGraph

__all__ = ["GivenGraph", "LabelEdgeGraph"]


@dataclass(frozen=True, eq=False, repr=False)
class GivenGraph(Graph):
    """A graph made elsewhere; it says nothing of new samples.

    Attributes
    ----------
    affinity : csr_array of shape (n_samples, n_samples)
        The weights as given, without their diagonal.

    Examples
    --------
    >>> graph = GivenGraph.check(np.array([[1.0, 0.5], [0.5, 1.0]]), n_samples=2)
    >>> graph.summary()["edges"]
    1
    """

    affinity: sp.csr_array

    @classmethod
    def check(cls, W: Affinity, n_samples: int) -> GivenGraph:
        """Take a matrix, dense or sparse.

        It must be finite, non-negative and, up to a millionth of the largest weight, symmetric.
        """
        return cls(check_affinity(W, n_samples))

    @property
    def unit_scale(self) -> float:
        """Factor that gives a mean degree of one: whatever was given then cannot overflow."""
        return self.affinity.shape[0] / self.affinity.sum() if self.affinity.nnz else 1.0

    def link(self, X: Array) -> tuple[np.ndarray, np.ndarray]:
        """Return no links."""
        return no_links(X)


@dataclass(frozen=True, eq=False, repr=False)
class LabelEdgeGraph(Graph):
    """A graph whose edges between labelled samples follow the labels.

    Attributes
    ----------
    base : Graph
        The graph that was edited. New samples, which have no label, are joined as in this one.
    affinity : csr_array of shape (n_samples, n_samples)
        Its weights; labelled samples of one class are joined, edges between classes are cut.
    recall : float
        That of the graph that was edited.
    """

    base: Graph
    affinity: sp.csr_array
    recall: float = 1.0

    @classmethod
    def edit(cls, base: Graph, codes: np.ndarray) -> LabelEdgeGraph:
        """Let given labels (-1 is unlabelled) edit a graph."""
        return cls(base, add_label_edges(base.affinity, codes), base.recall)

    @property
    def unit_scale(self) -> float:
        """That of the graph that was edited."""
        return self.base.unit_scale

    def link(self, X: Array) -> tuple[np.ndarray, np.ndarray]:
        """Return the links of the graph that was edited."""
        return self.base.link(X)

    def order(self) -> np.ndarray | None:
        """Return the order that suits the graph that was edited."""
        return self.base.order()

    @property
    def neighbors(self) -> NeighborGraph | None:
        """Those of the graph that was edited."""
        return self.base.neighbors

    def place(self, X: Array) -> Array:
        """Return new samples where the graph that was edited has them."""
        return self.base.place(X)

    def remoteness(self) -> np.ndarray | None:
        """Return what the graph that was edited knows of distances."""
        return self.base.remoteness()
