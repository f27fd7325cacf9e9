"""The part of an estimator that needs a graph of its samples: built, chosen, or given."""

from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, ClassVar, TypeAlias

import numpy as np
import scipy.sparse as sp
from sklearn.utils._param_validation import Interval, StrOptions

from ..features import picture_shape
from ..graph import (
    GraphRecipe,
    GraphReport,
    NeighborGraph,
    check_affinity,
    choose_graph,
    default_recipes,
    neighbor_graph,
)
from ..graph._operator import GraphOnData
from ..labels.class_prior import shares_by_mass
from ..labels.hidden_labels import Trial, run_trials
from ..numerics.arrays import to_numpy

__all__ = ["ChosenGraphMixin", "FoundGraph", "NeighborGraphMixin", "affinity_of", "links_to"]

Graph: TypeAlias = Any  # NeighborGraph, ConsensusGraph or, if given, a csr_array


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


@dataclass(frozen=True, eq=False)
class FoundGraph:
    """A graph; if it was chosen by labels, why, and what it predicted of hidden ones.

    Attributes
    ----------
    graph : NeighborGraph, ConsensusGraph or csr_array
        The graph.
    codes : ndarray of int
        The labels known then.
    report : GraphReport or None
        Why it was chosen; None if there was no choice.
    trials : list of Trial or None
        Predictions of hidden labels; None if there was no choice.
    """

    graph: Graph
    codes: np.ndarray
    report: GraphReport | None = None
    trials: list[Trial] | None = None

    def serves(self, codes: np.ndarray) -> bool:
        """Whether it need not be sought anew under these labels of the same classes.

        It stands while no label has changed and their number has not grown by half.
        """
        if self.report is None:
            return True
        old = self.codes >= 0
        grown = (codes >= 0).sum() > 1.5 * old.sum()
        return bool((codes[old] == self.codes[old]).all() and not grown)


class ChosenGraphMixin(NeighborGraphMixin):
    """For clusterers with ``graph``, ``image_shape``, ``label_weight`` and ``class_mass`` too."""

    graph: Any
    image_shape: tuple[int, ...] | None
    label_weight: float
    class_mass: str | None

    _graph_constraints: ClassVar[dict] = {
        **NeighborGraphMixin._graph_constraints,
        "graph": [StrOptions({"auto", "plain"}), GraphRecipe, list],
        "image_shape": [tuple, list, None],
    }

    def _graph_settings(self) -> tuple | None:
        settings = super()._graph_settings()
        if settings is None:
            return None
        graph = self.graph
        if not isinstance(graph, str):
            graph = tuple(each.key for each in self._own_recipes())
        return *settings, self.label_weight, self.class_mass, str(self.image_shape), graph

    def _find_graph(
        self, X: Any, codes: np.ndarray, affinity: Any, rng: np.random.RandomState
    ) -> FoundGraph:
        """Return the graph that was given, or that of X, or the one that labels choose."""
        if self.image_shape is not None:
            picture_shape(type(self).__name__, self.image_shape, X.shape[1])
        if self.affinity == "precomputed" or affinity is not None or self.graph == "plain":
            return FoundGraph(self._build_graph(X, affinity), codes)
        chosen = choose_graph(
            X,
            codes,
            self._recipes(X),
            n_neighbors=self.n_neighbors,
            weights=self.affinity,
            heat_width=self.heat_width,
            label_weight=self.label_weight or 1.0,
            class_mass=self.class_mass,
            rng=rng,
        )
        return FoundGraph(chosen.graph, codes, chosen.report, chosen.trials)

    def _trials(
        self, found: FoundGraph, codes: np.ndarray, graph: GraphOnData, rng: np.random.RandomState
    ) -> list[Trial]:
        """Return predictions of hidden labels: those that chose the graph, or new ones."""
        if found.trials is not None:
            return found.trials
        count = int(codes.max(initial=-1)) + 1
        if count < 2:
            return []

        def predict(kept: np.ndarray) -> np.ndarray:
            A = to_numpy(graph.propagate(kept, count, self.label_weight))
            return shares_by_mass(A, kept, self.class_mass)

        return run_trials(codes, predict, rng)

    def _recipes(self, X: Any) -> list[GraphRecipe]:
        if self.graph == "auto":
            return default_recipes(to_numpy(X), self.image_shape)
        return self._own_recipes()

    def _own_recipes(self) -> list[GraphRecipe]:
        recipes = [self.graph] if isinstance(self.graph, GraphRecipe) else list(self.graph)
        if not recipes or not all(isinstance(each, GraphRecipe) for each in recipes):
            raise ValueError(
                "graph is a list that is empty or holds something else than GraphRecipe; give"
                " recipes, 'auto' or 'plain'."
            )
        return recipes


def affinity_of(graph: Graph) -> sp.csr_array:
    """Return the weights W of a graph of our own or of one that was given."""
    return graph if sp.issparse(graph) else graph.affinity


def links_to(graph: Graph | None, X: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the training samples that each query is joined to, and the weights.

    None of them if the graph was given: it says nothing of new samples.
    """
    if graph is None or sp.issparse(graph):
        return np.zeros((X.shape[0], 0), dtype=int), np.zeros((X.shape[0], 0))
    return graph.link(X)
