"""Clusters that nobody labelled: a split of the samples, and anchors in its middle."""

from collections.abc import Iterator

import numpy as np
import scipy.sparse as sp
from sklearn.cluster import kmeans_plusplus

from ._matrix import degrees
from ._spectral import normalized_cut, spectral_embedding

__all__ = ["anchor_clusters", "deep_inside", "guess_labels", "seed_clusters", "split_samples"]

_SWEEPS = 100
_TYPICAL = 0.8  # share of a cluster, the part nearest to its middle, that is anchored
_GUESSED = 5  # labels of a cluster, given and guessed ones; with 20 accuracy is 0.003 lower


def split_samples(
    affinity: sp.csr_array,
    codes: np.ndarray,
    n_clusters: int,
    rng: np.random.RandomState,
    n_starts: int = 10,
) -> np.ndarray:
    """Split samples into labelled classes and clusters that no label names.

    Labelled samples of a class are joined to a node of its own, which weighs as much as all their
    other edges together. k-means in the spectral embedding of that graph starts at the middles of
    the labelled classes and at samples far from these; labelled samples never change sides [1]_. Of
    several starts the one of least normalised cut is kept: the graph term of the model, with
    clusters scaled to equal volume.

    Parameters
    ----------
    affinity : csr_array of shape (n, n)
        The neighbour graph.
    codes : ndarray of shape (n,)
        Known classes ``0 .. m-1``, -1 where unknown.
    n_clusters : int
        The number of clusters, ``>= m``.
    rng : RandomState
        Source of the starts.
    n_starts : int, default=10
        Their number.

    Returns
    -------
    ndarray of int, shape (n,)
        The cluster of each sample, equal to `codes` where that is known.

    References
    ----------
    .. [1] S. Basu, A. Banerjee and R. Mooney. Semi-supervised clustering by seeding. ICML 2002.
    """
    n, known = len(codes), int(codes.max(initial=-1)) + 1
    if (codes < 0).sum() < n_clusters - known:
        raise ValueError(
            f"n_clusters={n_clusters} asks for {n_clusters - known} clusters without a label, but"
            f" only {(codes < 0).sum()} samples are unlabelled; lower n_clusters or unlabel some."
        )
    joined = _join_classes(affinity, codes, known)
    embedding, _ = spectral_embedding(joined, min(n_clusters, n), rng)
    starts = [
        _in_order(_seeded_k_means(embedding[:n], codes, n_clusters, rng), known)
        for _ in range(n_starts)
    ]
    return min(starts, key=lambda labels: normalized_cut(affinity, labels, n_clusters))


def seed_clusters(
    affinity: sp.csr_array, codes: np.ndarray, n_clusters: int, rng: np.random.RandomState
) -> np.ndarray:
    """Anchor the clusters that no label names at their most typical samples.

    Without any anchor a cluster has no scale: shrinking its memberships and growing its amplitudes
    lowers the graph term at no cost, and the model has no minimiser. So the four fifths of
    each cluster of :func:`split_samples` whose neighbours, and theirs, stay inside most count as
    labelled.

    Parameters
    ----------
    affinity, codes, n_clusters, rng
        As there.

    Returns
    -------
    ndarray of shape (n,)
        `codes` with anchors ``m .. n_clusters-1`` filled in at unlabelled samples.
    """
    known = int(codes.max(initial=-1)) + 1
    if known == n_clusters:
        return codes
    labels = split_samples(affinity, codes, n_clusters, rng)
    return anchor_clusters(affinity, np.where(labels < known, -1, labels), codes)


def anchor_clusters(affinity: sp.csr_array, clusters: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Anchor clusters at the four fifths of each that lie deepest inside; labels stay.

    Parameters
    ----------
    affinity : csr_array of shape (n, n)
        The neighbour graph.
    clusters : ndarray of int, shape (n,)
        The cluster of each sample, -1 where there is none to anchor.
    codes : ndarray of int, shape (n,)
        Given labels, -1 elsewhere.

    Returns
    -------
    ndarray of int, shape (n,)
        `codes` with the clusters of the anchored samples.
    """
    anchors = codes.copy()
    for j, members in _deepest(affinity, clusters):
        anchors[members[codes[members] < 0]] = j
    return anchors


def guess_labels(
    affinity: sp.csr_array, clusters: np.ndarray, codes: np.ndarray, rng: np.random.RandomState
) -> np.ndarray:
    """Return labels with some guessed ones: as many of every cluster as classes have, or five.

    Guesses are drawn from the four fifths of a cluster that lie deepest inside, so that all that is
    decided by labels treats a cluster that nobody has named as a class.

    Parameters
    ----------
    affinity, clusters, codes
        As in :func:`anchor_clusters`.
    rng : RandomState
        Source of the draws.
    """
    guessed = codes.copy()
    counts = np.bincount(codes[codes >= 0])
    wanted = max(_GUESSED, round(counts[counts > 0].mean()) if len(counts) else 0)
    for j, members in _deepest(affinity, clusters):
        free = rng.permutation(members[codes[members] < 0])
        guessed[free[: max(0, wanted - int((codes == j).sum()))]] = j
    return guessed


def deep_inside(affinity: sp.csr_array, clusters: np.ndarray) -> np.ndarray:
    """Return which samples are among the four fifths of their cluster that lie deepest inside."""
    found = np.zeros(len(clusters), dtype=bool)
    for _, members in _deepest(affinity, clusters):
        found[members] = True
    return found


def _deepest(affinity: sp.csr_array, clusters: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
    """Yield each cluster with the samples whose neighbours, and theirs, stay inside most."""
    degree = np.maximum(degrees(affinity), 1e-300)
    for j in np.unique(clusters[clusters >= 0]):
        own = (clusters == j).astype(np.float64)
        depth = (affinity @ (own * (affinity @ own) / degree)) / degree
        members = np.flatnonzero(clusters == j)
        deepest = members[np.argsort(-depth[members], kind="stable")]
        yield int(j), deepest[: max(1, round(_TYPICAL * len(members)))]


def _join_classes(affinity: sp.csr_array, codes: np.ndarray, known: int) -> sp.csr_array:
    """Return the graph with one node more for every labelled class."""
    if known == 0:
        return affinity
    given = np.flatnonzero(codes >= 0)
    weights = degrees(affinity)[given]
    hubs = sp.csr_array((weights, (given, codes[given])), shape=(len(codes), known))
    return sp.csr_array(sp.block_array([[affinity, hubs], [hubs.T, None]]))


def _seeded_k_means(
    Z: np.ndarray, codes: np.ndarray, n_clusters: int, rng: np.random.RandomState
) -> np.ndarray:
    """Return the clusters of k-means in which labelled samples keep their class."""
    known = int(codes.max(initial=-1)) + 1
    free = np.flatnonzero(codes < 0)
    labels = codes.copy()
    if known == 0:
        centres = kmeans_plusplus(Z, n_clusters, random_state=rng)[0]
    else:
        centres = np.array([Z[codes == j].mean(axis=0) for j in range(known)])
        for _ in range(n_clusters - known):  # far from all that is there, as k-means++ draws
            distance = _squares(Z[free], centres).min(axis=1)
            total = distance.sum()
            chances = distance / total if total > 0 else None
            centres = np.vstack([centres, Z[rng.choice(free, p=chances)]])
    for _ in range(_SWEEPS):
        distance = _squares(Z[free], centres)
        nearest, own = distance.argmin(axis=1), distance.min(axis=1)
        # A cluster that lost all its samples takes the one that is worst placed.
        for j in np.setdiff1d(np.arange(known, n_clusters), nearest):
            spare = (nearest < known) | (np.bincount(nearest, minlength=n_clusters)[nearest] > 1)
            worst = np.where(spare, own, -1.0).argmax()
            nearest[worst], own[worst] = j, -1.0
        if (labels[free] == nearest).all():
            break
        labels[free] = nearest
        centres = np.array([Z[labels == j].mean(axis=0) for j in range(n_clusters)])
    return labels


def _in_order(labels: np.ndarray, known: int) -> np.ndarray:
    """Return labels with clusters that no label names numbered by their first samples.

    Several starts end in the same clusters, and rounding decides which of them has the least cut.
    """
    numbers, first = np.unique(labels, return_index=True)
    free = numbers >= known
    new = np.arange(labels.max(initial=-1) + 1)
    new[numbers[free][np.argsort(first[free])]] = numbers[free]
    return new[labels]


def _squares(Z: np.ndarray, centres: np.ndarray) -> np.ndarray:
    """Return squared distances, up to rounding."""
    cross = Z @ centres.T
    squares = (Z * Z).sum(axis=1)[:, None] + (centres * centres).sum(axis=1) - 2 * cross
    return np.maximum(squares, 0.0)
