"""Samples of unit length."""

from typing import Any

from array_api_compat import array_namespace

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

    _any_library = True
    _takes_signs = True

    def _features(self, X: Any) -> Any:
        xp = array_namespace(X)
        # By the largest entry first: squares of very large or small values leave float's range.
        X = divided(X, xp.max(xp.abs(X), axis=1, keepdims=True))
        return divided(X, xp.sqrt(xp.sum(X * X, axis=1, keepdims=True)))


def divided(values: Any, by: Any) -> Any:
    """Return ``values / by``, and zero where `by` is zero."""
    xp = array_namespace(values)
    positive = by > 0
    return xp.where(positive, values / xp.where(positive, by, 1.0), 0.0)
