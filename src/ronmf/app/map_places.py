"""Places of the pictures on the map: a disc for each cluster, doubtful pictures between them."""

import numpy as np
from sklearn.decomposition import PCA

__all__ = ["map_places"]

_RING_CLUSTERS = 12  # at most stand in a ring; more fill the whole map
_DISC_RADIUS = 0.42  # of the distance between neighbouring discs
_COLUMNS_COMPARED = 512  # within a cluster
_GOLDEN = np.pi * (3 - 5**0.5)


def map_places(X: np.ndarray, cluster: np.ndarray, shares: np.ndarray, seed: int) -> np.ndarray:
    """Return a place between 0 and 1 for every picture.

    A picture lies in the disc of its cluster, drawn towards those it might belong to instead.
    Inside a disc, pictures that look alike (by the two main directions of their features) lie near
    each other. Where the discs stand says only which clusters are taken for each other.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Features.
    cluster : ndarray of int, shape (n,)
        Clusters.
    shares : ndarray of shape (n, k)
        Probability of each cluster.
    seed : int
        Seed of the search for directions.

    Returns
    -------
    ndarray of float32 of shape (n, 2)

    Examples
    --------
    >>> X = np.random.default_rng(0).random((30, 5))
    >>> places = map_places(X, np.arange(30) % 3, np.eye(3)[np.arange(30) % 3], 0)
    >>> places.shape, bool(places.min() >= 0), bool(places.max() <= 1)
    ((30, 2), True, True)
    """
    k = shares.shape[1]
    centres = np.empty((k, 2))
    centres[_order(shares)] = _stands(k)
    gaps = np.linalg.norm(centres[:, None] - centres[None], axis=2) + np.diag(np.full(k, np.inf))
    radius = _DISC_RADIUS * min(1.0, gaps.min(initial=np.inf))
    places = shares @ centres
    columns = np.linspace(0, X.shape[1] - 1, min(X.shape[1], _COLUMNS_COMPARED)).astype(int)
    for number in np.unique(cluster):
        members = np.flatnonzero(cluster == number)
        inner = _directions(np.asarray(X[members])[:, columns], seed)
        places[members] += radius * inner
    low, high = places.min(axis=0), places.max(axis=0)
    return ((places - low) / max(float((high - low).max()), 1e-12)).astype(np.float32)


def _stands(k: int) -> np.ndarray:
    """Return places for so many discs."""
    steps = np.arange(k, dtype=np.float64)
    if k <= _RING_CLUSTERS:
        angle, distance = 2 * np.pi * steps / max(k, 1), np.full(k, float(k > 1))
    else:  # as seeds in a sunflower
        angle, distance = _GOLDEN * steps, np.sqrt(steps / (k - 1))
    return np.stack([distance * np.cos(angle), distance * np.sin(angle)], axis=1)


def _order(shares: np.ndarray) -> np.ndarray:
    """Return the clusters so that those often taken for each other follow each other."""
    confused = shares.T @ shares
    np.fill_diagonal(confused, -1.0)
    order = [0]
    left = set(range(1, len(confused)))
    while left:
        order.append(max(left, key=lambda j: (confused[order[-1], j], -j)))
        left.remove(order[-1])
    return np.array(order)


def _directions(X: np.ndarray, seed: int) -> np.ndarray:
    """Return the two main coordinates of samples, brought into a disc of radius 1."""
    count = min(2, len(X) - 1, X.shape[1])
    places = np.zeros((len(X), 2))
    if count > 0 and np.ptp(X, axis=0).max() > 0:
        pca = PCA(count, svd_solver="randomized", random_state=seed)
        places[:, :count] = pca.fit_transform(X.astype(np.float64))
    spread = np.maximum(places.std(axis=0), 1e-12)
    places = places / (1.5 * spread)
    length = np.linalg.norm(places, axis=1, keepdims=True)
    return places * (np.tanh(length) / np.maximum(length, 1e-12))
