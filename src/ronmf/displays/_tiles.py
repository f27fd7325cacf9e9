"""Small pictures of samples, from arrays or from files."""

import math
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..datasets._listing import shown_name
from ..datasets._pictures import UnreadablePicture
from ..numerics.arrays import to_numpy
from ._thumbnails import array_thumbnail, file_thumbnail

__all__ = ["Tiles"]


class Tiles:
    """Pictures and names of samples.

    Parameters
    ----------
    n_samples : int
        How many there are.
    images : array, default=None
        Pictures (n_samples, height, width, ...), or rows of them with `image_shape`.
    files : sequence of path, default=None
        Their files: names to show, and pictures too if there are no `images`.
    image_shape : tuple, default=None
        How rows lie in a picture.
    root : path, default=None
        Folder that `files` are relative to; None: the working folder.
    """

    def __init__(
        self,
        n_samples: int,
        images: Any = None,
        files: Sequence[str | os.PathLike] | None = None,
        image_shape: tuple[int, ...] | None = None,
        root: str | os.PathLike | None = None,
    ) -> None:
        for name, given in (("images", images), ("files", files)):
            if given is not None and len(given) != n_samples:
                raise ValueError(
                    f"{name} has {len(given)} entries for {n_samples} samples: give one for each"
                    " sample of fit, in the same order."
                )
        self.images = None if images is None else _pictures(images, image_shape)
        self.files, self.root = files, Path("" if root is None else root)
        self._largest = None if self.images is None else _largest(self.images)

    def name(self, i: int) -> str:
        """Return what a sample is called."""
        if self.files is None:
            return f"sample {i}"
        path = self._path(i)
        return shown_name(path.relative_to(self.root) if self.root in path.parents else path)

    def _path(self, i: int) -> Path:
        """Return where the picture of a sample is, whether its path begins with the root or not."""
        assert self.files is not None
        path = Path(self.files[i])
        return path if self.root in path.parents else self.root / path

    def url(self, i: int) -> str:
        """Return an address that carries the picture of a sample; "" if it cannot be had."""
        if self.images is not None:
            pixels = np.asarray(self.images[i])
            if pixels.dtype != np.uint8 and self._largest:
                # One white for all of them: a dark picture among bright ones looks dark.
                pixels = (pixels.clip(0, None) * (255 / self._largest)).round().astype(np.uint8)
            return array_thumbnail(pixels).data_url()
        if self.files is None:
            return ""
        try:
            return file_thumbnail(self._path(i)).data_url()
        except (UnreadablePicture, OSError):  # it was there when the features were made
            return ""


def _pictures(images: Any, image_shape: tuple[int, ...] | None) -> Any:
    images = images if isinstance(images, np.ndarray) else to_numpy(images)
    if images.ndim == 2:
        if image_shape is None or math.prod(image_shape) != images.shape[1]:
            known = "does not know" if image_shape is None else "knows another"
            raise ValueError(
                f"images has rows of {images.shape[1]} values, and the model {known} shape of a"
                " picture; give them as images.reshape(-1, height, width), or as (-1, height,"
                " width, 3) for colours."
            )
        images = images.reshape(len(images), *image_shape)
    if images.ndim == 4 and images.shape[3] == 1:
        images = images[..., 0]
    if images.ndim not in (3, 4) or (images.ndim == 4 and images.shape[3] != 3):
        raise ValueError(
            f"images has shape {images.shape}: give pictures, (n, height, width) or (n, height,"
            " width, 3)."
        )
    return images


def _largest(images: np.ndarray) -> float:
    if images.dtype == np.uint8:
        return 255.0
    return max(
        (float(np.max(block)) for block in np.array_split(images, 16) if len(block)), default=0.0
    )
