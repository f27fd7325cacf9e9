"""Pixels coded by soft bins of their values: a robust loss on the distance between pictures."""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import Any, Self

import numpy as np
from array_api_compat import array_namespace, is_numpy_array
from sklearn.base import _fit_context
from sklearn.utils._param_validation import Interval, StrOptions

from ..numerics.arrays import from_numpy
from ..numerics.types import Array, Labels
from ..system.parameters import POSITIVE, parameter, parameters
from ._picture import PictureTransformer
from ._pooling import pooling, pooling_points

__all__ = ["SoftBins"]

_MOST_BINS = 256  # one for each gray of 8 bits
_KNOTS = 1024  # of the table of quantiles
_ENOUGH = 200_000  # values from which quantiles are known well


@parameters
class SoftBins(PictureTransformer):
    r"""Code every pixel by soft bins of its value, so that gross errors are forgotten.

    With x between 0 and 1, bins of width w around centres :math:`c_b = b/(B-1)` and
    :math:`h = (B-1)\sqrt{\pi}\,w`, pixel x becomes

    .. math:: h^{-1/2} \exp(-(x - c_b)^2 / 2w^2), \qquad b = 0 \dots B-1.

    The inner product of two such codes is, up to the ends of the range and a ripple below one in a
    hundred, the Gaussian kernel of the difference δ of two pixels, and the squared distance of two
    pictures is

    .. math:: 2 \sum_p \bigl(1 - \exp(-\delta_p^2 / 4w^2)\bigr),

    the loss of Welsch [1]_: quadratic in small differences and constant in large ones. A covered or
    wrong pixel counts a fixed amount, however wrong it is. This is the idea of a robust loss on the
    residual of a factorisation, put on the distance between samples.

    Parameters
    ----------
    n_bins : int, default=8
        B, at most 256. There are as many features per pixel.
    scale : {"quantile", "value"}, default="quantile"
        How pixels become numbers between 0 and 1: by their rank among all pixels of the fitted
        data, or by their place between the smallest and the largest of them.
    width : float, default=0.12
        w, on that scale.
    cell : float, default=1.0
        Codes are averaged over cells of so many pixels; 1 keeps every pixel. Above 1 pictures need
        a shape.

    Attributes
    ----------
    values_, positions_ : ndarray
        The scale: positions between 0 and 1 of increasing values, linear in between.
    image_shape_ : tuple or None
        How the features of a row lie in the picture.

    Notes
    -----
    Sparse strokes do not profit: where most pixels are blank, a stroke that is moved by one pixel
    is wrong twice, and no loss forgives that.

    References
    ----------
    .. [1] R. E. Welsch and J. E. Dennis. Techniques for nonlinear least squares and robust
       regression. Communications in Statistics 7, 1978.

    Examples
    --------
    >>> import numpy as np
    >>> from ronmf.features import SoftBins
    >>> X = np.array([[0.5, 0.5], [0.55, 0.5], [0.9, 0.5], [0.1, 0.5], [0.0, 1.0]])
    >>> codes = SoftBins(scale="value").fit_transform(X)
    >>> ((codes[0] - codes[1:4]) ** 2).sum(axis=1).round(1).tolist()  # eight times as wrong
    [0.1, 1.9, 1.9]
    """

    n_bins: int = parameter(
        default=8, allowed=Interval(Integral, 2, _MOST_BINS, closed="both"), kw_only=False
    )
    scale: str = parameter(default="quantile", allowed=StrOptions({"quantile", "value"}))
    width: float = parameter(default=0.12, allowed=POSITIVE)
    cell: float = parameter(default=1.0, allowed=Interval(Real, 1, None, closed="left"))

    _any_library = True

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Array, y: Labels = None) -> Self:
        """Learn the scale of pixel values.

        Parameters
        ----------
        X : array of shape (n_samples, n_features), or pictures
            Non-negative values.
        y : ignored

        Returns
        -------
        SoftBins
        """
        X = self._validate_X(X, reset=True)
        self._width(X.shape[1])
        self.values_, self.positions_ = _scale(X, self.scale)
        return self

    def _width(self, n_features: int) -> int:
        if self.cell == 1:
            return self.n_bins * n_features
        height, width, channels = self._shape(n_features)
        points = pooling_points(height, self.cell) * pooling_points(width, self.cell)
        return self.n_bins * points * channels

    def _features(self, X: Any) -> Any:
        xp, n = array_namespace(X), X.shape[0]
        positions = _interpolated(X, self.values_, self.positions_)
        if self.cell > 1:
            shape = self._shape(X.shape[1])
            rows, columns = (
                from_numpy(pooling(side, self.cell, self.cell / 2), X) for side in shape[:2]
            )
        step = 1 / (self.n_bins - 1)
        size = (self.width * math.sqrt(math.pi) / step) ** -0.5
        maps = []
        for b in range(self.n_bins):
            code = (positions - b * step) / self.width
            code = size * xp.exp(-code * code / 2)
            if self.cell > 1:
                pictures = xp.permute_dims(xp.reshape(code, (n, *shape)), (0, 3, 1, 2))
                code = xp.reshape(rows @ (pictures @ columns.T), (n, -1))
            maps.append(code)
        return xp.concat(maps, axis=1)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.requires_fit = True
        return tags


def _interpolated(X: Any, values: np.ndarray, positions: np.ndarray) -> Any:
    """Return ``np.interp(X, values, positions)`` for arrays of any library."""
    if is_numpy_array(X):
        return np.interp(X, values, positions).astype(X.dtype)
    xp = array_namespace(X)
    knots, heights = (from_numpy(each, X) for each in (values, positions))
    if len(values) == 1:
        return xp.full_like(X, float(positions[0]))
    flat = xp.reshape(X, (-1,))
    after = xp.clip(xp.searchsorted(knots, flat), 1, len(values) - 1)
    low, high = xp.take(knots, after - 1), xp.take(knots, after)
    step = xp.where(high > low, high - low, 1.0)  # knots may be equal in this dtype
    way = xp.clip((flat - low) / step, 0.0, 1.0)
    first = xp.take(heights, after - 1)
    return xp.reshape(first + way * (xp.take(heights, after) - first), X.shape)


def _scale(X: np.ndarray, scale: str) -> tuple[np.ndarray, np.ndarray]:
    """Return increasing values and their positions between 0 and 1.

    Equal values share the middle of their ranks: half of all pixels being blank, blank is 0.25.
    """
    low, high = float(X.min()), float(X.max())
    if low == high:
        return np.array([low]), np.array([0.5])
    if scale == "value":
        return np.array([low, high]), np.array([0.0, 1.0])
    step = -(-X.size // _ENOUGH)
    while math.gcd(step, X.shape[1]) > 1:  # else only some columns would be seen
        step += 1
    some = X.ravel()[::step]
    values, counts = np.unique(some, return_counts=True)
    ranks = (np.cumsum(counts) - counts / 2) / len(some)
    knots = np.unique(np.linspace(0, len(values) - 1, _KNOTS).round().astype(int))
    return values[knots].astype(np.float64), ranks[knots]
