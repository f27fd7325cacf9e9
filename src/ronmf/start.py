"""Where the iteration starts: anchors for clusters nobody labelled, memberships and parts."""

from typing import Any

import numpy as np
import scipy.sparse as sp
from array_api_compat import array_namespace
from scipy.sparse.linalg import eigsh
from sklearn.cluster import KMeans

from .arrays import from_numpy, to_numpy
from .orthogonal import maximise_partition

__all__ = ["seed_clusters", "spectral_embedding", "start_parts"]


def spectral_embedding(
    affinity: sp.csr_array, n_components: int, rng: np.random.RandomState
) -> np.ndarray:
    """Return the leading eigenvectors of ``D^-1/2 W D^-1/2``, rows scaled to unit length.

    Connected components are separated exactly: their indicators are leading eigenvectors.
    """
    n = affinity.shape[0]
    degree = np.asarray(affinity.sum(axis=1), dtype=float).ravel()
    inverse_root = sp.diags_array(1 / np.sqrt(np.where(degree > 0, degree, 1.0)))
    normalised = inverse_root @ affinity.astype(float) @ inverse_root
    if n_components < n - 1 and n > 50:
        # Shifted to be positive, so that the wanted end of the spectrum is also the largest in size.
        _, vectors = eigsh(
            normalised + sp.eye_array(n), k=n_components, which="LM", v0=rng.uniform(size=n)
        )
    else:
        vectors = np.linalg.eigh(normalised.toarray())[1][:, -n_components:]
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / np.where(length > 0, length, 1.0)


def seed_clusters(
    affinity: sp.csr_array, codes: np.ndarray, n_clusters: int, rng: np.random.RandomState
) -> np.ndarray:
    """Anchor the clusters that no label names at their most typical samples.

    Without any anchor a cluster has no scale: shrinking its memberships and growing its amplitudes
    lowers the graph term at no cost, and the model has no minimiser. k-means in the spectral
    embedding, started from the labelled classes, finds the other clusters; the tenth of each that
    lies nearest to its centre is treated as if it were labelled.

    Parameters
    ----------
    affinity : csr_array of shape (n, n)
        The neighbour graph.
    codes : ndarray of shape (n,)
        Known classes ``0 .. m-1``, -1 where unknown.
    n_clusters : int
        The number of clusters, ``>= m``.
    rng : RandomState
        Source of the k-means++ draws.

    Returns
    -------
    ndarray of shape (n,)
        `codes` with anchors ``m .. n_clusters-1`` filled in at unlabelled samples.
    """
    known = codes.max(initial=-1) + 1
    if known == n_clusters:
        return codes
    embedding = spectral_embedding(affinity, min(n_clusters, len(codes)), rng)
    means = [embedding[codes == j].mean(axis=0) for j in range(known)]
    centres = np.array(means + _spread_out(embedding, means, n_clusters - known, rng))
    model = KMeans(n_clusters, init=centres, n_init=1).fit(embedding)
    distance = model.transform(embedding)
    anchors = codes.copy()
    for j in range(known, n_clusters):
        members = np.flatnonzero((model.labels_ == j) & (anchors < 0))
        if not len(members):  # k-means left it empty, or labels fill it: the nearest free sample
            members = np.flatnonzero(anchors < 0)
            if not len(members):
                break
            members = members[[distance[members, j].argmin()]]
        order = members[np.argsort(distance[members, j], kind="stable")]
        anchors[order[: max(1, len(order) // 10)]] = j
    return anchors


def _spread_out(
    points: np.ndarray, means: list[np.ndarray], count: int, rng: np.random.RandomState
) -> list[np.ndarray]:
    """Draw `count` further centres by k-means++: far from the ones there are."""
    centres = list(means)
    for _ in range(count):
        if centres:
            square = np.min([((points - m) ** 2).sum(axis=1) for m in centres], axis=0)
        else:
            square = np.ones(len(points))
        total = square.sum()
        weights = square / total if total > 0 else None
        centres.append(points[rng.choice(len(points), p=weights)])
    return centres[len(means) :]


def start_parts(X: Any, A: Any, n_components: int, rng: np.random.RandomState) -> Any:
    """Group the features by how the clusters use them and return one part a group.

    A feature's profile is its mean in each cluster. Features with profiles of the same direction
    differ by a factor only, which a part can express, so spherical k-means on the profiles gives
    parts of small error.
    """
    xp = array_namespace(X)
    mass = xp.sum(A, axis=0)
    means = (A.T @ X) / xp.where(mass > 0, mass, 1.0)[:, None]
    profiles = to_numpy(means).T.astype(float)  # n_features x n_clusters
    length = np.linalg.norm(profiles, axis=1)
    used = np.flatnonzero(length > 0)
    n_groups = min(n_components, len(np.unique(profiles[used].round(12), axis=0)))
    C = np.zeros((len(profiles), n_components))
    if n_groups:
        directions = profiles[used] / length[used, None]
        model = KMeans(n_groups, n_init=1, random_state=rng, max_iter=50)
        group = model.fit_predict(directions, sample_weight=length[used] ** 2)
        C[used, group] = length[used]
    return maximise_partition(from_numpy(C, X))
