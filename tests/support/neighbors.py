"""Random samples, and neighbours by brute force."""

import numpy as np


def brute_force(X, k, queries=None):
    points = X if queries is None else queries
    squares = ((points[:, None, :] - X[None]) ** 2).sum(axis=2)
    if queries is None:
        np.fill_diagonal(squares, np.inf)
    order = np.argsort(squares, axis=1, kind="stable")[:, :k]
    return order, np.sqrt(np.take_along_axis(squares, order, axis=1))


def gaussian(n=60, d=7, seed=0, dtype=np.float64):
    return np.random.default_rng(seed).normal(size=(n, d)).astype(dtype)
