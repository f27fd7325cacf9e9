"""The label term of an objective: rows of labelled samples are close to their labels."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from array_api_compat import array_namespace

from .encoding import is_labelled, one_hot

__all__ = ["LabelAnchor"]


@dataclass(frozen=True)
class LabelAnchor:
    r"""The distance :math:`\mathrm{tr}((F-Y)'S(F-Y))` of memberships F from the labels Y.

    Attributes
    ----------
    Y : array of shape (n_samples, n_clusters)
        One-hot rows for anchored samples, zero rows for the others.
    anchored : array of shape (n_samples,)
        1 for an anchored sample, else 0: the diagonal of S.
    """

    Y: Any
    anchored: Any

    @classmethod
    def at(cls, codes: np.ndarray, n_clusters: int, like: Any) -> "LabelAnchor":
        """Anchor the samples with a code (-1 is free), in the library of `like`."""
        return cls(one_hot(codes, n_clusters, like), is_labelled(codes, like))

    def distance(self, F: Any) -> float:
        """Return ``tr((F-Y)'S(F-Y))``.

        Examples
        --------
        >>> anchor = LabelAnchor.at(np.array([0, -1]), 2, np.empty((0, 0)))
        >>> anchor.distance(np.array([[0.5, 0.5], [9.0, 9.0]]))
        0.5
        """
        return float(array_namespace(F).sum(self.anchored[:, None] * (F - self.Y) ** 2))
