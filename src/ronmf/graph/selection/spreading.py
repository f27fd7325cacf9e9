"""A graph that was chosen on some samples, made of all of them."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from .._axes import UnitScale
from .._consensus_graph import ConsensusGraph, GraphPart
from .._neighbor_graph import neighbor_graph
from .preparing import coordinates_of_all, fits_float32

__all__ = ["spread_graph"]


def spread_graph(
    graph: ConsensusGraph, X: Any, heat_width: float | None, report: Callable[[], Any]
) -> ConsensusGraph:
    """Return the graph of all samples, with the features, axes and shares of a chosen one.

    Parameters
    ----------
    graph : ConsensusGraph
        Of some of the samples.
    X : array or StoredRows of shape (n_samples, n_features)
        All samples.
    heat_width : float or None
        See :func:`neighbor_graph`.
    report : callable
        Called after every part.
    """
    kinds: dict[int, list[GraphPart]] = {}
    for part in graph.parts:
        kinds.setdefault(id(part.features), []).append(part)
    made = []
    for parts in kinds.values():
        features, axes = parts[0].features, [part.axes for part in parts]
        exact = isinstance(features, UnitScale) or not fits_float32(X)
        points = coordinates_of_all(X, features, axes, None if exact else np.dtype(np.float32))
        for part, own_points in zip(parts, points, strict=True):
            own = neighbor_graph(
                own_points,
                part.graph.n_neighbors,
                weights=part.graph.weights,
                heat_width=heat_width,
            )
            made.append(replace(part, graph=own))
            report()
    return ConsensusGraph.blend(made)
