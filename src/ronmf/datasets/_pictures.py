"""Picture files to gray arrays of one size. Needs Pillow, imported when a picture is read."""

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

__all__ = ["check_shape", "picture_size", "read_gray", "read_many"]

# What Pillow raises for a file that is no picture, is cut off or lies about itself.
_UNREADABLE = (OSError, SyntaxError, ValueError, EOFError)


def check_shape(image_shape: Any) -> tuple[int, int]:
    """Return `image_shape` as (height, width), or raise one sentence."""
    try:
        height, width = (int(side) for side in image_shape)
    except (TypeError, ValueError):
        height = width = 0
    if height < 1 or width < 1:
        raise ValueError(
            f"image_shape is {image_shape!r}: give (height, width), two whole numbers from 1."
        )
    return height, width


def _pillow() -> Any:
    try:
        from PIL import Image, ImageOps
    except ImportError as error:
        raise ImportError("Reading pictures needs Pillow: pip install 'ronmf[images]'") from error
    return Image, ImageOps


def picture_size(source: Any) -> tuple[int, int] | None:
    """Height and width from the head of a file; None if it is no picture."""
    Image, _ = _pillow()
    try:
        with Image.open(source) as picture:
            return picture.height, picture.width
    except (*_UNREADABLE, Image.DecompressionBombError):
        return None


def read_gray(source: Any, image_shape: tuple[int, int] | None = None) -> np.ndarray:
    """Read a picture as 8-bit gray values, upright.

    Parameters
    ----------
    source : path or binary file
        The picture, in any format Pillow knows. 16-bit pictures lose their low byte.
    image_shape : tuple (height, width), optional
        Size to bring the picture to (bicubic, smoothed when it shrinks); its own if None.
    """
    Image, ImageOps = _pillow()
    with Image.open(source) as picture:
        # The luma channel of a colour JPEG as it is stored, not rounded again through RGB.
        picture.draft("L", picture.size)
        turned = ImageOps.exif_transpose(picture)
        if turned.mode.startswith("I"):  # Pillow would clip these at 255
            gray = Image.fromarray((np.asarray(turned) >> 8).clip(0, 255).astype(np.uint8))
        else:
            gray = turned.convert("L")
        if image_shape is not None and gray.size != (image_shape[1], image_shape[0]):
            gray = gray.resize((image_shape[1], image_shape[0]), Image.Resampling.BICUBIC)
        return np.asarray(gray)


def read_many(
    names: Sequence[str], opener: Callable[[str], Any], image_shape: tuple[int, int]
) -> tuple[np.ndarray, np.ndarray]:
    """Read pictures to rows; skip the unreadable ones with one warning.

    Parameters
    ----------
    names : sequence of str
        Names of the pictures.
    opener : callable
        Turns a name into what :func:`read_gray` reads.
    image_shape : tuple (height, width)
        Size of every picture.

    Returns
    -------
    X : ndarray of uint8 of shape (n_readable, height * width)
    kept : ndarray of bool of shape (n_pictures,)
        Which pictures could be read.
    """
    Image, _ = _pillow()
    X = np.empty((len(names), image_shape[0] * image_shape[1]), dtype=np.uint8)
    kept = np.zeros(len(names), dtype=bool)
    for i, name in enumerate(names):
        try:
            X[i] = read_gray(opener(name), image_shape).ravel()
        except (*_UNREADABLE, Image.DecompressionBombError):
            continue
        kept[i] = True
    if not kept.all():
        skipped = np.flatnonzero(~kept)
        warnings.warn(
            f"Skipped {len(skipped)} of {len(names)} pictures that cannot be read, "
            f"the first of them {names[skipped[0]]}.",
            UserWarning,
            stacklevel=3,
        )
    return X[kept], kept
