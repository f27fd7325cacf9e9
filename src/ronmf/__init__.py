"""Robust orthogonal NMF with label propagation: clusters from images, a few labels and noise.

Public are the names below and those of ``ronmf.baselines``, ``ronmf.penalties``, ``ronmf.graph``,
``ronmf.features``, ``ronmf.datasets``, ``ronmf.metrics``, ``ronmf.noise``, ``ronmf.experiments``
and ``ronmf.registry``. Everything else may change at any time.
"""

from .baselines import HarmonicLabelPropagation
from .estimators.ronmf import RONMF
from .graph import GraphRecipe, neighbor_graph
from .labels.cross_validation import LabelledKFold
from .penalties import ETP, L21, MCP, SCAD, CappedL1, Frobenius, L2p

__all__ = [
    "ETP",
    "L21",
    "MCP",
    "RONMF",
    "SCAD",
    "CappedL1",
    "Frobenius",
    "GraphRecipe",
    "HarmonicLabelPropagation",
    "L2p",
    "LabelledKFold",
    "neighbor_graph",
]
__version__ = "0.1.0"
