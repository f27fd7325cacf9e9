"""Small pictures for pages: made from files or arrays, as bytes that a browser shows."""

import io
from base64 import b64encode
from typing import Any

import numpy as np

from ..datasets._pictures import on_white, opened_picture, upright

__all__ = ["Thumbnail", "array_thumbnail", "file_thumbnail"]

_QUALITY = 80  # of JPEG
_TINY = 64  # pixels of the longer side up to which a picture is kept as it is


class Thumbnail(bytes):
    """A small picture, as the bytes of a PNG or JPEG file.

    Examples
    --------
    >>> picture = array_thumbnail(np.eye(8))
    >>> picture.media_type, picture.data_url()[:22]
    ('image/png', 'data:image/png;base64,')
    """

    @property
    def media_type(self) -> str:
        """What a browser is told that this is."""
        return "image/png" if self.startswith(b"\x89PNG") else "image/jpeg"

    def data_url(self) -> str:
        """Return an address that carries the picture itself."""
        return f"data:{self.media_type};base64,{b64encode(self).decode('ascii')}"


def file_thumbnail(source: Any, side: int = 128) -> Thumbnail:
    """Return a small upright picture of a file.

    Parameters
    ----------
    source : path or binary file
        The picture.
    side : int, default=128
        Pixels of its longer side, at most; a smaller picture keeps its size.

    Raises
    ------
    UnreadablePicture
        If the file is no picture, or none that should be decoded.
    """
    with opened_picture(source) as picture:
        tiny = max(picture.size) <= _TINY
        picture.draft("RGB", (side, side))
        small = on_white(upright(picture))
        small = small.convert("L" if small.mode in ("1", "L", "LA") else "RGB")
        small.thumbnail((side, side))
        # What the file says beside its pixels, such as where it was taken, stays behind.
        small.info.clear()
        return _encoded(small, "PNG" if tiny else "JPEG")


def array_thumbnail(values: Any, image_shape: tuple[int, ...] | None = None) -> Thumbnail:
    """Return a picture of gray or colour values.

    Parameters
    ----------
    values : array-like of shape (height, width), (height, width, 3) or (n_features,)
        8-bit values as they are; others are scaled so that the largest is white.
    image_shape : tuple, default=None
        Shape of the picture, if `values` is a row.
    """
    from PIL import Image

    pixels = np.asarray(values)
    if image_shape is not None:
        pixels = pixels.reshape(image_shape)
    if pixels.ndim == 3 and pixels.shape[2] == 1:
        pixels = pixels[:, :, 0]
    if pixels.dtype != np.uint8:
        largest = float(pixels.max(initial=0.0))
        scale = 255 / largest if largest > 0 else 0.0
        pixels = (pixels.clip(0, None) * scale).round().astype(np.uint8)
    return _encoded(Image.fromarray(pixels), "PNG")


def _encoded(picture: Any, kind: str) -> Thumbnail:
    file = io.BytesIO()
    options = {"quality": _QUALITY} if kind == "JPEG" else {"optimize": True}
    picture.save(file, kind, **options)
    return Thumbnail(file.getvalue())
