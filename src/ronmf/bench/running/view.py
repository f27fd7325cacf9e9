"""All that a method may see of an experiment."""

from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["View"]


@dataclass(frozen=True, eq=False)
class View:
    """What a method may see.

    Attributes
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data, in random order.
    y : ndarray of int, shape (n_samples,)
        Given labels, -1 where hidden.
    n_clusters : int
        The number of classes.
    image_shape : (int, int) or None
        Height and width of the pictures.
    affinity : csr_array or None
        A graph to use, only where a leak is rebuilt on purpose.
    """

    X: np.ndarray
    y: np.ndarray
    n_clusters: int
    image_shape: tuple[int, ...] | None = None
    affinity: Any = None

    @property
    def sizes(self) -> dict[str, int]:
        """Numbers of samples, features and labels, as rows call them."""
        n_samples, n_features = self.X.shape
        n_labelled = int(np.sum(self.y >= 0))
        return {"n_samples": n_samples, "n_features": n_features, "n_labelled": n_labelled}

    def check_labels(self, labels: Any) -> np.ndarray:
        """Return what a method found as an array of cluster numbers, one for each sample.

        Raises
        ------
        ValueError
            If it is anything else.
        """
        labels = np.array(labels)
        if labels.shape != self.y.shape or labels.dtype.kind not in "iu":
            raise ValueError(
                f"the method returned labels of shape {labels.shape} and type {labels.dtype};"
                f" it must return one cluster number for each of {len(self.y)} samples."
            )
        return labels
