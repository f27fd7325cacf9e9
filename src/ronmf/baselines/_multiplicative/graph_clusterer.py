"""The shell of the multiplicative methods with a neighbour graph."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Self

import numpy as np
from sklearn.base import _fit_context
from sklearn.utils._param_validation import StrOptions

from ...estimators.graph_search import GraphSearch
from ...estimators.new_samples import LinkedCoefficients
from ...estimators.progress import FitProgress
from ...estimators.settings import GraphSettings
from ...graph import Edges, Graph, GraphRecipe
from ...graph._neighbor_graph import EDGE_WEIGHTS
from ...graph._operator import GraphOperator
from ...numerics.types import Affinity, Array, Labels
from ...system.parameters import COUNT, NON_NEGATIVE, POSITIVE, parameter, parameters
from .clusterer import MultiplicativeClusterer, Representation
from .loop import MultiplicativeFit
from .terms import GraphTerm

__all__ = ["GraphMultiplicativeClusterer"]


@parameters
class GraphMultiplicativeClusterer(MultiplicativeClusterer):
    """A multiplicative method with a neighbour graph; new samples are joined to it.

    Parameters
    ----------
    graph : {"plain", "precomputed"} or GraphRecipe, default="plain"
        The neighbour graph of X as it is, the one passed to ``fit``, or that of a recipe.
    edge_weights : {"self_tuning", "heat", "binary", "cosine"}, default="heat"
        Weights of the nearest-neighbour graph.
    n_neighbors : int, default=5
        Neighbours of each sample in the graph.
    heat_width : float, default=None
        Width of the heat kernel; None: the mean distance to a neighbour. The released code uses 1,
        for samples of unit length.
    """

    graph_weight: float = parameter(default=100.0, allowed=NON_NEGATIVE)
    graph: str | GraphRecipe = parameter(
        default="plain", allowed=[StrOptions({"plain", "precomputed"}), GraphRecipe]
    )
    edge_weights: str = parameter(default="heat", allowed=StrOptions(set(EDGE_WEIGHTS)))
    n_neighbors: int = parameter(default=5, allowed=COUNT)
    heat_width: float | None = parameter(default=None, allowed=[POSITIVE, None])

    _takes_any_rows = True

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Array, y: Labels = None, *, affinity: Affinity | None = None) -> Self:
        """Factorise `X` and cluster its samples.

        Parameters
        ----------
        X : array of shape (n_samples, n_features), or of pictures (n_samples, height, width, ...)
            Of any array API library, or sparse; unit-length samples are meant. Negative values are
            factorised beside the others, as in RONMF.
        y : array-like of shape (n_samples,), default=None
            Class names of any type; -1, None or NaN marks unlabelled samples. A method without
            labels in its objective uses them to name the clusters it found.
        affinity : array or sparse matrix of shape (n_samples, n_samples), default=None
            Symmetric non-negative weights, with ``graph="precomputed"`` only.

        Returns
        -------
        estimator
            The fitted estimator.
        """
        return self._fit(X, y, affinity)

    def _build_graph(self, X: Any, affinity: Any, progress: FitProgress) -> Graph:
        edges = Edges(self.n_neighbors, self.edge_weights, self.heat_width)
        nothing = np.full(X.shape[0], -1)  # no label takes part
        rng = np.random.RandomState(0)  # there is no label to hide, hence nothing random
        settings = GraphSettings(self.graph, edges)
        return GraphSearch(X, nothing, 1, settings, affinity, rng, progress).find().graph

    def _graph_term(self, graph: Any, X: Any, factor: str = "V") -> GraphTerm:
        """Return the term of a host graph W."""
        return GraphTerm(factor, self.graph_weight, GraphOperator.build(graph, X))

    def _representation(self, fit: MultiplicativeFit, norms: Any) -> Representation:
        V, U = fit.matrices
        linked = LinkedCoefficients(U.T, V, float(self.graph_weight))
        return replace(super()._representation(fit, norms), new_samples=linked)
