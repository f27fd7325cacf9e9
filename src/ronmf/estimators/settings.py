"""The parameters of a fit, grouped by what depends on them."""

from dataclasses import dataclass, field
from typing import Any

from sklearn.base import clone

from ..admm.parameters import ADMM, check_solver
from ..admm.solver import check_penalty_fits
from ..graph import Edges, GraphRecipe, Propagation, default_recipes
from ..graph._graph_choice import graph_choice
from ..numerics.arrays import to_numpy
from ..numerics.pictures import picture_shape
from ..penalties import Penalty, check_penalty
from ..storage._rows import StoredRows

__all__ = ["GraphSettings", "ProblemSettings"]


@dataclass(frozen=True)
class GraphSettings:
    """All that a graph of given data and labels depends on.

    Attributes
    ----------
    candidates : {"auto", "plain", "precomputed"}, GraphRecipe or list of GraphRecipe
        How the graph is found.
    edges : Edges
        How neighbours are joined.
    propagation : Propagation
        How labels predict hidden ones.
    image_shape : tuple or None
        How the features of a row lie in the picture.
    check_labels : bool
        Whether labels that such predictions contradict are set aside.
    """

    candidates: Any
    edges: Edges
    propagation: Propagation = field(default_factory=Propagation)
    image_shape: tuple[int, ...] | None = None
    check_labels: bool = False

    def key(self) -> tuple | None:
        """Return what to compare settings by; None for a graph that comes from outside."""
        if self.candidates == "precomputed":
            return None
        candidates = self.candidates
        if not isinstance(candidates, str):
            candidates = tuple(recipe.key for recipe in self._own_recipes())
        shape = None if self.image_shape is None else tuple(self.image_shape)
        return candidates, self.edges, self.propagation, shape, self.check_labels

    def recipes(self, X: Any) -> list[GraphRecipe]:
        """Return the graphs to choose from."""
        if self.candidates == "auto":
            data = X if isinstance(X, StoredRows) else to_numpy(X)
            return default_recipes(data, self.image_shape)
        return [self._with_shape(recipe) for recipe in self._own_recipes()]

    @property
    def most_neighbors(self) -> int:
        """The largest number of neighbours of a sample that a candidate has."""
        own = [] if isinstance(self.candidates, str) else self._own_recipes()
        return max([self.edges.n_neighbors, *(recipe.n_neighbors or 0 for recipe in own)])

    @property
    def chosen(self) -> bool:
        """Whether hidden labels choose the graph."""
        return not isinstance(self.candidates, str) or self.candidates == "auto"

    def check(self, X: Any, affinity: Any) -> None:
        """Refuse what does not go together."""
        if self.image_shape is not None:
            picture_shape("graph", self.image_shape, X.shape[1])
        if self.edges.heat_width is not None and self.edges.weights != "heat":
            raise ValueError(
                f"heat_width={self.edges.heat_width} is for edge_weights='heat', but edge_weights="
                f"{self.edges.weights!r}; set edge_weights='heat' or leave heat_width out."
            )
        if affinity is not None and self.candidates != "precomputed":
            raise ValueError(
                f"fit was given an affinity matrix but graph={self.candidates!r}; set"
                " graph='precomputed' to use it."
            )

    def _own_recipes(self) -> list[GraphRecipe]:
        given = self.candidates
        recipes = [given] if isinstance(given, GraphRecipe) else list(given)
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
            shapes = {
                name: self.image_shape
                for name, value in recipe.get_params().items()
                if name.endswith("__image_shape") and value is None
            }
            recipe.set_params(**shapes)
        return recipe


@dataclass(frozen=True)
class ProblemSettings:
    """All that the objective of RONMF and the start of its solution depend on, given a graph.

    Attributes
    ----------
    penalty, groups, graph_weight, label_weight, solver
        As in :class:`ronmf.RONMF`, `penalty` and `solver` as objects of the fit's own.
    label_edges : bool
        As in :class:`ronmf.GraphChoice`.
    n_components : int
        Number of parts.
    """

    penalty: Penalty
    groups: str
    graph_weight: float | str
    label_weight: float
    label_edges: bool
    solver: ADMM
    n_components: int

    @classmethod
    def check(cls, estimator: Any, n_clusters: int, n_features: int) -> "ProblemSettings":
        """Take the parameters of an estimator, or refuse what does not go together."""
        # A later set_params must not reach the fit.
        solver = clone(check_solver(estimator.solver))
        penalty = clone(check_penalty(estimator.penalty))
        if estimator.graph_weight == "auto" and not solver.relative:
            raise ValueError(
                "graph_weight='auto' is a relative weight; give a number with ADMM(relative=False)."
            )
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
            graph_choice(estimator.graph).label_edges,
            solver,
            n_components,
        )

    def key(self) -> tuple:
        """Return what the scale of the objective and the shapes of its factors depend on."""
        solver = self.solver
        return repr(self.penalty), self.groups, solver.beta, solver.relative, self.n_components
