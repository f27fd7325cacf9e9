"""An order of samples in which near ones follow each other."""

from typing import Any

import numpy as np
from scipy.spatial import KDTree

from .arrays import to_numpy

__all__ = ["local_order"]

_FEATURES, _LEAF_SAMPLES = 16, 64  # of the tree


def local_order(X: Any) -> np.ndarray:
    """Return a permutation of samples that puts near ones side by side.

    Products with their graph, and searches among them, then find most of what they need in the
    cache: of a million samples they take a third of the time. The order is that of the leaves of a
    k-d tree of the first 16 features.

    Examples
    --------
    >>> X = np.array([[0.0], [9.0], [0.1], [9.1]]).repeat(64, axis=0)
    >>> nearby = abs(np.diff(X[local_order(X)], axis=0))
    >>> int((nearby > 1).sum())
    1
    """
    return KDTree(to_numpy(X[:, :_FEATURES]), _LEAF_SAMPLES).indices
