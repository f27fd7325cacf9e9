"""Robust orthogonal NMF with label propagation: clusters from images, a few labels and noise.

Public are the names below and those of ``ronmf.baselines``, ``ronmf.penalties``, ``ronmf.graph``,
``ronmf.features``, ``ronmf.displays``, ``ronmf.datasets``, ``ronmf.sorting``, ``ronmf.saving``,
``ronmf.storage``, ``ronmf.metrics`` and ``ronmf.bench``. Everything else may change at any time.

The names are imported when they are first asked for: ``ronmf data list`` need not wait for
scikit-learn.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .admm.parameters import ADMM
    from .baselines import HarmonicLabelPropagation
    from .estimators.ronmf import RONMF
    from .graph import GraphChoice, GraphRecipe, neighbor_graph
    from .labels.cross_validation import LabelledKFold
    from .penalties import ETP, L21, MCP, SCAD, CappedL1, Frobenius, L2p
    from .saving import load_model, save_model

__all__ = [
    "ADMM",
    "ETP",
    "L21",
    "MCP",
    "RONMF",
    "SCAD",
    "CappedL1",
    "Frobenius",
    "GraphChoice",
    "GraphRecipe",
    "HarmonicLabelPropagation",
    "L2p",
    "LabelledKFold",
    "load_model",
    "neighbor_graph",
    "save_model",
]
__version__ = "0.1.0"

_ROOMS = {
    "ADMM": "admm.parameters",
    "HarmonicLabelPropagation": "baselines",
    "RONMF": "estimators.ronmf",
    "GraphChoice": "graph",
    "GraphRecipe": "graph",
    "neighbor_graph": "graph",
    "LabelledKFold": "labels.cross_validation",
    "load_model": "saving",
    "save_model": "saving",
}


_PUBLIC = (
    *("baselines", "bench", "datasets", "displays", "features", "graph", "metrics"),
    *("penalties", "saving", "sorting", "storage"),
)


def __getattr__(name: str) -> Any:
    if name in _PUBLIC:
        return import_module(f".{name}", __name__)
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    thing = getattr(import_module(f".{_ROOMS.get(name, 'penalties')}", __name__), name)
    globals()[name] = thing  # the next time it is found at once
    return thing


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_PUBLIC})
