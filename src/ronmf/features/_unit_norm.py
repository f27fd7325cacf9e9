"""Samples of unit length."""

import numpy as np

from ._picture import RowTransformer

__all__ = ["UnitNorm"]


class UnitNorm(RowTransformer):
    r"""Divide every sample by its Euclidean length: :math:`x / \|x\|`; zero stays zero.

    Takes a picture's brightness out, so that a dark and a bright picture of the same thing are
    neighbours. Good as the last step after any other transformer of this package.

    Attributes
    ----------
    image_shape_ : tuple or None
        Shape of the pictures given to `fit`; None if it was given rows.

    Examples
    --------
    >>> from ronmf.features import UnitNorm
    >>> UnitNorm().fit_transform([[3.0, 4.0], [0.0, 0.0]]).tolist()
    [[0.6, 0.8], [0.0, 0.0]]
    """

    def _features(self, X: np.ndarray) -> np.ndarray:
        # By the largest entry first: squares of very large or small values leave float's range.
        X = divided(X, X.max(axis=1, keepdims=True))
        return divided(X, np.linalg.norm(X, axis=1, keepdims=True))


def divided(values: np.ndarray, by: np.ndarray) -> np.ndarray:
    """Return ``values / by``, and zero where `by` is zero."""
    return np.divide(values, by, out=np.zeros_like(values), where=by > 0)
