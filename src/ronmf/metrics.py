"""How well clusters agree with the truth.

All functions take the true classes and the found clusters of the same samples, integers of any
numbering. The documentation says where the formulas printed in the RONMF paper are wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import linear_sum_assignment
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score
from sklearn.metrics.cluster import contingency_matrix, pair_confusion_matrix

__all__ = [
    "METRICS",
    "SCOPES",
    "clustering_accuracy",
    "f_measure",
    "nmi",
    "pairwise_f",
    "purity",
    "score",
]

SCOPES = ("unlabelled", "all")
"""Samples that are scored: those without a given label, or all, given labels counting as found."""


def best_match(truth: ArrayLike, found: ArrayLike, prefer: ArrayLike | None = None) -> np.ndarray:
    """Rename clusters to classes, one to one, so that most samples are right; -1 if left over.

    Of equally good maps, that with most of the samples in the mask `prefer` right is taken, so that
    their share does not depend on how clusters are numbered.

    Examples
    --------
    >>> best_match([5, 5, 7, 7], [1, 1, 0, 2]).tolist()
    [5, 5, 7, -1]
    """
    classes, index = np.unique(truth), _match(truth, found, prefer)
    return np.where(index >= 0, classes[index], -1)


def _match(truth: ArrayLike, found: ArrayLike, prefer: ArrayLike | None = None) -> np.ndarray:
    """Return for each sample the index of its cluster's class in the sorted classes, or -1."""
    classes, clusters = np.unique(truth), np.unique(found)
    counts = _counts(truth, found)
    if prefer is not None:
        chosen = np.zeros_like(counts)
        at = np.searchsorted(classes, truth), np.searchsorted(clusters, found)
        np.add.at(chosen, at, np.asarray(prefer, dtype=counts.dtype))
        counts = counts * (len(np.asarray(truth)) + 1) + chosen
    rows, columns = linear_sum_assignment(counts, maximize=True)
    place = np.full(len(clusters), -1)
    place[columns] = rows
    return place[np.searchsorted(clusters, found)]


def clustering_accuracy(
    truth: ArrayLike, found: ArrayLike, scored: ArrayLike | None = None
) -> float:
    """Return the share of right samples under the best one-to-one map of clusters to classes (ACC).

    The map is chosen over all samples; with a mask `scored` only those count.

    Examples
    --------
    >>> clustering_accuracy([0, 0, 1, 1], [1, 1, 0, 1])
    0.75
    """
    right = _match(truth, found, scored) == np.searchsorted(np.unique(truth), truth)
    return float(right.mean() if scored is None else right[scored].mean())


def f_measure(truth: ArrayLike, found: ArrayLike) -> float:
    """Return the best F of any cluster for each class, weighted by the size of the class (F1).

    Examples
    --------
    >>> round(f_measure([0, 0, 1, 1], [0, 0, 0, 1]), 4)
    0.7333
    """
    counts = _counts(truth, found)
    sizes, clusters = counts.sum(axis=1), counts.sum(axis=0)
    best = (2 * counts / (sizes[:, None] + clusters[None, :])).max(axis=1)
    return float(best @ sizes / sizes.sum())


def pairwise_f(truth: ArrayLike, found: ArrayLike) -> float:
    """Return the F of pairs: together in one cluster as a prediction of together in one class.

    Examples
    --------
    >>> pairwise_f([0, 0, 1, 1], [0, 0, 0, 1])
    0.4
    """
    (_, wrong), (missed, right) = pair_confusion_matrix(truth, found)
    return float(2 * right / (2 * right + wrong + missed)) if right else 0.0


def nmi(truth: ArrayLike, found: ArrayLike, average: str = "max") -> float:
    """Return the mutual information over the larger entropy, as printed; other averages by name.

    Parameters
    ----------
    truth, found : array-like of int
        Classes and clusters.
    average : {"max", "arithmetic", "geometric", "min"}, default="max"
        What it is divided by. scikit-learn's own default is "arithmetic", which is larger.
    """
    return float(normalized_mutual_info_score(truth, found, average_method=average))


def purity(truth: ArrayLike, found: ArrayLike) -> float:
    """Return the share of samples that belong to the largest class of their cluster (PUR).

    Examples
    --------
    >>> purity([0, 0, 1, 1], [0, 1, 2, 2])
    1.0
    """
    counts = _counts(truth, found)
    return float(counts.max(axis=0).sum() / counts.sum())


def score(truth: ArrayLike, found: ArrayLike, unlabelled: ArrayLike) -> dict[str, float]:
    """Return every metric over the unlabelled samples (``acc_unlabelled`` ...) and over all.

    Examples
    --------
    >>> result = score([0, 0, 1, 1], [1, 1, 0, 0], [False, True, True, True])
    >>> result["acc_unlabelled"], result["nmi_all"]
    (1.0, 1.0)
    """
    truth, found = np.asarray(truth), np.asarray(found)
    hidden = np.asarray(unlabelled, dtype=bool)
    result: dict[str, float] = {}
    for name, metric in METRICS.items():
        if not hidden.any():
            part = np.nan
        elif metric.function is clustering_accuracy:  # the map is chosen over all samples
            part = clustering_accuracy(truth, found, hidden)
        else:
            part = metric.function(truth[hidden], found[hidden])
        result |= {f"{name}_unlabelled": part, f"{name}_all": metric.function(truth, found)}
    return result


def _counts(truth: ArrayLike, found: ArrayLike) -> np.ndarray:
    """Return the number of samples of each class (rows) in each cluster (columns)."""
    truth, found = np.asarray(truth), np.asarray(found)
    if truth.shape != found.shape or truth.ndim != 1 or not len(truth):
        raise ValueError(
            f"truth has shape {truth.shape} and found {found.shape}; give one class and one cluster"
            " for each of at least one sample."
        )
    return contingency_matrix(truth, found)


def _ari(truth: np.ndarray, found: np.ndarray) -> float:
    return float(adjusted_rand_score(truth, found))


@dataclass(frozen=True)
class Metric:
    """How a metric is called, and computed.

    Attributes
    ----------
    short : str
        Its name in tables, as in the paper's.
    words : str
        Its name along the axis of a figure.
    function : callable
        ``function(truth, found)`` returns it.
    """

    short: str
    words: str
    function: Callable[..., float]


METRICS: dict[str, Metric] = {
    "acc": Metric("ACC", "accuracy", clustering_accuracy),
    "f1": Metric("F1", "F1", f_measure),
    "nmi": Metric("NMI", "NMI", nmi),
    "purity": Metric("PUR", "purity", purity),
    "ari": Metric("ARI", "ARI", _ari),
}
"""Every metric by its name in rows and commands, in reading order."""

SCORE_COLUMNS = tuple(f"{metric}_{scope}" for metric in METRICS for scope in SCOPES)
"""What :func:`score` returns: columns of the rows of an experiment."""
