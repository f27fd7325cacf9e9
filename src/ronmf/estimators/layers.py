"""A fit read at another of its nested layers: fewer clusters, or more."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, replace
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np

from ..graph import Propagation
from ..graph._anchors import anchor_clusters
from ..graph._layers import Layer
from ..labels.class_prior import normalize_rows
from ..labels.encoding import KnownLabels, one_hot, with_discovered
from ..numerics.arrays import to_numpy
from ..storage._products import template, transposed_times
from .cluster_meanings import cluster_meanings, without_labels
from .discovery import ClustersBefore, Discovery
from .evidence import predictor, unit_operator

if TYPE_CHECKING:
    from .ronmf import RONMF

__all__ = ["ClusterMeans", "at_layer", "go_on_from"]

_HELD = 16  # clusters whose samples are summed at a time


@dataclass(frozen=True, eq=False)
class ClusterMeans:
    """The mean samples of the finest layer: those of all clusters of coarser ones follow.

    Attributes
    ----------
    labels : ndarray of int, shape (n_samples,)
        The finest clusters.
    means : ndarray of shape (n_finest, n_columns)
        Their means.
    """

    labels: np.ndarray
    means: np.ndarray

    @classmethod
    def of(cls, X: Any, discovery: Discovery) -> ClusterMeans:
        """Take the means of the data of a fit."""
        finest, like = discovery.layers[-1], template(X)
        sizes, sums = np.bincount(finest.labels), []
        for first in range(0, len(sizes), _HELD):
            members = one_hot(finest.labels - first, min(_HELD, len(sizes) - first), like)
            sums.append(to_numpy(transposed_times(X, members)))
        return cls(finest.labels, np.concatenate(sums, axis=1).T / sizes[:, None])

    def of_clusters(self, labels: np.ndarray, n_clusters: int) -> np.ndarray:
        """Return the means of clusters whose samples are distributed over the finest ones."""
        shared = np.zeros((n_clusters, len(self.means)))
        np.add.at(shared, (labels, self.labels), 1.0)
        return normalize_rows(shared) @ self.means


def at_layer(model: RONMF, layer: int) -> RONMF:
    """Return a copy of the model with the clusters of another layer, without a new graph.

    Clusters with labels become their classes, and all others stay beside them without a name, small
    ones too. The memberships are propagated over the graph from the samples deep inside of each
    cluster; a linear view has no part in them, and they are read by the largest one. There are no
    new parts: prototypes are cluster means as far as the parts of the fit can make them. What is
    known of single samples stays: novelty, outlier score, and doubts about labels. At the layer in
    use the model itself is returned; from a copy that is a reading of that layer like any other.

    Parameters
    ----------
    layer : int
        Index into ``layers_``, from coarse to fine; -1 is the finest.

    Returns
    -------
    RONMF
        A fitted model; a later fit with ``warm_start=True`` goes on from its clusters.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from ronmf import RONMF
    >>> model = RONMF(n_clusters="auto", random_state=0).fit(load_digits().images[:300])
    >>> finer = model.at_layer(model.layer_ + 1)
    >>> len(finer.classes_) > len(model.classes_)
    True
    """
    layers: list[Layer] | None = getattr(model, "layers_", None)
    if layers is None or model._cluster_means is None:
        raise ValueError("at_layer needs the layers of a fit; set n_clusters='auto' and fit again.")
    if not isinstance(layer, Integral) or not -len(layers) <= layer < len(layers):
        raise ValueError(f"layer={layer!r} is none of the {len(layers)} in layers_, from 0 on.")
    again, layer = copy(model), layer % len(layers)
    if layer == model.layer_:
        return again
    found, known = layers[layer], model._known
    n_named = known.n_named
    unnamed = without_labels(found.labels, known.codes)
    clusters = cluster_meanings(found.labels, unnamed, known.codes, n_named, None)
    classes = with_discovered(model.classes_[:n_named], n_named + len(unnamed))
    known = KnownLabels(known.codes, classes, known.given)
    anchors = anchor_clusters(model.graph_.affinity, clusters, known.codes)
    operator = unit_operator(model.graph_, np.empty((0, 0)))
    A = predictor(operator, len(classes), Propagation(model.label_weight, None))(anchors)
    labels = A.argmax(axis=1)
    means = model._cluster_means.of_clusters(labels, len(classes))
    again._read_at(known, A, means)
    again.layer_, again.linear_weight_ = layer, 0.0
    if model.stability_ is None:
        again.label_distributions_ = model._calibration.probabilities(A)
    else:
        again.stability_ = found.stability
        again.label_distributions_ = _believed(A, found.stability)
    again.graph_summary_ = model.graph_.summary(known.codes)
    previous = getattr(model, "_previous", None)  # none in a model from a file
    if previous is not None and previous.clusters is not None and previous.clusters.discovery:
        discovery = replace(previous.clusters.discovery, used=layer)
        before = ClustersBefore(discovery, labels, n_named)
        again._previous = replace(previous, clusters=before)
    return again


def go_on_from(model: RONMF, labels: np.ndarray, n_named: int = 0) -> RONMF:
    """Let the first fit with ``n_clusters="auto"`` go on from clusters that are known already.

    Those of an earlier result, say, whose model is gone. As after a fit with ``warm_start=True``,
    clusters without a name stay, unless labels name them or contradict them.

    Parameters
    ----------
    labels : array of int, shape (n_samples,)
        The cluster of each sample, -1 where it is not known.
    n_named : int, default=0
        How many of them are labelled classes: the first ones.

    Returns
    -------
    RONMF
        The estimator itself.
    """
    model._clusters_before = ClustersBefore(None, np.asarray(labels), n_named)
    return model


def _believed(A: np.ndarray, stability: float) -> np.ndarray:
    """Return memberships drawn to equal numbers as far as clusters are not found again."""
    share = float(np.clip(stability, 0.0, 1.0))
    return share * A + (1 - share) / A.shape[1]
