"""Filters along one side of pictures, as matrices: one product filters many pictures at once."""

from functools import lru_cache
from typing import Any

import numpy as np
from array_api_compat import array_namespace
from scipy.ndimage import gaussian_filter1d

from ..numerics.arrays import from_numpy
from ._pooling import check_side

__all__ = ["blurred", "smoothing_matrix"]


@lru_cache(maxsize=32)
def smoothing_matrix(side: int, sigma: float) -> np.ndarray:
    """Return the Gaussian blur of so many pixels in a row; beyond the ends they are as the last.

    Examples
    --------
    >>> smoothing_matrix(3, 0.5).round(2).tolist()
    [[0.89, 0.11, 0.0], [0.11, 0.79, 0.11], [0.0, 0.11, 0.89]]
    """
    check_side(side)
    eye = np.eye(side)
    return gaussian_filter1d(eye, sigma, axis=0, mode="nearest") if sigma > 0 else eye


def blurred(pictures: Any, sigma: float) -> Any:
    """Return pictures (n, height, width, channels) of any library with both sides smoothed."""
    if sigma == 0:
        return pictures
    xp = array_namespace(pictures)
    n, height, width, channels = pictures.shape
    rows, columns = (from_numpy(smoothing_matrix(s, sigma), pictures) for s in (height, width))
    # Each picture side by side with the others, so that a filter is one product
    values = xp.permute_dims(pictures, (1, 0, 3, 2))
    values = xp.reshape(values, (-1, width)) @ columns.T
    values = rows @ xp.reshape(values, (height, -1))
    return xp.permute_dims(xp.reshape(values, (height, n, channels, width)), (1, 0, 3, 2))
