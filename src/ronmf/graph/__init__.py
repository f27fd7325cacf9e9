"""Neighbour graphs: built, checked, corrected by labels, chosen by labels, and combined."""

from .axes import discriminant_directions, principal_axes
from .choice import ChosenGraph, choose_graph
from .consensus import ConsensusGraph
from .matrix import (
    add_label_edges,
    check_affinity,
    component_labels,
    cut_labelled_pairs,
    degrees,
    graph_summary,
)
from .neighbor import NeighborGraph, neighbor_graph
from .recipe import GraphRecipe, default_recipes
from .report import Candidate, GraphReport

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
