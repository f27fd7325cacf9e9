"""The parameters of estimators that need a graph of their samples."""

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

from ..graph import Edges, Graph, GraphRecipe
from ..graph._graph_choice import EDGE_WEIGHTS
from .gathering import GraphSearch
from .progress import FitProgress
from .settings import GraphSettings

__all__ = ["NeighborGraphMixin"]


class NeighborGraphMixin:
    """For clusterers with ``graph``, ``edge_weights``, ``n_neighbors`` and ``heat_width``."""

    graph: Any
    edge_weights: str
    n_neighbors: int
    heat_width: float | None

    _graph_constraints: ClassVar[dict] = {
        "graph": [StrOptions({"plain", "precomputed"}), GraphRecipe],
        "edge_weights": [StrOptions(set(EDGE_WEIGHTS))],
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "heat_width": [Interval(Real, 0, None, closed="neither"), None],
    }

    def _build_graph(self, X: Any, affinity: Any, progress: FitProgress) -> Graph:
        """Return the neighbour graph of X, or the one given to ``fit``; no label takes part."""
        edges = Edges(self.n_neighbors, self.edge_weights, self.heat_width)
        nothing = np.full(X.shape[0], -1)
        rng = np.random.RandomState(0)  # there is no label to hide, hence nothing random
        settings = GraphSettings(self.graph, edges)
        return GraphSearch(X, nothing, 1, settings, affinity, rng, progress).find().graph
