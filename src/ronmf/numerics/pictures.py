"""Pictures as rows: shapes that are given, and shapes that an array brings along."""

import math
from typing import Any

import numpy as np
from array_api_compat import array_namespace, is_array_api_obj

__all__ = ["checked_picture", "flatten_pictures", "picture_shape"]

# Gray, gray with transparency, red-green-blue, red-green-blue with transparency.
_MOST_CHANNELS = 4


def picture_shape(name: str, image_shape: Any, n_features: int) -> tuple[int, int, int]:
    """Return (height, width, channels) of rows of `n_features`, or raise one sentence.

    Parameters
    ----------
    name : str
        Who asks, for the sentence.
    image_shape : tuple (height, width) or (height, width, channels)
        How the features of a row lie in the picture.
    n_features : int
        Number of features of a row.

    Examples
    --------
    >>> from ronmf.numerics.pictures import picture_shape
    >>> picture_shape("HOG", (8, 8), 64)
    (8, 8, 1)
    """
    if image_shape is None:
        raise ValueError(
            f"{name} needs image_shape=(height, width): X has {n_features} features, and nothing"
            " says how they lie in the picture."
        )
    sides = _sides(image_shape)
    if math.prod(sides) != n_features:
        raise ValueError(
            f"image_shape {_text(image_shape)} does not fit {n_features} features: give a height,"
            " width (and channels) with that product."
        )
    return sides


def flatten_pictures(X: Any, image_shape: Any, name: str) -> tuple[Any, tuple[int, ...] | None]:
    """Return an array of pictures as rows, and the shape of a picture.

    Parameters
    ----------
    X : array of any library, list or table
        Pictures of shape (n, height, width) or (n, height, width, channels), or a list of them.
        An array with another number of axes, any other list or a table is returned as it is.
    image_shape : tuple (height, width) or (height, width, channels), or None
        The shape that is expected; None if none is.
    name : str
        Who asks, for the sentence of an error.

    Returns
    -------
    X : array of shape (n, n_features)
        In the library, on the device and in the dtype it came in.
    image_shape : tuple or None
        The shape that is expected, else that of the pictures, else None.

    Raises
    ------
    ValueError
        If the pictures have another shape than `image_shape`, or their channels come first.

    Examples
    --------
    >>> rows, shape = flatten_pictures(np.zeros((5, 8, 6), dtype=np.uint8), None, "HOG")
    >>> rows.shape, shape
    ((5, 48), (8, 6))
    """
    expected = None if image_shape is None else tuple(image_shape)
    if isinstance(X, list | tuple) and len(X) and np.ndim(X[0]) > 1:
        if len({np.shape(picture) for picture in X}) > 1:
            raise ValueError(
                f"X passed to {name} is a list of pictures of several shapes; bring them to one."
            )
        X = np.asarray(X)
    if not is_array_api_obj(X) or X.ndim not in (3, 4):
        return X, expected
    shape = checked_picture(X.shape[1:], expected, name)
    rows = array_namespace(X).reshape(X, (X.shape[0], math.prod(shape)))
    return rows, shape if expected is None else expected


def checked_picture(shape: Any, image_shape: Any, name: str) -> tuple[int, ...]:
    """Return the shape of a picture that an array brings along, or raise one sentence.

    Parameters
    ----------
    shape : sequence of int
        (height, width) or (height, width, channels).
    image_shape : tuple or None
        The shape that is expected; None if none is.
    name : str
        Who asks, for the sentence.
    """
    sides = tuple(int(side) for side in shape)
    if len(sides) == 3 and sides[0] <= _MOST_CHANNELS < sides[2]:
        # The order of networks: read as pictures, it would give features of no meaning.
        raise ValueError(
            f"X passed to {name} has pictures of {_text(sides)}, channels before height and width:"
            " move them last, to (n, height, width, channels)."
        )
    if image_shape is not None and _sides(image_shape) != (*sides, 1)[:3]:
        raise ValueError(
            f"X passed to {name} has pictures of {_text(sides)}, but image_shape is"
            f" {_text(image_shape)}: give pictures of that shape, or another image_shape."
        )
    return sides


def _sides(image_shape: Any) -> tuple[int, int, int]:
    """Return (height, width, channels), 1 channel if none is given, or raise one sentence."""
    sides = tuple(image_shape)
    whole = all(isinstance(side, int | np.integer) and side > 0 for side in sides)
    if len(sides) not in (2, 3) or not whole:
        raise ValueError(
            f"image_shape is {image_shape!r}: give (height, width) or (height, width, channels),"
            " whole numbers from 1."
        )
    height, width, channels = (int(side) for side in (*sides, 1)[:3])
    return height, width, channels


def _text(shape: Any) -> str:
    return " x ".join(map(str, shape))
