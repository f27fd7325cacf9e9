"""Signs that the named classes are not the clusters of a graph."""

import numpy as np
import scipy.sparse as sp

from ._anchors import split_samples
from ._matrix import degrees
from ._spectral import normalized_cut

__all__ = ["split_classes", "unnamed_cluster"]

_FEWEST = 8  # samples of a class that is looked into
_PART = 0.2  # of a class, at least, in each of its halves
_ROUNDING = 1e-9
_CHANCE = 0.01  # of a cluster of that size without any label


def split_classes(
    affinity: sp.csr_array, labels: np.ndarray, codes: np.ndarray, rng: np.random.RandomState
) -> list[tuple[int, np.ndarray]]:
    """Return classes that look like two clusters, each with the samples of its smaller half.

    A class does if its two halves (of least normalised cut) are parted from each other more clearly
    than the class is from all others, if neither is small, and if both have a label.

    Parameters
    ----------
    affinity : csr_array of shape (n, n)
        The neighbour graph.
    labels : ndarray of int, shape (n,)
        The cluster of each sample.
    codes : ndarray of int, shape (n,)
        Given labels, -1 elsewhere.
    rng : RandomState
        Source of the starts of the splits.
    """
    degree, found = degrees(affinity), []
    for j in np.unique(codes[codes >= 0]):
        members = np.flatnonzero(labels == j)
        if len(members) < _FEWEST:
            continue
        inner = sp.csr_array(affinity[members][:, members])
        outside = 1 - inner.sum() / max(degree[members].sum(), 1e-300)
        halves = split_samples(inner, np.full(len(members), -1), 2, rng)
        sizes = np.bincount(halves, minlength=2)
        both = all((codes[members[halves == h]] >= 0).any() for h in (0, 1))
        large = sizes.min() >= _PART * len(members)
        if both and large and normalized_cut(inner, halves, 2) <= outside + _ROUNDING:
            found.append((int(j), members[halves == sizes.argmin()]))
    return found


def unnamed_cluster(
    affinity: sp.csr_array, labels: np.ndarray, codes: np.ndarray, rng: np.random.RandomState
) -> np.ndarray:
    """Return unlabelled samples that look like a class nobody named; empty if none do.

    Split into one cluster more than there are, the new one has no label, is so large that labels
    drawn at random would hardly all have missed it, and is parted from the rest at least as clearly
    as half of the others are.

    Parameters
    ----------
    affinity, labels, codes, rng
        As in :func:`split_classes`.
    """
    nothing = np.zeros(0, dtype=int)
    n_clusters = int(max(labels.max(), codes.max())) + 1  # some of them may be empty
    rate = float((codes >= 0).mean())
    if rate in (0.0, 1.0) or codes.max() + 1 < n_clusters:
        return nothing
    finer = split_samples(affinity, codes, n_clusters + 1, rng)
    members = np.flatnonzero(finer == n_clusters)
    if len(members) * np.log(1 - rate) > np.log(_CHANCE):
        return nothing
    leaving = [_share_leaving(affinity, finer == j) for j in range(n_clusters + 1)]
    return members if leaving[-1] <= np.median(leaving[:-1]) + _ROUNDING else nothing


def _share_leaving(affinity: sp.csr_array, members: np.ndarray) -> float:
    """Return the share of a cluster's edges that leave it."""
    own = members.astype(np.float64)
    return float(1 - own @ (affinity @ own) / max(own @ degrees(affinity), 1e-300))
