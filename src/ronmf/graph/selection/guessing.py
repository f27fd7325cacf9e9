"""Tentative labels of all samples, from which discriminant axes are made."""

from typing import Any

import numpy as np
import scipy.sparse as sp

from ...labels.encoding import one_hot
from .._anchors import split_samples
from .._matrix import degrees

__all__ = ["guess_labels"]


def guess_labels(
    W: sp.csr_array,
    known: np.ndarray,
    n_clusters: int,
    propagate: Any,
    rng: np.random.RandomState,
) -> np.ndarray:
    """Return soft labels; those in doubt weigh little.

    Where every cluster has a label, labels are propagated and each sample weighs by how far its
    best class is ahead of the second. Else samples are split, and each weighs by how many of its
    edges stay in its cluster.

    Parameters
    ----------
    W : csr_array of shape (n, n)
        The graph.
    known : ndarray of int, shape (n,)
        Given labels, -1 elsewhere.
    n_clusters : int
        Number of clusters.
    propagate : callable
        ``(W, known) -> memberships`` whose rows sum to one.
    rng : RandomState
        Source of the starts of a split.
    """
    if n_clusters == known.max(initial=-1) + 1:
        A = propagate(W, known)
        labels = A.argmax(axis=1)
        second, best = np.sort(A, axis=1)[:, -2:].T
        weight = 1 - second / best
    else:
        labels = split_samples(W, known, n_clusters, rng)
        inside = sum(
            (labels == j) * (W @ (labels == j).astype(np.float64)) for j in range(n_clusters)
        )
        weight = (inside / np.maximum(degrees(W), 1e-300)) ** 2
    weight = np.where(known >= 0, 1.0, weight)
    return weight[:, None] * one_hot(np.where(known >= 0, known, labels), n_clusters, W.data)
