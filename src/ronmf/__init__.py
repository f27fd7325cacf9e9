"""Robust orthogonal NMF with label propagation: clusters from images, a few labels and noise."""

from .estimators.ronmf import RONMF
from .graph import neighbor_graph
from .penalties import ETP, L21, MCP, SCAD, CappedL1, Frobenius, L2p

__all__ = [
    "ETP",
    "L21",
    "MCP",
    "RONMF",
    "SCAD",
    "CappedL1",
    "Frobenius",
    "L2p",
    "neighbor_graph",
]
__version__ = "0.1.0"
