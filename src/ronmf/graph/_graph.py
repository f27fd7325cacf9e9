"""What every graph of samples can do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from ..numerics.types import Array
from ._matrix import graph_summary

if TYPE_CHECKING:
    from ._neighbor_graph import NeighborGraph

__all__ = ["Graph", "no_links"]


class Graph(ABC):
    """A graph of samples: weights of its edges, links of new samples, and a summary.

    A subclass has `affinity` and `link`; the rest follows from these unless it knows more.

    Attributes
    ----------
    affinity : csr_array of shape (n_samples, n_samples)
        Symmetric, non-negative weights W without a diagonal, on the host.
    recall : float
        The estimated share of the true neighbours that its edges join; 1 where all were looked for.
    """

    affinity: sp.csr_array
    recall: float = 1.0

    @abstractmethod
    def link(self, X: Array) -> tuple[np.ndarray, np.ndarray]:
        """Return the samples that each new one is joined to, and the weights of these edges.

        Both have one row per new sample, each treated on its own. They have no columns if the
        graph says nothing of new samples.
        """

    @property
    def unit_scale(self) -> float:
        """Factor by which weights are multiplied where only their ratios matter."""
        return 1.0

    def summary(self, codes: np.ndarray | None = None) -> dict[str, Any]:
        """Return edges, degrees (minimum, median, maximum) and connected components.

        With the `recall` of neighbours, where not all were looked for. With `codes` (-1 is
        unlabelled) also the number of components without any labelled sample, and of the samples in
        them, which no label can reach.
        """
        found = {} if self.recall == 1.0 else {"recall": self.recall}
        return graph_summary(self.affinity, codes) | found

    def order(self) -> np.ndarray | None:
        """Return samples in an order that puts neighbours side by side; None if it is not known."""
        return None

    @property
    def neighbors(self) -> NeighborGraph | None:
        """The nearest neighbours that most of the graph is made of; None if they are not known."""
        return None

    def place(self, X: Any) -> Any:
        """Return new samples in the coordinates of `neighbors`."""
        return X

    def remoteness(self) -> np.ndarray | None:
        """Return each sample's distance to its neighbours over the median one; None if unknown."""
        return None


def no_links(X: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return that no new sample is joined to any other."""
    return np.zeros((X.shape[0], 0), dtype=int), np.zeros((X.shape[0], 0))
