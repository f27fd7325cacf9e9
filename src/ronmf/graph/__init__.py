"""Neighbour graphs: built, checked, corrected by labels, chosen by labels, and combined."""

from ._axes import discriminant_directions, principal_axes
from ._consensus_graph import ConsensusGraph
from ._matrix import (
    add_label_edges,
    check_affinity,
    component_labels,
    cut_labelled_pairs,
    degrees,
    graph_summary,
)
from ._neighbor_graph import NeighborGraph, neighbor_graph
from ._recipe import GraphRecipe, default_recipes
from .selection.choice import ChosenGraph, choose_graph
from .selection.report import Candidate, GraphReport

__all__ = [
    "Candidate",
    "ChosenGraph",
    "ConsensusGraph",
    "GraphRecipe",
    "GraphReport",
    "NeighborGraph",
    "add_label_edges",
    "check_affinity",
    "choose_graph",
    "component_labels",
    "cut_labelled_pairs",
    "default_recipes",
    "degrees",
    "discriminant_directions",
    "graph_summary",
    "neighbor_graph",
    "principal_axes",
]
