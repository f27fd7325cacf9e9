"""Anchors for clusters that nobody labelled."""

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import eigsh
from sklearn.cluster import KMeans

from ..numerics.conjugate_gradients import conjugate_gradients
from ._matrix import degrees

__all__ = ["seed_clusters", "spectral_embedding"]


def spectral_embedding(
    affinity: sp.csr_array, n_components: int, rng: np.random.RandomState
) -> np.ndarray:
    """Return the leading eigenvectors of ``D^-1/2 W D^-1/2``, rows scaled to unit length.

    As many connected components as there are columns are separated exactly, isolated samples
    excepted: their indicators are leading eigenvectors.
    """
    n = affinity.shape[0]
    degree = degrees(affinity)
    inverse_root = sp.diags_array(1 / np.sqrt(np.where(degree > 0, degree, 1.0)))
    normalised = inverse_root @ affinity.astype(float) @ inverse_root
    if n_components < n - 1 and n > 50:
        # Shifted to be positive: the wanted end of the spectrum is then the largest in size.
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
    lowers the graph term at no cost, and the model has no minimiser. So k-means in the spectral
    embedding splits the samples that the labels reach least, as many as the missing clusters would
    have on average, and the tenth of each part that is nearest to its centre counts as labelled.

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
    wanted = n_clusters - known
    embedding = spectral_embedding(affinity, min(n_clusters, len(codes)), rng)
    free = np.flatnonzero(codes < 0)
    order = np.argsort(_label_reach(affinity, codes >= 0)[free], kind="stable")
    far = free[order[: max(wanted, len(codes) * wanted // n_clusters)]]
    if len(far) < wanted:
        raise ValueError(
            f"n_clusters={n_clusters} asks for {wanted} clusters without a label, but only"
            f" {len(far)} samples are unlabelled; lower n_clusters or unlabel some."
        )
    model = KMeans(wanted, n_init=10, random_state=rng).fit(embedding[far])
    distance = model.transform(embedding[far])
    anchors = codes.copy()
    for j in range(wanted):
        members = np.flatnonzero(model.labels_ == j)
        typical = members[np.argsort(distance[members, j], kind="stable")]
        anchors[far[typical[: max(1, len(members) // 10)]]] = known + j
    return anchors


def _label_reach(affinity: sp.csr_array, labelled: np.ndarray) -> np.ndarray:
    """Return how strongly labels are felt at each sample: a walk that may end at every step.

    It solves ``(L + S + 0.1 D) m = S 1``; the numbers m fade within a few edges from a label.
    """
    degree = degrees(affinity)
    degree = np.where(degree > 0, degree, 1.0)
    grip = degree * labelled
    diagonal = (1.1 * degree + grip)[:, None]
    return conjugate_gradients(
        lambda m: diagonal * m - affinity @ m,
        grip[:, None],
        np.zeros((len(grip), 1)),
        lambda r: r / diagonal,
        tol=1e-6,
        max_iter=500,
    )[:, 0]
