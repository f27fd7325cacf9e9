"""The parameters of estimators that need a graph of their samples."""

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

from ..graph import Graph, GraphRecipe
from .gathering import find_graph
from .progress import FitProgress
from .settings import GraphSettings

__all__ = ["ChosenGraphMixin", "NeighborGraphMixin"]


class NeighborGraphMixin:
    """For clusterers with ``graph``, ``edge_weights``, ``n_neighbors`` and ``heat_width``."""

    graph: Any
    edge_weights: str
    n_neighbors: int
    heat_width: float | None

    _graph_constraints: ClassVar[dict] = {
        "graph": [StrOptions({"plain", "precomputed"}), GraphRecipe],
        "edge_weights": [StrOptions({"self_tuning", "heat", "binary", "cosine"})],
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "heat_width": [Interval(Real, 0, None, closed="neither"), None],
    }

    def _graph_settings(self) -> GraphSettings:
        return GraphSettings(self.graph, self.edge_weights, self.n_neighbors, self.heat_width)

    def _build_graph(self, X: Any, affinity: Any, progress: FitProgress) -> Graph:
        """Return the neighbour graph of X, or the one given to ``fit``; no label takes part."""
        nothing = np.full(X.shape[0], -1)
        rng = np.random.RandomState(0)  # there is no label to hide, hence nothing random
        settings = self._graph_settings()
        return find_graph(X, nothing, 1, settings, affinity, rng, progress).graph


class ChosenGraphMixin(NeighborGraphMixin):
    """For clusterers whose labels choose the graph, or may.

    They have ``label_weight``, ``class_prior`` and ``check_labels`` too.
    """

    label_weight: float
    class_prior: str | None
    check_labels: bool
    image_shape_: tuple[int, ...] | None

    _graph_constraints: ClassVar[dict] = {
        **NeighborGraphMixin._graph_constraints,
        "graph": [StrOptions({"auto", "plain", "precomputed"}), GraphRecipe, list],
        "image_shape": [tuple, list, None],
        "class_prior": [StrOptions({"labels"}), None],
        "check_labels": ["boolean"],
    }

    def _graph_settings(self) -> GraphSettings:
        return GraphSettings(
            self.graph,
            self.edge_weights,
            self.n_neighbors,
            self.heat_width,
            self.image_shape_,
            self.label_weight,
            self.class_prior,
            self.check_labels,
        )
