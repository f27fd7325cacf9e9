"""What clusters that no label has shaped stand for: labelled classes, or themselves."""

import numpy as np

from ..graph._layers import Communities

__all__ = ["cluster_meanings", "without_labels"]


def without_labels(labels: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Return the clusters in which no sample has a label.

    Parameters
    ----------
    labels : ndarray of int, shape (n_samples,)
        The cluster of each sample, -1 where it has none.
    codes : ndarray of int, shape (n_samples,)
        Given labels, -1 elsewhere.
    """
    return np.setdiff1d(labels[labels >= 0], labels[codes >= 0])


def cluster_meanings(
    labels: np.ndarray,
    unnamed: np.ndarray,
    codes: np.ndarray,
    n_named: int,
    communities: Communities | None,
) -> np.ndarray:
    """Return for each sample the class, or the unnamed cluster, that its cluster stands for.

    A cluster with labels of one class stands for that. One with labels of several classes is taken
    apart as far as these are; a part without any label says nothing.

    Parameters
    ----------
    labels : ndarray of int, shape (n_samples,)
        The cluster of each sample, -1 where it has none.
    unnamed : ndarray of int
        The clusters that stand for themselves unless they have a label: numbers from `n_named` on.
    codes : ndarray of int, shape (n_samples,)
        Labels, -1 elsewhere.
    n_named : int
        The number of classes, all of which need not be among these labels.
    communities : Communities or None
        Nested clusters, which take others apart; without them such a cluster says nothing.

    Returns
    -------
    ndarray of int, shape (n_samples,)
        -1 where nothing is said.

    Examples
    --------
    >>> clusters, codes = np.array([0, 0, 1, 1, 2, 2]), np.array([-1, 1, -1, -1, 0, 1])
    >>> cluster_meanings(clusters, np.array([1]), codes, 2, None).tolist()
    [1, 1, 2, 2, -1, -1]
    """
    meaning = np.full(labels.max() + 1, -1)
    meaning[unnamed] = n_named + np.arange(len(unnamed))
    clusters = np.where(labels >= 0, meaning[labels], -1)
    for j in np.unique(labels[(codes >= 0) & (labels >= 0)]):
        members = np.flatnonzero(labels == j)
        known = codes[members]
        classes = np.unique(known[known >= 0])
        if len(classes) == 1:
            clusters[members] = classes[0]
        else:
            clusters[members] = -1 if communities is None else _parts(communities, members, known)
    return clusters


def _parts(communities: Communities, members: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Return the class of each part of a cluster, in the coarsest layer that parts its labels."""
    found = np.full(len(members), -1)
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
