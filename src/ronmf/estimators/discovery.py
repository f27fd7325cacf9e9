"""How many clusters: those of a graph that no label has shaped, and what labels say of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..graph import GraphRecipe, GraphRequest, choose_graph
from ..graph._anchors import anchor_clusters, deep_inside, guess_labels
from ..graph._layer_vote import unnamed_clusters
from ..graph._layers import Communities, Layer, find_communities
from ..numerics.arrays import to_numpy
from ..storage._products import take
from .cluster_meanings import cluster_meanings, without_labels
from .evidence import Evidence
from .graph_search import GraphSearch
from .progress import FitProgress
from .settings import GraphSettings

__all__ = ["STAGES", "ClustersBefore", "Discovery", "discover"]

STAGES = 5
"""At most: a graph and its clusters, and another graph; of very many samples each takes two."""

_PREFERRED = 0.5  # share of the largest prior; graphs below it count only if they fall apart
_NOTHING = 3.0  # ratio of links inside clusters to those between, below which there may be none;
# noise has up to 1.4
_LOOKED_AT = 500  # samples, enough to see whether a graph falls apart


@dataclass(frozen=True, eq=False)
class ClustersBefore:
    """The clusters of a fit, for one that goes on from there.

    Attributes
    ----------
    discovery : Discovery or None
        How they came about; None if that is not known.
    labels : ndarray of int, shape (n_samples,)
        The cluster of each sample, -1 where that is not known.
    n_named : int
        How many of them are labelled classes: the first ones.
    """

    discovery: Discovery | None
    labels: np.ndarray
    n_named: int

    @property
    def some_unnamed(self) -> bool:
        """Whether there are clusters without a name, which must not get lost."""
        return bool(self.labels.max(initial=-1) >= self.n_named)


@dataclass(frozen=True, eq=False)
class Discovery:
    """Clusters that no label has shaped, and which of them are classes without a label.

    Attributes
    ----------
    evidence : Evidence
        The graph in which they were found.
    communities : Communities
        All nested clusters of it.
    layers : tuple of Layer
        Some of them, from coarse to fine.
    used : int
        Which of these layers the clusters come from.
    labels : ndarray of int, shape (n_samples,)
        The cluster of each sample, -1 where it has none.
    unnamed : ndarray of int
        Those of them that stay beside the labelled classes.
    n_named : int
        The number of labelled classes.
    """

    evidence: Evidence
    communities: Communities
    layers: tuple[Layer, ...]
    used: int
    labels: np.ndarray
    unnamed: np.ndarray
    n_named: int

    @property
    def n_clusters(self) -> int:
        """The number of clusters, named or not."""
        return self.n_named + len(self.unnamed)

    def guessed(self, codes: np.ndarray) -> np.ndarray:
        """Return labels with guessed ones in clusters of one meaning, -1 elsewhere.

        A label that is not among `codes` has no part in it.
        """
        rng = np.random.RandomState(0)
        return guess_labels(self.evidence.graph.affinity, self._clusters(codes), codes, rng)

    def anchors(self, codes: np.ndarray) -> np.ndarray:
        """Return labels, and the clusters of all samples that lie deep inside of one."""
        return anchor_clusters(self.evidence.graph.affinity, self._clusters(codes), codes)

    def _clusters(self, codes: np.ndarray) -> np.ndarray:
        names = naming(self.evidence, self.labels, codes)
        return cluster_meanings(self.labels, self.unnamed, names, self.n_named, self.communities)


def discover(
    X: Any,
    codes: np.ndarray,
    settings: GraphSettings,
    affinity: Any,
    before: ClustersBefore | None,
    progress: FitProgress,
) -> Discovery:
    """Find the clusters of data, and say which of them no label names.

    Communities of a graph that no label has shaped are merged into nested layers. One of them is
    chosen, by how stable it is, how strongly its clusters are linked, and how well it agrees with
    the labels. The clusters of an earlier fit stay instead, as far as labels allow: those without a
    label are unnamed, and no others.

    Parameters
    ----------
    X : array of shape (n_samples, n_features)
        The data.
    codes : ndarray of int, shape (n_samples,)
        Given labels, -1 elsewhere.
    settings : GraphSettings
        How to find a graph.
    affinity : array, sparse matrix or None
        The graph that ``fit`` was given.
    before : ClustersBefore or None
        Clusters of an earlier fit of the same data with the same settings.
    progress : FitProgress
        Told of every candidate, and when clusters are found.
    """
    known = None if before is None else before.discovery
    if known is None:
        evidence, communities = _label_free(X, settings, affinity, progress)
    else:
        evidence, communities = known.evidence, known.communities
    # Where all were named, none must turn up again; of a result whose fit is gone nobody knows
    kept = before is not None and (known is not None or before.some_unnamed)
    if before is not None and kept:
        labels = before.labels
        unnamed = without_labels(labels, naming(evidence, labels, codes))
        unnamed = unnamed[
            unnamed >= before.n_named
        ]  # a class stays one, with labels at its rim too
        unnamed = np.union1d(unnamed, without_labels(labels, codes))
        count = communities.nearest(len(np.unique(labels[labels >= 0])))
    else:
        count = communities.choose(codes)
        labels = communities.hierarchy.labels(count)
        typical = communities.hierarchy.labels(communities.choose())
        unnamed = unnamed_clusters(labels, typical, codes)
    if known is not None:
        layers, used = known.layers, known.used  # a person may have chosen among them
    else:
        counts = communities.around(count)
        layers, used = tuple(communities.layer(k) for k in counts), counts.index(count)
    n_named = int(codes.max(initial=-1)) + 1
    return Discovery(evidence, communities, layers, used, labels, unnamed, n_named)


def naming(evidence: Evidence, labels: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Return the labels that may name clusters, -1 elsewhere: not those at the rim of one.

    What is at the rim may belong to another cluster, and one label must not rename all others.
    """
    return np.where(deep_inside(evidence.graph.affinity, labels), codes, -1)


def _label_free(
    X: Any, settings: GraphSettings, affinity: Any, progress: FitProgress
) -> tuple[Evidence, Communities]:
    """Return a graph that no label has shaped, and its communities.

    It is the graph preferred without evidence, unless that has no clusters and another one falls
    apart beyond doubt: pictures may differ in colour alone.
    """
    # A generator of its own: a fit in which no cluster stays unnamed is that of n_clusters=None
    rng = np.random.RandomState(0)
    nothing = np.full(X.shape[0], -1)

    def search(recipes: list[GraphRecipe] | None) -> Evidence:
        own = settings if recipes is None else replace(settings, candidates=recipes)
        return GraphSearch(X, nothing, 1, own, affinity, rng, progress).evidence()

    recipes: list[GraphRecipe] = []
    if settings.chosen:
        recipes = [recipe for recipe in settings.recipes(X) if not recipe.uses_labels]
    least = _PREFERRED * max((recipe.prior for recipe in recipes), default=0.0)
    preferred = [recipe for recipe in recipes if recipe.prior >= least]
    evidence = search(preferred or None)
    with progress.stage("clusters", "estimate", 1) as stage:
        communities = find_communities(evidence.graph.affinity)
        clearer = None
        if communities.apart()[0] < _NOTHING and len(preferred) < len(recipes):
            some = to_numpy(take(X, np.sort(rng.permutation(X.shape[0])[:_LOOKED_AT])))
            others = (recipe for recipe in recipes if recipe.prior < least)
            clearer = next((each for each in others if _apart_in(some, each, settings, rng)), None)
        stage()
    if clearer is not None:
        evidence = search([clearer])
        communities = find_communities(evidence.graph.affinity)
    return evidence, communities


def _apart_in(
    X: np.ndarray, recipe: GraphRecipe, settings: GraphSettings, rng: np.random.RandomState
) -> bool:
    """Return whether samples fall into clusters beyond doubt in the graph of a recipe."""
    nothing = np.full(len(X), -1)
    request = GraphRequest(X, nothing, n_clusters=1, edges=settings.edges, rng=rng)
    return find_communities(choose_graph(request, [recipe]).graph.affinity).falls_apart()
