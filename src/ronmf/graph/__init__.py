"""Graphs of samples: built from neighbours, given, chosen by hidden labels, and combined.

Every graph is a :class:`Graph`: it has ``affinity``, ``link(X_new)`` and ``summary()``. Import from
here; the modules inside are internal. They import from ``labels``, ``features`` and ``numerics``.

Examples
--------
>>> import numpy as np
>>> from ronmf.graph import neighbor_graph
>>> neighbor_graph(np.array([[0.0], [1.0], [5.0], [6.0]]), n_neighbors=1).summary()["components"]
2
"""

from ._consensus_graph import ConsensusGraph
from ._given_graph import GivenGraph, LabelEdgeGraph
from ._graph import Graph
from ._graph_choice import GraphChoice
from ._neighbor_graph import Edges, NeighborGraph, neighbor_graph
from ._recipe import GraphRecipe
from ._request import GraphRequest, Propagation
from .selection.candidates import default_recipes
from .selection.choice import choose_graph
from .selection.report import GraphReport

__all__ = [
    "ConsensusGraph",
    "Edges",
    "GivenGraph",
    "Graph",
    "GraphChoice",
    "GraphRecipe",
    "GraphReport",
    "GraphRequest",
    "LabelEdgeGraph",
    "NeighborGraph",
    "Propagation",
    "choose_graph",
    "default_recipes",
    "neighbor_graph",
]
