"""Dense histograms of oriented gradients."""

from numbers import Integral, Real
from typing import Any

import numpy as np
from array_api_compat import array_namespace
from scipy.ndimage import correlate1d
from sklearn.utils._param_validation import Interval

from ..numerics.arrays import from_numpy
from ..system.parameters import NON_NEGATIVE, POSITIVE, parameter, parameters
from ._picture import PictureTransformer
from ._pooling import pooling, pooling_points
from ._smoothing import smoothing_matrix

__all__ = ["HOG"]

_MOST_ORIENTATIONS = 64


@parameters
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
        Number of directions on the full circle, at most 64: the lobes are 47 degrees wide, and
        more of them say the same again.
    cell : float, default=2.0
        Distance of the grid's points in pixels, rounded so that they divide the sides evenly; 1
        keeps the picture's resolution.
    smoothing : float, default=1.5
        Standard deviation, in pixels, of the Gaussian around a point of the grid. Weights add up
        to one over the pixels in the picture.
    blur : float, default=0.0
        Standard deviation, in pixels, of a Gaussian blur of the picture before its gradient is
        taken; for noisy pictures. At most 16, or the shorter side of a picture
        if that is more.

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

    n_orientations: int = parameter(
        default=8, allowed=Interval(Integral, 1, _MOST_ORIENTATIONS, closed="both"), kw_only=False
    )
    cell: float = parameter(default=2.0, allowed=Interval(Real, 1, None, closed="left"))
    smoothing: float = parameter(default=1.5, allowed=POSITIVE)
    blur: float = parameter(default=0.0, allowed=NON_NEGATIVE)

    _any_library = True
    _reach = ("blur",)

    def _width(self, n_features: int) -> int:
        height, width, _ = self._shape(n_features)
        return (
            self.n_orientations
            * pooling_points(height, self.cell)
            * pooling_points(width, self.cell)
        )

    def _of_pictures(self, pictures: Any) -> Any:
        xp = array_namespace(pictures)
        n, height, width, _ = pictures.shape
        right, down, strength = _gradient(xp, pictures, self.blur)
        rows, columns = (
            from_numpy(pooling(side, self.cell, self.smoothing), pictures)
            for side in (height, width)
        )

        def averaged(maps: Any) -> Any:
            """Return averages around the grid's points, of shape (n, rows, columns)."""
            along = xp.reshape(maps, (-1, width)) @ columns.T
            grid = rows @ xp.reshape(along, (height, -1))
            return xp.permute_dims(xp.reshape(grid, (rows.shape[0], n, -1)), (1, 0, 2))

        K = self.n_orientations
        opposite = K // 2 if K % 2 == 0 else None
        maps: list[Any] = [None] * K
        for k in range(K if opposite is None else opposite):
            angle = 2 * np.pi * k / K
            # Rounded, so that a quarter turn has a cosine of zero: no leak into that direction.
            cosine = round(float(np.cos(angle)), 15) * right
            cosine += round(float(np.sin(angle)), 15) * down
            ahead = cosine > 0
            for _ in range(3):  # to the eighth power
                cosine *= cosine
            cosine *= strength
            forward = xp.where(ahead, cosine, 0.0)
            maps[k] = averaged(forward)
            if opposite is not None:  # an even power: what is not ahead lies behind
                cosine -= forward
                maps[k + opposite] = averaged(cosine)
        return xp.sqrt(xp.stack(maps, axis=1))


def _gradient(xp: Any, pictures: Any, blur: float) -> tuple[Any, Any, Any]:
    """Return the direction of the gradient (to the right, down) and its length.

    Each of shape (height, n, width), the pictures side by side: so that a filter along either axis
    is one matrix product. Of several channels the one is taken whose gradient is the longest.
    """
    n, height, width, channels = pictures.shape
    (smooth_h, differ_h), (smooth_w, differ_w) = (
        [from_numpy(M, pictures) for M in _filters(side, blur)] for side in (height, width)
    )
    found: list[Any] = []
    for channel in range(channels):
        values = xp.permute_dims(pictures[..., channel], (1, 0, 2))
        # From zero on: a picture of one gray is then exactly zero, whatever is rounded.
        values = values - xp.min(values, axis=(0, 2), keepdims=True)
        brightest = xp.broadcast_to(xp.max(values, axis=(0, 2), keepdims=True), (1, n, width))
        brightest = xp.reshape(brightest, (1, -1))
        values = xp.reshape(values, (-1, width))
        right = smooth_h @ xp.reshape(values @ differ_w.T, (height, -1))
        down = differ_h @ xp.reshape(values @ smooth_w.T, (height, -1))
        length = xp.sqrt(right * right + down * down)
        # What rounding leaves where a picture is flat is no gradient.
        rounding = 32 * float(xp.finfo(values.dtype).eps) * brightest
        length = xp.where(length > rounding, length, 0.0)
        if found:
            longer = length > found[2]
            pairs = zip((right, down, length), found, strict=True)
            found = [xp.where(longer, new, old) for new, old in pairs]
        else:
            found = [right, down, length]
    right, down, length = (xp.reshape(part, (height, n, width)) for part in found)
    inverse = xp.where(length > 0, 1 / xp.where(length > 0, length, 1.0), 0.0)
    right *= inverse
    down *= inverse
    return right, down, length


def _filters(side: int, blur: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the blur and the central differences of the blurred along a side, as matrices.

    Beyond the ends values are as the last ones.
    """
    smooth = smoothing_matrix(side, blur)
    return smooth, correlate1d(smooth, [-0.5, 0.0, 0.5], axis=0, mode="nearest")
