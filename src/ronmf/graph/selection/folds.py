"""Which samples candidates are compared on, and which labels are hidden meanwhile."""

from typing import NamedTuple

import numpy as np

from ...labels.hidden_labels import hidden_label_splits
from . import tuning

__all__ = ["Fold", "compared_count", "compared_rows", "few_labels", "make_folds"]
__all__ += ["most_parts", "one_label_each", "stratified"]


_MUCH = 2**24  # entries of compared samples; those of one kind of features may be ten times more


class Fold(NamedTuple):
    """The labels that are kept, -1 elsewhere, and the samples whose labels are hidden."""

    kept: np.ndarray
    hidden: np.ndarray


def make_folds(codes: np.ndarray, rows: np.ndarray, rng: np.random.RandomState) -> list[Fold]:
    """Return fold 0, which hides nothing, and those that hide a third of the labels each.

    Parameters
    ----------
    codes : ndarray of int, shape (n_samples,)
        Known classes, -1 where unlabelled. Labels of a single class are not hidden.
    rows : ndarray of int
        The compared samples: every class has some of them in different folds.
    rng : RandomState
        Source of the splits.
    """
    splits = hidden_label_splits(codes, rng, rows) if codes.max(initial=-1) > 0 else []
    return [Fold(codes, np.zeros(0, dtype=int)), *(Fold(*split) for split in splits)]


def few_labels(codes: np.ndarray, n_clusters: int) -> bool:
    """Return whether so little is known of the clusters that tentative labels know more.

    That is so where none can be hidden, where a cluster has none, and where they are sparse.
    """
    counts = np.bincount(codes[codes >= 0], minlength=n_clusters)
    share, per_class = tuning.FEW
    sparse = counts.sum() < share * len(codes) and counts.sum() < per_class * n_clusters
    return bool(sparse or not counts.all() or n_clusters < 2 or counts.max() < 2)


def one_label_each(codes: np.ndarray, n_clusters: int) -> bool:
    """Return whether each of several clusters has one label and no more.

    Examples
    --------
    >>> one_label_each(np.array([0, -1, 1, -1]), 2), one_label_each(np.array([0, -1, 1, 1]), 2)
    (True, False)
    """
    counts = np.bincount(codes[codes >= 0], minlength=n_clusters)
    return n_clusters > 1 and bool((counts == 1).all())


def most_parts(codes: np.ndarray, n_clusters: int) -> int:
    """Return how many graphs a blend has at most: with axes of tentative labels, more."""
    tentative = tuning.KINDS * len(tuning.SHRINKAGES)
    return tuning.BLENDED + few_labels(codes, n_clusters) * tentative


def compared_count(n_clusters: int, one_each: bool = False, n_features: int = 1) -> int:
    """Return on how many samples candidates are compared, at most.

    More where every class has one label: there is but one fold, and which samples are drawn is
    nearly all of the luck. Not of large pictures, whose features would fill the memory.

    Parameters
    ----------
    n_clusters : int
        The number of clusters.
    one_each : bool, default=False
        Whether every class has one label.
    n_features : int, default=1
        Columns of the data.
    """
    least = tuning.COMPARED
    if one_each:
        least = max(least, min(tuning.COMPARED_UNTESTED, _MUCH // n_features))
    return max(least, tuning.PER_CLUSTER * n_clusters)


def compared_rows(codes: np.ndarray, count: int, rng: np.random.RandomState) -> np.ndarray:
    """Return `count` samples to compare candidates on, or all if there are no more.

    Up to half are labelled ones, so that hidden labels are not too few to judge by; every class
    gives the same share of its labels, and two wherever it has them.
    """
    n = len(codes)
    if n <= count:
        return np.arange(n)
    labelled = stratified(codes, min(1.0, count / 2 / max(1, (codes >= 0).sum())), 2, rng)
    others = rng.permutation(np.setdiff1d(np.arange(n), labelled))
    others = others[np.argsort(codes[others] >= 0, kind="stable")]  # unlabelled ones first
    return np.sort(np.concatenate([labelled, others[: max(0, count - len(labelled))]]))


def stratified(
    codes: np.ndarray, share: float, least: int, rng: np.random.RandomState
) -> np.ndarray:
    """Draw a share of the labelled samples of each class, at least so many where there are."""
    drawn = [np.zeros(0, dtype=int)]
    for j in np.unique(codes[codes >= 0]):
        members = rng.permutation(np.flatnonzero(codes == j))
        drawn.append(members[: max(least, round(share * len(members)))])
    return np.concatenate(drawn)
