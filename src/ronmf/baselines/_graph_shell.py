"""The shell of the multiplicative methods with a neighbour graph."""

from __future__ import annotations

from dataclasses import replace
from numbers import Integral
from typing import Any, ClassVar, Self

from sklearn.base import _fit_context
from sklearn.utils._param_validation import Interval

from ..estimators.graph_parameters import NeighborGraphMixin
from ..estimators.new_samples import LinkedCoefficients
from ..estimators.progress import FitProgress
from ..graph import GraphRecipe
from ..labels.encoding import encode_labels
from ..multiplicative.loop import MultiplicativeFit
from ..numerics.types import Affinity, Array, Labels, Seed
from ._shell import NON_NEGATIVE, MultiplicativeClusterer, Representation

__all__ = ["GraphMultiplicativeClusterer"]


class GraphMultiplicativeClusterer(NeighborGraphMixin, MultiplicativeClusterer):
    """A multiplicative method with a neighbour graph; new samples are joined to it."""

    graph_weight: float

    _graph_loop_constraints: ClassVar[dict] = {
        **MultiplicativeClusterer._loop_constraints,
        "graph_weight": [NON_NEGATIVE],
        **NeighborGraphMixin._graph_constraints,
    }
    _parameter_constraints: ClassVar[dict] = {
        **_graph_loop_constraints,
        "n_components": [Interval(Integral, 1, None, closed="left"), None],
    }

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        n_components: int | None = None,
        graph_weight: float = 100.0,
        graph: str | GraphRecipe = "plain",
        edge_weights: str = "heat",
        n_neighbors: int = 5,
        heat_width: float | None = None,
        assign: str = "kmeans",
        n_init: int = 10,
        max_iter: int = 200,
        tol: float = 0.0,
        random_state: Seed = None,
    ) -> None:
        super().__init__(
            n_clusters,
            n_components=n_components,
            assign=assign,
            n_init=n_init,
            max_iter=max_iter,
            tol=tol,
            random_state=random_state,
        )
        self.graph_weight = graph_weight
        self.graph = graph
        self.edge_weights = edge_weights
        self.n_neighbors = n_neighbors
        self.heat_width = heat_width

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Array, y: Labels = None, *, affinity: Affinity | None = None) -> Self:
        """Factorise `X` and cluster its samples.

        Parameters
        ----------
        X : array of shape (n_samples, n_features), or of pictures (n_samples, height, width, ...)
            Non-negative data of any array API library; unit-length samples are meant.
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
        with self._nothing_half_written(), FitProgress(self, n_stages=2) as progress:
            X = self._validate_X(X, reset=True)
            known = encode_labels(y, X.shape[0], self.n_clusters)
            graph = self._build_graph(X, affinity, progress)
            self._factorise(X, known, graph, progress)
        self._warn_if_cut_short()
        return self

    def _representation(self, fit: MultiplicativeFit, norms: Any) -> Representation:
        V, U = fit.matrices
        linked = LinkedCoefficients(U.T, V, float(self.graph_weight))
        return replace(super()._representation(fit, norms), new_samples=linked)
