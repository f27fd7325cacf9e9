"""Pictures as networks want them: in one size, with the mean and deviation of their training."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from scipy import sparse

__all__ = ["NORMALIZATIONS", "mean_and_deviation", "prepare", "resize"]

Channels = tuple[float, float, float]
Normalization = str | Sequence[Any] | None

# Mean and deviation of red, green and blue, where white is 1
NORMALIZATIONS: dict[str, tuple[Channels, Channels]] = {
    "imagenet": ((0.485, 0.456, 0.406), (0.229, 0.224, 0.225)),
    "clip": ((0.48145466, 0.4578275, 0.40821073), (0.26862954, 0.26130258, 0.27577711)),
    "half": ((0.5, 0.5, 0.5), (0.5, 0.5, 0.5)),
}


def mean_and_deviation(normalization: Normalization) -> tuple[Channels, Channels]:
    """Return mean and deviation of pixel values from 0 to 255, one number per channel.

    Parameters
    ----------
    normalization : str, pair or None
        A name, or (mean, deviation) for pixels from 0 to 1, each one number or three; None is
        ``"imagenet"``.

    Examples
    --------
    >>> mean_and_deviation((0.5, 0.25))
    ((127.5, 127.5, 127.5), (63.75, 63.75, 63.75))
    """
    if normalization is None or isinstance(normalization, str):
        pair: Sequence[Any] = NORMALIZATIONS.get(normalization or "imagenet", ())
    else:
        pair = normalization
    try:
        mean, deviation = (
            np.broadcast_to(np.asarray(value, dtype=np.float64), 3) * 255 for value in pair
        )
        fits = bool(np.isfinite([mean, deviation]).all() and (deviation > 0).all())
    except (TypeError, ValueError):
        fits = False
    if not fits:
        raise ValueError(
            f"normalization is {normalization!r}; give {', '.join(map(repr, NORMALIZATIONS))}, or"
            " (mean, deviation) for pixels from 0 to 1, each one number or three."
        )
    return tuple(mean.tolist()), tuple(deviation.tolist())


def prepare(
    picture: np.ndarray, size: tuple[int, int], mean: Channels, deviation: Channels
) -> np.ndarray:
    """Return a picture of (height, width, 1 or 3) values from 0 to 255 as a network takes it.

    It is resized whole, nothing is cropped; gray is taken for all three colours.
    """
    return (resize(picture, size) - np.asarray(mean, np.float32)) / np.asarray(
        deviation, np.float32
    )


def resize(picture: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """Return a picture in another size: bilinear, and smoothed where it shrinks.

    A pixel is a mean of those around it, weighted by a triangle that is as wide as two pixels of
    the coarser picture. Pillow does the same, and so does torch with ``antialias=True``.

    Parameters
    ----------
    picture : ndarray of shape (height, width, channels)
    size : tuple (height, width)

    Returns
    -------
    ndarray of float32 of shape (*size, channels)

    Examples
    --------
    >>> resize(np.array([[[0.0], [8.0]]]), (1, 4))[0, :, 0].tolist()
    [0.0, 2.0, 6.0, 8.0]
    """
    picture = picture.astype(np.float32)
    for side in size:  # the height first, then as the width has come to its place
        length, other, channels = picture.shape
        if length != side:
            rows = _weights(length, side) @ picture.reshape(length, other * channels)
            picture = rows.reshape(side, other, channels)
        picture = np.ascontiguousarray(picture.swapaxes(0, 1))
    return picture


@lru_cache(maxsize=64)
def _weights(length: int, side: int) -> sparse.csr_array:
    """Return the matrix from pixels of a line to those of the resized line; few are not zero."""
    step = length / side
    centres = step * (np.arange(side) + 0.5)
    apart = np.abs(np.arange(length) + 0.5 - centres[:, None]) / max(step, 1.0)
    triangle = np.maximum(0.0, 1.0 - apart)
    return sparse.csr_array((triangle / triangle.sum(axis=1, keepdims=True)).astype(np.float32))
