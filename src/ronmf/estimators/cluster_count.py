"""The number of clusters, as given or estimated from the data."""

from typing import Any

import numpy as np

from ..graph import ClusterCount, choose_graph, neighbor_graph
from ..graph._count import count_clusters
from ..labels.encoding import read_labels
from ..numerics.arrays import to_numpy
from ..storage._products import take
from .gathering import given_graph
from .progress import FitProgress
from .settings import GraphSettings

__all__ = ["number_of_clusters"]

_SAMPLES = 2000  # from which the number is estimated
_PREFERRED = 0.5  # share of the largest prior; graphs below it are not used for the estimate


def number_of_clusters(
    n_clusters: int | str | None,
    X: Any,
    y: Any,
    settings: GraphSettings,
    affinity: Any,
    rng: np.random.RandomState,
    progress: FitProgress,
) -> tuple[int | None, ClusterCount | None]:
    """Return the number of clusters and, for "auto", the evidence for it.

    The estimate comes from a graph that no label has shaped: of labels only the number of classes
    counts, as the smallest possible answer.

    Parameters
    ----------
    n_clusters : int, "auto" or None
        As given to the estimator.
    X : array of shape (n_samples, n_features)
        The data.
    y : array-like or None
        Labels.
    settings : GraphSettings
        How to find a graph.
    affinity : array, sparse matrix or None
        The graph that ``fit`` was given.
    rng : RandomState
        Source of the samples and starts.
    progress : FitProgress
        Told when it is done.
    """
    if not isinstance(n_clusters, str):
        return n_clusters, None
    nothing = np.full(X.shape[0], -1)
    names, codes = read_labels(nothing if y is None else y, X.shape[0])
    with progress.stage("clusters", "estimate", 1) as stage:
        if settings.graph == "precomputed":
            W = given_graph(X, affinity).affinity
        else:
            rows = np.sort(rng.permutation(X.shape[0])[:_SAMPLES])
            W = _graph(to_numpy(take(X, rows)), settings, rng)
        most = len(names) + int((codes < 0).sum())
        count = count_clusters(W, len(names), most, rng)
        stage()
    return count.n_clusters, count


def _graph(X: np.ndarray, settings: GraphSettings, rng: np.random.RandomState) -> Any:
    shape: dict[str, Any] = {"weights": settings.edge_weights, "heat_width": settings.heat_width}
    if settings.graph == "plain":
        return neighbor_graph(X, settings.n_neighbors, **shape).affinity
    free = [recipe for recipe in settings.recipes(X) if not recipe.uses_labels]
    most = max(recipe.prior for recipe in free)
    free = [recipe for recipe in free if recipe.prior >= _PREFERRED * most]
    nothing = np.full(len(X), -1)
    chosen = choose_graph(
        X, nothing, free, n_clusters=1, n_neighbors=settings.n_neighbors, rng=rng, **shape
    )
    return chosen.graph.affinity
