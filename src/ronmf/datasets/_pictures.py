"""The one place where picture files are opened. Needs Pillow, imported when a picture is read.

Files come from strangers: only the formats below are tried, the size that a file claims is checked
before anything is decoded, and whatever goes wrong with one file is a reason to skip that file.
"""

import warnings
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from . import _limits as limits

__all__ = [
    "SUFFIXES",
    "UnreadablePicture",
    "check_shape",
    "on_white",
    "opened_picture",
    "picture_size",
    "pillow",
    "read_color",
    "read_gray",
    "read_many",
    "read_member",
    "upright",
]

# Others would need programs or rare decoders: Pillow hands EPS to Ghostscript.
_FORMATS = ("BMP", "GIF", "JPEG", "PNG", "PPM", "TIFF", "WEBP")
SUFFIXES = frozenset(
    (".bmp", ".gif", ".jpeg", ".jpg", ".pgm", ".png", ".pnm", ".ppm", ".tif", ".tiff", ".webp")
)
_ORIENTATION, _ON_ITS_SIDE = 0x0112, (5, 6, 7, 8)  # what cameras say of a picture
_NAMED = 3  # skipped files whose names and reasons a warning tells


class UnreadablePicture(ValueError):
    """A file that is no picture, or none that should be decoded."""


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


def pillow() -> Any:
    """Return Pillow's module ``PIL.Image``, or raise one sentence."""
    try:
        from PIL import Image
    except ImportError as error:
        raise ImportError("Reading pictures needs Pillow: pip install 'ronmf[images]'") from error
    return Image


@contextmanager
def opened_picture(source: Any) -> Iterator[Any]:
    """Open a picture; any failure, here or while it is worked on, is an `UnreadablePicture`.

    Parameters
    ----------
    source : path or binary file
        The picture. Its format is told by its content, not by its name.
    """
    image = pillow()
    from PIL import UnidentifiedImageError

    try:
        with image.open(source, formats=_FORMATS) as picture:
            width, height = picture.size
            if width * height > limits.PICTURE_PIXELS or max(width, height) > limits.PICTURE_SIDE:
                raise UnreadablePicture(f"{width} x {height} pixels are too many")
            yield picture
    except UnreadablePicture:
        raise
    except UnidentifiedImageError as error:
        raise UnreadablePicture(f"none of {', '.join(_FORMATS)}") from error
    except Exception as error:  # a decoder may raise anything for a damaged file
        raise UnreadablePicture(str(error) or type(error).__name__) from error


def picture_size(source: Any) -> tuple[int, int] | None:
    """Height and width of the upright picture, from the head of a file; None if it is none."""
    try:
        with opened_picture(source) as picture:
            on_its_side = picture.getexif().get(_ORIENTATION) in _ON_ITS_SIDE
            size = picture.height, picture.width
            return size[::-1] if on_its_side else size
    except UnreadablePicture:
        return None


def upright(picture: Any) -> Any:
    """Return an open picture upright, with 8 bits per colour.

    Pillow would clip other numbers at 255. Of 16 bits the high ones are kept; whole numbers beyond
    these, and fractions, are scaled so that the largest is white, unless they fit 8 bits, or 1.
    """
    from PIL import Image, ImageOps

    turned = ImageOps.exif_transpose(picture)
    if not turned.mode.startswith(("I", "F")):
        return turned
    values = np.nan_to_num(np.asarray(turned, dtype=np.float64), posinf=0.0, neginf=0.0)
    high = float(values.max(initial=0.0))
    if turned.mode.startswith("I;16") or (turned.mode == "I" and 255 < high <= 65535):
        values = values // 256
    elif turned.mode == "F" and high <= 1:
        values = values * 255
    elif high > 255:
        values = values * (255 / high)
    return Image.fromarray(values.clip(0, 255).astype(np.uint8))


def on_white(picture: Any) -> Any:
    """Return a picture on white, where it is transparent."""
    from PIL import Image

    if not picture.has_transparency_data:
        return picture
    picture = picture.convert("RGBA")
    return Image.alpha_composite(Image.new("RGBA", picture.size, "white"), picture)


def read_gray(source: Any, image_shape: tuple[int, int] | None = None) -> np.ndarray:
    """Read a picture as 8-bit gray values, upright.

    Parameters
    ----------
    source : path or binary file
        The picture. 16-bit pictures lose their low byte.
    image_shape : tuple (height, width), optional
        Size to bring the picture to (bicubic, smoothed when it shrinks); its own if None.
    """
    with opened_picture(source) as picture:
        # The luma channel of a colour JPEG as it is stored, not rounded again through RGB.
        picture.draft("L", picture.size)
        return _resized(upright(picture).convert("L"), image_shape, "BICUBIC")


def read_color(source: Any, image_shape: tuple[int, int] | None = None) -> np.ndarray:
    """Read a picture as 8-bit red, green and blue, upright; what shines through is white.

    Parameters
    ----------
    source : path or binary file
        The picture. 16-bit pictures lose their low byte.
    image_shape : tuple (height, width), optional
        Size to bring the picture to (bilinear, smoothed when it shrinks); its own if None.

    Returns
    -------
    ndarray of uint8 of shape (height, width, 3)
    """
    with opened_picture(source) as picture:
        if image_shape is not None:
            # A JPEG is decoded at an eighth of its size or so, if that is still large enough. The
            # picture may lie on its side, so both sides must do for the longer one.
            picture.draft("RGB", (max(image_shape), max(image_shape)))
        return _resized(on_white(upright(picture)).convert("RGB"), image_shape, "BILINEAR")


def _resized(picture: Any, image_shape: tuple[int, int] | None, resampling: str) -> np.ndarray:
    """Return the values of a picture, brought to a size unless it is None."""
    if image_shape is not None:
        picture = picture.resize(image_shape[::-1], pillow().Resampling[resampling])
    return np.asarray(picture)


def read_member(archive: zipfile.ZipFile, name: str) -> bytes:
    """Return the content of a file in an archive, which may not be what the archive claims.

    Any failure, such as a wrong checksum, a password or a size beyond all measure, is an
    `UnreadablePicture`.
    """
    try:
        with archive.open(name) as file:
            content = file.read(limits.ARCHIVED_PICTURE_BYTES + 1)
    except Exception as error:  # of zipfile, zlib, struct and others
        raise UnreadablePicture(str(error) or type(error).__name__) from error
    if len(content) > limits.ARCHIVED_PICTURE_BYTES:
        raise UnreadablePicture(f"more than {limits.ARCHIVED_PICTURE_BYTES // 2**20} MiB")
    return content


def read_many(
    names: Sequence[str],
    opener: Callable[[str], Any],
    image_shape: tuple[int, int],
    color: bool = False,
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
    color : bool, default=False
        Whether three colours are kept.

    Returns
    -------
    X : ndarray of uint8 of shape (n_readable, height * width), or three times as many columns
    readable : ndarray of bool of shape (n_pictures,)
        Which pictures could be read.
    """
    read = read_color if color else read_gray
    n_values = image_shape[0] * image_shape[1] * (3 if color else 1)
    X = np.empty((len(names), n_values), dtype=np.uint8)
    readable = np.zeros(len(names), dtype=bool)
    reasons = []
    for i, name in enumerate(names):
        try:
            X[i] = read(opener(name), image_shape).ravel()
        except UnreadablePicture as error:
            reasons.append(f"{name!r} ({error})")
            continue
        readable[i] = True
    if reasons:
        more = f" and {len(reasons) - _NAMED} more" if len(reasons) > _NAMED else ""
        warnings.warn(
            f"Skipped {len(reasons)} of {len(names)} pictures that cannot be read: "
            f"{', '.join(reasons[:_NAMED])}{more}.",
            UserWarning,
            stacklevel=3,
        )
    return X[readable], readable
