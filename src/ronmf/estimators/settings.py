"""The parameters of a fit, grouped by what depends on them."""

from dataclasses import dataclass
from typing import Any

from sklearn.base import clone

from ..admm.basis import BASES, Basis
from ..admm.solver import check_penalty_fits
from ..graph import GraphRecipe, default_recipes
from ..numerics.arrays import to_numpy
from ..penalties import Penalty, check_penalty
from ..storage._rows import StoredRows

__all__ = ["GraphSettings", "ProblemSettings"]


@dataclass(frozen=True)
class GraphSettings:
    """All that a graph of given data and labels depends on.

    Attributes
    ----------
    graph : {"auto", "plain", "precomputed"}, GraphRecipe or list of GraphRecipe
        How the graph is found.
    edge_weights, n_neighbors, heat_width
        See :func:`ronmf.graph.neighbor_graph`.
    image_shape : tuple or None
        How the features of a row lie in the picture.
    label_weight, class_prior
        Of the propagation that predicts hidden labels.
    check_labels : bool
        Whether labels that such predictions contradict are set aside.
    """

    graph: Any
    edge_weights: str
    n_neighbors: int
    heat_width: float | None
    image_shape: tuple[int, ...] | None = None
    label_weight: float = 10.0
    class_prior: str | None = None
    check_labels: bool = False

    def key(self) -> tuple | None:
        """Return what to compare settings by; None for a graph that comes from outside."""
        if self.graph == "precomputed":
            return None
        graph = self.graph
        if not isinstance(graph, str):
            graph = tuple(recipe.key for recipe in self._own_recipes())
        shape = None if self.image_shape is None else tuple(self.image_shape)
        weights = self.edge_weights, self.n_neighbors, self.heat_width
        return graph, *weights, shape, self.label_weight, self.class_prior, self.check_labels

    def recipes(self, X: Any) -> list[GraphRecipe]:
        """Return the graphs to choose from."""
        if self.graph == "auto":
            data = X if isinstance(X, StoredRows) else to_numpy(X)
            return default_recipes(data, self.image_shape, self.n_neighbors)
        return [self._with_shape(recipe) for recipe in self._own_recipes()]

    def _own_recipes(self) -> list[GraphRecipe]:
        recipes = [self.graph] if isinstance(self.graph, GraphRecipe) else list(self.graph)
        if not recipes or not all(isinstance(each, GraphRecipe) for each in recipes):
            raise ValueError(
                "graph is a list that is empty or holds something else than GraphRecipe; give"
                " recipes, 'auto' or 'plain'."
            )
        return recipes

    def _with_shape(self, recipe: GraphRecipe) -> GraphRecipe:
        """Return a copy whose features know how a row lies in the picture, if they ask."""
        recipe = clone(recipe)  # a later set_params must not reach the fit
        if self.image_shape is not None:
            asked = {
                name: self.image_shape
                for name, value in recipe.get_params().items()
                if name.endswith("__image_shape") and value is None
            }
            recipe.set_params(**asked)
        return recipe


@dataclass(frozen=True)
class ProblemSettings:
    """All that the objective of RONMF and the start of its solution depend on, given a graph.

    Attributes
    ----------
    penalty, groups, graph_weight, label_weight, beta, relative, label_edges, init
        As in :class:`ronmf.RONMF`, `penalty` as an object.
    basis : Basis
        How parts are found.
    n_components : int
        Number of parts.
    """

    penalty: Penalty
    groups: str
    graph_weight: float | str
    label_weight: float
    beta: float
    relative: bool
    label_edges: bool
    init: str
    basis: Basis
    n_components: int

    @classmethod
    def check(cls, estimator: Any, n_clusters: int, n_features: int) -> "ProblemSettings":
        """Take the parameters of an estimator, or refuse what does not go together."""
        if estimator.graph_weight == "auto" and not estimator.relative:
            raise ValueError(
                "graph_weight='auto' is a relative weight; give a number with relative=False."
            )
        # A later set_params must not reach the fit.
        penalty = clone(check_penalty(estimator.penalty))
        check_penalty_fits(penalty)
        n_components = estimator.n_components
        if n_components is None:
            n_components = min(n_clusters, n_features)
        elif n_components > n_features:
            raise ValueError(
                f"n_components={n_components} is more than the number of features ({n_features}),"
                " and parts may not overlap; lower it."
            )
        return cls(
            penalty,
            estimator.groups,
            estimator.graph_weight,
            estimator.label_weight,
            estimator.beta,
            estimator.relative,
            estimator.label_edges,
            estimator.init,
            BASES[estimator.basis],
            n_components,
        )

    def key(self) -> tuple:
        """Return what the scale of the objective and the shapes of its factors depend on."""
        return repr(self.penalty), self.groups, self.beta, self.relative, self.n_components
