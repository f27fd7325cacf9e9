"""How many clusters: those of a graph that no label has shaped, and what labels say of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..graph import GraphRecipe, GraphRequest, choose_graph
from ..graph._anchors import anchor_clusters, guess_labels
from ..graph._layer_vote import unnamed_clusters
from ..graph._layers import Communities, Layer, find_communities
from ..labels.encoding import KnownLabels
from ..numerics.arrays import to_numpy
from ..storage._products import take
from .evidence import Evidence
from .graph_search import GraphSearch
from .progress import FitProgress
from .settings import GraphSettings

__all__ = ["STAGES", "ClustersBefore", "Discovery", "discover", "read_layer"]

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
        The cluster of each sample.
    names : list
        The names of those that are labelled classes: the first ones.
    """

    discovery: Discovery | None
    labels: np.ndarray
    names: list[Any]

    @classmethod
    def of(cls, discovery: Discovery, labels: np.ndarray, known: KnownLabels) -> ClustersBefore:
        """Keep the clusters of a fit."""
        return cls(discovery, labels, known.classes[: known.n_named].tolist())


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
    n_named, n_unnamed : int
        The numbers of labelled classes, and of clusters beside them.
    clusters : ndarray of int, shape (n_samples,)
        For each sample the labelled class, or the unnamed cluster (from `n_named` on), that its
        cluster stands for; -1 where labels contradict each other, or none counts.
    """

    evidence: Evidence
    communities: Communities
    layers: tuple[Layer, ...]
    used: int
    n_named: int
    n_unnamed: int
    clusters: np.ndarray

    @property
    def n_clusters(self) -> int:
        """The number of clusters, named or not."""
        return self.n_named + self.n_unnamed

    def guessed(self, codes: np.ndarray, rng: np.random.RandomState) -> np.ndarray:
        """Return labels with guessed ones in clusters of one meaning, -1 elsewhere."""
        return guess_labels(self.evidence.graph.affinity, self.clusters, codes, rng)

    def anchors(self, codes: np.ndarray) -> np.ndarray:
        """Return labels, and the clusters of all samples that lie deep inside of one."""
        return anchor_clusters(self.evidence.graph.affinity, self.clusters, codes)


def discover(
    X: Any,
    codes: np.ndarray,
    names: list[Any],
    settings: GraphSettings,
    affinity: Any,
    before: ClustersBefore | None,
    progress: FitProgress,
) -> Discovery:
    """Find the clusters of data, and say which of them no label names.

    Communities of a graph that no label has shaped are merged into nested layers. One of them is
    chosen, by how stable it is, how strongly its clusters are linked, and how well it agrees with
    the labels. After an earlier fit its clusters stay instead, as far as labels allow.

    Parameters
    ----------
    X : array of shape (n_samples, n_features)
        The data.
    codes : ndarray of int, shape (n_samples,)
        Given labels, -1 elsewhere.
    names : list
        The names of the labelled classes.
    settings : GraphSettings
        How to find a graph.
    affinity : array, sparse matrix or None
        The graph that ``fit`` was given.
    before : ClustersBefore or None
        Clusters of an earlier fit of the same data with the same settings.
    progress : FitProgress
        Told of every candidate, and when clusters are found.
    """
    if before is not None and before.discovery is not None:
        return _read(before.discovery, *_kept(before, codes, names), codes)
    evidence, communities = _label_free(X, settings, affinity, progress)
    if before is None:
        count = communities.choose(codes)
    else:
        count = communities.nearest(len(np.unique(before.labels)))
    counts = communities.around(count)
    layers = tuple(communities.layer(k) for k in counts)
    found = Discovery(evidence, communities, layers, counts.index(count), 0, 0, codes)
    if before is not None:
        return _read(found, *_kept(before, codes, names), codes)
    labels = layers[found.used].labels
    meaning = np.full(labels.max() + 1, -1)
    typical = communities.hierarchy.labels(communities.choose())
    free = unnamed_clusters(labels, typical, codes)
    meaning[free] = len(names) + np.arange(len(free))
    return _read(found, labels, meaning, codes)


def read_layer(labels: np.ndarray, codes: np.ndarray) -> tuple[np.ndarray, int]:
    """Return what each sample's cluster of a layer stands for, and how many have no label."""
    n_named = int(codes.max(initial=-1)) + 1
    free = np.setdiff1d(labels, labels[codes >= 0])
    meaning = np.full(labels.max() + 1, -1)
    meaning[free] = n_named + np.arange(len(free))
    return _meanings(None, labels, meaning, codes), len(free)


def _kept(
    before: ClustersBefore, codes: np.ndarray, names: list[Any]
) -> tuple[np.ndarray, np.ndarray]:
    """Return the clusters of an earlier fit, and what each one means under the labels of now."""
    labels = before.labels
    meaning = np.full(labels.max() + 1, -1)
    n_unnamed = 0
    for j in range(len(meaning)):
        if not (labels == j).any():
            continue
        if j < len(before.names) and before.names[j] in names:
            meaning[j] = names.index(before.names[j])
        elif not (codes[labels == j] >= 0).any():
            meaning[j] = len(names) + n_unnamed
            n_unnamed += 1
    return labels, meaning


def _read(
    found: Discovery, labels: np.ndarray, meaning: np.ndarray, codes: np.ndarray
) -> Discovery:
    """Return a discovery in which clusters stand for classes, or for themselves."""
    n_named = int(codes.max(initial=-1)) + 1
    n_unnamed = int((meaning >= n_named).sum())
    clusters = _meanings(found.communities, labels, meaning, codes)
    return replace(found, n_named=n_named, n_unnamed=n_unnamed, clusters=clusters)


def _meanings(
    communities: Communities | None, labels: np.ndarray, meaning: np.ndarray, codes: np.ndarray
) -> np.ndarray:
    """Return what the cluster of each sample stands for: its class where labels name only one.

    A cluster with labels of several classes is taken apart as far as these are; a part without any
    label says nothing.
    """
    clusters = meaning[labels]
    for j in np.unique(labels[codes >= 0]):
        members = np.flatnonzero(labels == j)
        given = np.unique(codes[members][codes[members] >= 0])
        own = np.union1d(given, meaning[j : j + 1][meaning[j : j + 1] >= 0])
        if len(own) == 1:
            clusters[members] = own[0]
        else:
            clusters[members] = _parts(communities, members, codes)
    return clusters


def _parts(communities: Communities | None, members: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Return the class of each part of a cluster, in the coarsest layer that parts its labels."""
    found = np.full(len(members), -1)
    if communities is None:
        return found
    known = codes[members]
    for count in communities.counts:
        parts = communities.hierarchy.labels(int(count))[members]
        found = np.full(len(members), -1)
        mixed = False
        for part in np.unique(parts[known >= 0]):
            classes = np.unique(known[(parts == part) & (known >= 0)])
            mixed |= len(classes) > 1
            if len(classes) == 1:
                found[parts == part] = classes[0]
        if not mixed:
            break
    return found


def _label_free(
    X: Any, settings: GraphSettings, affinity: Any, progress: FitProgress
) -> tuple[Evidence, Communities]:
    """Return a graph that no label has shaped, and its communities.

    It is the graph preferred without evidence, unless that has no clusters and another one falls
    apart beyond doubt: pictures may differ in colour alone.
    """
    # Numbers of its own: who labels all classes has the same fit as without this look
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
