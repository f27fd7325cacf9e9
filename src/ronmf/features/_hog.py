"""Dense histograms of oriented gradients."""

from functools import partial
from numbers import Integral, Real
from typing import ClassVar

import numpy as np
from scipy.ndimage import correlate1d, gaussian_filter
from sklearn.utils._param_validation import Interval

from ._picture import PictureTransformer
from ._pooling import pooling, pooling_points
from ._unit_norm import divided

__all__ = ["HOG"]


class HOG(PictureTransformer):
    r"""Histograms of oriented gradients: in which directions a picture gets brighter, and where.

    With :math:`g` the gradient of a pixel (central differences, the strongest channel) and
    :math:`\theta` its direction, orientation :math:`k` of :math:`K` is the map

    .. math:: |g|\, \max(0, \cos(\theta - \theta_k))^8, \qquad \theta_k = 2 \pi k / K,

    averaged with a Gaussian around the points of a grid [1]_. Features are the square roots of
    these averages. After :class:`UnitNorm` their distance is, up to a factor, the Hellinger
    distance of the histograms, in which one strong edge does not outshine other places and
    directions [2]_. Direction 0 is brighter to the right, a quarter
    turn is brighter downwards. Adding a constant to a picture changes nothing, and a gain
    :math:`a` multiplies its features by :math:`\sqrt a`, which :class:`UnitNorm` takes out.
    Features lie in the order (orientation, row, column).

    Parameters
    ----------
    n_orientations : int, default=8
        Number of directions on the full circle.
    cell : float, default=2.0
        Distance of the grid's points in pixels, rounded so that they divide the sides evenly; 1
        keeps the picture's resolution.
    smoothing : float, default=1.5
        Standard deviation, in pixels, of the Gaussian around a point of the grid. Weights add up
        to one over the pixels in the picture.
    blur : float, default=0.0
        Standard deviation, in pixels, of a Gaussian blur of the picture before its gradient is
        taken; for noisy pictures.
    image_shape : tuple (height, width) or (height, width, channels), default=None
        How the features of a row lie in the picture; None if `fit` is given pictures, which say it.

    Attributes
    ----------
    image_shape_ : tuple
        How the features of a row lie in the picture.

    References
    ----------
    .. [1] Dalal, Triggs, Histograms of oriented gradients for human detection, CVPR 2005.
    .. [2] Arandjelovic, Zisserman, Three things everyone should know to improve object retrieval,
       CVPR 2012.

    Examples
    --------
    >>> import numpy as np
    >>> from ronmf.features import HOG
    >>> edge = np.zeros((4, 4))
    >>> edge[:, 2:] = 1
    >>> maps = HOG(4, image_shape=(4, 4)).fit_transform(edge.reshape(1, -1)).reshape(4, 2, 2)
    >>> maps.any(axis=(1, 2)).tolist()  # brighter to the right, only
    [True, False, False, False]
    """

    _parameter_constraints: ClassVar[dict] = {
        **PictureTransformer._parameter_constraints,
        "n_orientations": [Interval(Integral, 1, None, closed="left")],
        "cell": [Interval(Real, 1, None, closed="left")],
        "smoothing": [Interval(Real, 0, None, closed="neither")],
        "blur": [Interval(Real, 0, None, closed="left")],
    }

    def __init__(
        self,
        n_orientations: int = 8,
        *,
        cell: float = 2.0,
        smoothing: float = 1.5,
        blur: float = 0.0,
        image_shape: tuple[int, ...] | None = None,
    ) -> None:
        self.n_orientations = n_orientations
        self.cell = cell
        self.smoothing = smoothing
        self.blur = blur
        self.image_shape = image_shape

    def _width(self, n_features: int) -> int:
        height, width, _ = self._shape(n_features)
        return (
            self.n_orientations
            * pooling_points(height, self.cell)
            * pooling_points(width, self.cell)
        )

    def _of_pictures(self, pictures: np.ndarray) -> np.ndarray:
        n, height, width, _ = pictures.shape
        dtype = pictures.dtype
        right, down, strength = _gradient(pictures, self.blur)
        right, down = divided(right, strength), divided(down, strength)
        rows = pooling(height, self.cell, self.smoothing).astype(dtype)
        columns = pooling(width, self.cell, self.smoothing).astype(dtype).T
        maps = np.empty((n, self.n_orientations, len(rows), columns.shape[1]), dtype=dtype)
        for k in range(self.n_orientations):
            angle = 2 * np.pi * k / self.n_orientations
            # Rounded, so that a quarter turn has a cosine of zero: no leak into that direction.
            cosine = round(np.cos(angle), 15) * right + round(np.sin(angle), 15) * down
            np.maximum(cosine, 0, out=cosine)
            for _ in range(3):  # to the eighth power
                cosine *= cosine
            cosine *= strength
            maps[:, k] = rows @ (cosine @ columns)
        return np.sqrt(maps, out=maps)


def _gradient(pictures: np.ndarray, blur: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return steps to the right and down, and their length, of the channel where it is greatest."""
    if blur > 0:
        pictures = gaussian_filter(pictures, blur, mode="nearest", axes=(1, 2))
    difference = partial(correlate1d, pictures, [-0.5, 0.0, 0.5], mode="nearest")
    right, down = difference(axis=2), difference(axis=1)
    length = np.hypot(right, down)
    strongest = length.argmax(axis=3)[..., np.newaxis]
    right, down, length = (
        np.take_along_axis(part, strongest, axis=3)[..., 0] for part in (right, down, length)
    )
    return right, down, length
