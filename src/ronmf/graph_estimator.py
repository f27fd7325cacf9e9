"""The part of an estimator that needs a neighbour graph of its samples, or is given one."""

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
from sklearn.utils._param_validation import Interval, StrOptions

from .graph import NeighborGraph, check_affinity, neighbor_graph

__all__ = ["NeighborGraphMixin", "affinity_of", "links_to"]


class NeighborGraphMixin:
    """For clusterers with the parameters ``affinity``, ``n_neighbors`` and ``heat_width``."""

    affinity: str
    n_neighbors: int
    heat_width: float | None

    _graph_constraints: ClassVar[dict] = {
        "affinity": [StrOptions({"self_tuning", "heat", "binary", "cosine", "precomputed"})],
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "heat_width": [Interval(Real, 0, None, closed="neither"), None],
    }

    def _graph_settings(self) -> tuple | None:
        """Return what the graph of given data depends on; None if it comes from outside."""
        if self.affinity == "precomputed":
            return None
        return self.affinity, self.n_neighbors, self.heat_width

    def _build_graph(self, X: Any, affinity: Any) -> NeighborGraph | sp.csr_array:
        """Return the neighbour graph of X, or the checked matrix given to ``fit``."""
        if self.affinity == "precomputed":
            if affinity is None:
                raise ValueError(
                    "affinity='precomputed' needs the graph: call fit(X, y, affinity=W)."
                )
            return check_affinity(affinity, X.shape[0])
        if affinity is not None:
            raise ValueError(
                f"fit was given an affinity matrix but affinity={self.affinity!r};"
                " set affinity='precomputed' to use it."
            )
        return neighbor_graph(
            X, self.n_neighbors, weights=self.affinity, heat_width=self.heat_width
        )


def affinity_of(graph: NeighborGraph | sp.csr_array) -> sp.csr_array:
    """Return the weights W of a graph of our own or of one that was given."""
    return graph.affinity if isinstance(graph, NeighborGraph) else graph


def links_to(graph: NeighborGraph | sp.csr_array | None, X: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the training samples that each query is joined to, and the weights.

    None of them if the graph was given: it says nothing of new samples.
    """
    if isinstance(graph, NeighborGraph):
        return graph.link(X)
    return np.zeros((X.shape[0], 0), dtype=int), np.zeros((X.shape[0], 0))
