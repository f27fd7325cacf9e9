"""The number of clusters, as given or estimated from the data."""

from typing import Any

import numpy as np

from ..graph import GraphRecipe, GraphRequest, choose_graph
from ..graph._count import ClusterCount, count_clusters, falls_apart
from ..labels.encoding import read_labels
from ..numerics.arrays import to_numpy
from ..storage._products import take
from .graph_search import given_graph
from .progress import FitProgress
from .settings import GraphSettings

__all__ = ["number_of_clusters"]

_SAMPLES = 2000  # from which the number is estimated
_FEWER = 500  # enough to see whether a graph falls apart
_PREFERRED = 0.5  # share of the largest prior; graphs below it count only if they fall apart


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
    counts, as the smallest possible answer. It is the graph preferred without evidence, unless that
    of other features falls into clusters beyond doubt: pictures may differ in colour alone.

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
        most = len(names) + int((codes < 0).sum())
        if settings.candidates == "precomputed":
            W = given_graph(X, affinity).affinity
        else:
            rows = np.sort(rng.permutation(X.shape[0])[:_SAMPLES])
            W = _graph(to_numpy(take(X, rows)), settings, (len(names), most), rng)
        count = count_clusters(W, len(names), most, rng)
        stage()
    return count.n_clusters, count


def _graph(
    X: np.ndarray, settings: GraphSettings, limits: tuple[int, int], rng: np.random.RandomState
) -> Any:
    """Return the graph to count clusters of; `limits` are the least and the most of them."""
    if settings.candidates == "plain":
        return settings.edges.join(X).affinity

    def graph(rows: np.ndarray, recipes: list[GraphRecipe], rng: np.random.RandomState) -> Any:
        nothing = np.full(len(rows), -1)
        request = GraphRequest(rows, nothing, n_clusters=1, edges=settings.edges, rng=rng)
        return choose_graph(request, recipes).graph.affinity

    free = [recipe for recipe in settings.recipes(X) if not recipe.uses_labels]
    least = _PREFERRED * max(recipe.prior for recipe in free)
    W = graph(X, [recipe for recipe in free if recipe.prior >= least], rng)
    # Numbers of its own, so that a look at other graphs changes nothing that comes later
    looking = np.random.RandomState(0)
    if not falls_apart(W, *limits, looking):
        few = X[looking.permutation(len(X))[:_FEWER]]
        for recipe in free:
            if recipe.prior < least and falls_apart(
                graph(few, [recipe], looking), *limits, looking
            ):
                return graph(X, [recipe], rng)
    return W
