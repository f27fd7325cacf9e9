"""Pictures filtered pixel by pixel: blurred, median filtered, of even contrast."""

from typing import Any

import numpy as np
from array_api_compat import array_namespace
from scipy.ndimage import gaussian_filter, median_filter

from ..numerics.arrays import from_numpy, to_numpy
from ..system.parameters import COUNT, NON_NEGATIVE, POSITIVE, parameter, parameters
from ._picture import PictureTransformer
from ._smoothing import blurred
from ._unit_norm import divided

__all__ = ["GaussianBlur", "LocalContrast", "MedianFilter"]

# The axes of height and width in (n, height, width, channels).
_SPATIAL = (1, 2)
# Share of a picture's own deviation below which local contrast is not amplified.
_FLOOR = 0.1


@parameters
class GaussianBlur(PictureTransformer):
    """Blur pictures: less noise, and neighbours even when shifted by a pixel.

    Pixels beyond the edge are taken to be as the nearest one; every channel is blurred on its own.

    Parameters
    ----------
    sigma : float, default=1.0
        Standard deviation of the Gaussian, in pixels; at most 16, or the shorter side of a
        picture if that is more.

    Examples
    --------
    >>> from ronmf.features import GaussianBlur
    >>> blurred = GaussianBlur(0.5, image_shape=(1, 3)).fit_transform([[0.0, 1.0, 0.0]])
    >>> blurred.round(2).tolist()
    [[0.11, 0.79, 0.11]]
    """

    sigma: float = parameter(default=1.0, allowed=NON_NEGATIVE, kw_only=False)

    _any_library = True
    _reach = ("sigma",)

    def _of_pictures(self, pictures: Any) -> Any:
        return blurred(pictures, self.sigma)


@parameters
class MedianFilter(PictureTransformer):
    """Replace every pixel by the median of the square around it.

    Removes single wrong pixels (salt and pepper noise) and keeps edges where they are. Pixels
    beyond the edge are taken to be as the nearest one; every channel is filtered on its own.

    Parameters
    ----------
    size : int, default=3
        Side of the square in pixels, an odd number; at most 16, or the shorter side of a
        picture if that is more.

    Examples
    --------
    >>> from ronmf.features import MedianFilter
    >>> row = [[0.2, 0.2, 1.0, 0.2, 0.3, 0.3]]
    >>> MedianFilter(3, image_shape=(1, 6)).fit_transform(row).tolist()
    [[0.2, 0.2, 0.2, 0.3, 0.3, 0.3]]
    """

    size: int = parameter(default=3, allowed=COUNT, kw_only=False)

    _any_library = True
    _reach = ("size",)

    def _width(self, n_features: int) -> int:
        if self.size % 2 == 0:
            raise ValueError(
                f"size is {self.size}: give an odd number, so that the square has a middle."
            )
        return super()._width(n_features)

    def _of_pictures(self, pictures: Any) -> Any:
        if self.size == 3:
            return _median_of_nine(pictures)
        found = median_filter(to_numpy(pictures), self.size, mode="nearest", axes=_SPATIAL)
        return from_numpy(found, pictures)


def _median_of_nine(pictures: Any) -> Any:
    """Return the median of every 3 x 3 square, beyond the edge of the nearest pixels.

    With the columns of a square sorted, it is the middle one of the largest of the lowest pixels,
    the middle one of the middle pixels, and the smallest of the highest [1]_.

    References
    ----------
    .. [1] J. L. Smith, Implementing median filters in XC4000E FPGAs, Xcell 23, 1996.
    """
    xp = array_namespace(pictures)
    above, own, below = _neighbours(xp, pictures, axis=1)
    low, high = xp.minimum(above, own), xp.maximum(above, own)
    middle = xp.maximum(low, xp.minimum(high, below))
    low, high = xp.minimum(low, below), xp.maximum(high, below)
    left, own, right = _neighbours(xp, low, axis=2)
    largest = xp.maximum(xp.maximum(left, own), right)
    left, own, right = _neighbours(xp, high, axis=2)
    smallest = xp.minimum(xp.minimum(left, own), right)
    median = _middle(xp, *_neighbours(xp, middle, axis=2))
    return _middle(xp, largest, median, smallest)


def _neighbours(xp: Any, pictures: Any, axis: int) -> tuple[Any, Any, Any]:
    """Return, for every pixel, the one before it along an axis, itself, and the one after it."""
    along = (slice(None),) * axis
    first, last = pictures[*along, :1, ...], pictures[*along, -1:, ...]
    before = xp.concat([first, pictures[*along, :-1, ...]], axis=axis)
    after = xp.concat([pictures[*along, 1:, ...], last], axis=axis)
    return before, pictures, after


def _middle(xp: Any, a: Any, b: Any, c: Any) -> Any:
    """Return the middle one of every three values."""
    return xp.maximum(xp.minimum(a, b), xp.minimum(xp.maximum(a, b), c))


@parameters
class LocalContrast(PictureTransformer):
    r"""Tell how much brighter or darker every pixel is than what surrounds it.

    With :math:`m` and :math:`s` the mean and standard deviation around a pixel :math:`x`, weighted
    by a Gaussian, and :math:`S` the standard deviation of the whole picture,

    .. math:: c = \frac{x - m}{s + S / 10}, \qquad
              \text{features } \max(0, c) \text{ and } \max(0, -c).

    Neither gain nor offset of the lighting (:math:`x \to a x + b`) changes them, and where it
    varies slowly they hardly see it; see [1]_. A picture of one gray gets zeros. Every channel is
    compared with itself. Output has twice as many features, the brighter halves first.

    Parameters
    ----------
    sigma : float, default=3.0
        Standard deviation of the Gaussian, in pixels; at most 16, or the shorter side of a
        picture if that is more.

    References
    ----------
    .. [1] Pinto, Cox, DiCarlo, Why is real-world visual object recognition hard?, PLoS
       Computational Biology 4(1), 2008.

    Examples
    --------
    >>> from ronmf.features import LocalContrast
    >>> LocalContrast(1.0, image_shape=(1, 2)).fit_transform([[0.2, 0.6]]).round(2).tolist()
    [[0.0, 0.59, 0.59, 0.0]]
    """

    sigma: float = parameter(default=3.0, allowed=POSITIVE, kw_only=False)

    _reach = ("sigma",)

    def _width(self, n_features: int) -> int:
        return 2 * super()._width(n_features)

    def _of_pictures(self, pictures: np.ndarray) -> np.ndarray:
        whole = (1, 2, 3)
        # Between 0 and 1 first: one gray is then exactly zero, and squares keep their digits.
        x = pictures - pictures.min(whole, keepdims=True)
        x = divided(x, x.max(whole, keepdims=True))
        x -= x.mean(whole, keepdims=True)
        blur = {"sigma": self.sigma, "mode": "nearest", "axes": _SPATIAL}
        mean = gaussian_filter(x, **blur)
        # Rounding may leave a variance just below zero.
        deviation = np.sqrt(np.maximum(gaussian_filter(x * x, **blur) - mean * mean, 0))
        c = divided(x - mean, deviation + _FLOOR * x.std(whole, keepdims=True))
        return np.stack([np.maximum(c, 0), np.maximum(-c, 0)], axis=1)
