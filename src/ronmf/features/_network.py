"""What all networks have in common: pixels in, non-negative vectors out."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from ._preparing import Channels

__all__ = ["Network"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Network(ABC):
    """A network that is loaded. A subclass runs it, in `_vectors`.

    Attributes
    ----------
    size : tuple (height, width)
        Size that pictures are brought to; those that have it already are taken as they are.
    length : int
        Number of values of a vector z that it gives.
    mean, deviation : tuple of float
        Of the pixel values 0..255 the network was trained on, one number per channel.
    halves : bool
        Whether these values may be negative, so that the features are max(0, z) and max(0, -z).
    """

    size: tuple[int, int]
    length: int
    mean: Channels
    deviation: Channels
    halves: bool

    @property
    def width(self) -> int:
        """Number of features."""
        return 2 * self.length if self.halves else self.length

    def embed(self, pictures: np.ndarray) -> np.ndarray:
        """Return non-negative features of pictures.

        Parameters
        ----------
        pictures : ndarray of shape (n, height, width, 1 or 3)
            Pixel values from 0 to 255, of uint8 or float32; gray is taken for all three colours.

        Returns
        -------
        ndarray of float32 of shape (n, width)
        """
        z = self._vectors(pictures)
        if not np.isfinite(z).all():
            raise ValueError("the network gives values that are not finite; its numbers overflow.")
        return np.concatenate([np.maximum(z, 0), np.maximum(-z, 0)], axis=1) if self.halves else z

    @abstractmethod
    def _vectors(self, pictures: np.ndarray) -> np.ndarray: ...
