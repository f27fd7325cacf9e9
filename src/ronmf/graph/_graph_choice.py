"""How the graph of an estimator is found, as an object."""

from __future__ import annotations

from typing import Any

from sklearn.base import BaseEstimator
from sklearn.utils._param_validation import StrOptions

from ..system.parameters import POSITIVE, check_parameters, parameter, parameters
from ._neighbor_graph import EDGE_WEIGHTS, Edges
from ._recipe import GraphRecipe

__all__ = ["CANDIDATES", "GraphChoice", "graph_choice"]

CANDIDATES = [StrOptions({"auto", "plain", "precomputed"}), GraphRecipe, list]
"""What may be a choice of graphs."""


@parameters
class GraphChoice(BaseEstimator):
    """How the graph of :class:`ronmf.RONMF` is found, and how its edges are made.

    Pass it as ``RONMF(graph=GraphChoice(...))``; ``RONMF(graph="plain")`` is short for
    ``RONMF(graph=GraphChoice("plain"))``. In a search its parameters are ``graph__edge_weights``
    and so on. Number of neighbours and shape of pictures are parameters of the estimator.

    Parameters
    ----------
    candidates : {"auto", "plain", "precomputed"}, GraphRecipe or list of GraphRecipe, \
default="auto"
        "auto" hides part of the given labels in turn, sees which of many graphs predict them, and
        blends the best (:func:`ronmf.graph.choose_graph`). "plain" is the neighbour graph of X as
        it is, "precomputed" the one passed to ``fit``. Recipes are candidates of your own.
    edge_weights : {"self_tuning", "heat", "binary", "cosine"}, default="self_tuning"
        Weights of the exact nearest-neighbour graph; see :func:`ronmf.graph.neighbor_graph`.
    heat_width : float, default=None
        Width of the heat kernel; None: the mean distance to a neighbour.
    label_edges : bool, default=False
        Whether given labels join samples of one class, and cut edges between different ones.

    Examples
    --------
    >>> from ronmf import RONMF, GraphChoice
    >>> RONMF(graph=GraphChoice("plain", edge_weights="heat")).set_params(graph__heat_width=2.0)
    RONMF(graph=GraphChoice(candidates='plain', edge_weights='heat',
                            heat_width=2.0))
    """

    candidates: str | GraphRecipe | list[GraphRecipe] = parameter(
        default="auto", allowed=CANDIDATES, kw_only=False
    )
    edge_weights: str = parameter(default="self_tuning", allowed=StrOptions(set(EDGE_WEIGHTS)))
    heat_width: float | None = parameter(default=None, allowed=[POSITIVE, None])
    label_edges: bool = parameter(default=False, allowed="boolean")

    def validate(self) -> None:
        """Raise a ValueError about the first parameter that has no allowed value."""
        check_parameters(self, "graph: ")

    def edges(self, n_neighbors: int) -> Edges:
        """Return how neighbours are joined."""
        return Edges(n_neighbors, self.edge_weights, self.heat_width)


def graph_choice(graph: Any) -> GraphChoice:
    """Return a choice with valid parameters: the one that is given, or that of these candidates.

    Examples
    --------
    >>> graph_choice("plain")
    GraphChoice(candidates='plain')
    """
    choice = graph if isinstance(graph, GraphChoice) else GraphChoice(graph)
    choice.validate()
    return choice
