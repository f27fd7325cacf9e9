"""Prototypes and parts as pictures."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np

from ..numerics.arrays import to_numpy
from ..numerics.pictures import picture_shape
from ._drawing import axes_for, fitted_attribute

__all__ = ["PartsDisplay", "PrototypesDisplay"]

_SIZE = (1.3, 1.5)  # inches of a picture with its title


class _PicturesDisplay:
    """Rows of features as pictures, each as bright as it can be: their scale is arbitrary."""

    _attribute: ClassVar[str]  # what is drawn of a model

    def __init__(self, rows: np.ndarray, titles: list[str], image_shape: tuple[int, ...]) -> None:
        self.rows, self.titles = rows, titles
        self.image_shape = picture_shape(type(self).__name__, image_shape, rows.shape[1])

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        *,
        axes: Any = None,
        image_shape: tuple[int, ...] | None = None,
        cmap: str = "gray",
        n_columns: int = 10,
    ) -> Self:
        """Draw the pictures of a fitted model.

        Parameters
        ----------
        estimator : clusterer
            Fitted, with what is drawn.
        image_shape : tuple, default=None
            How a row lies in the picture; None: as the model knows it.
        axes, cmap, n_columns
            See :meth:`plot`.

        Returns
        -------
        display
        """
        rows = to_numpy(fitted_attribute(estimator, cls._attribute, cls))
        titles = cls._titles(estimator, len(rows))
        display = cls(rows, titles, _shape_of(estimator, image_shape))
        return display.plot(axes=axes, cmap=cmap, n_columns=n_columns)

    @classmethod
    def _titles(cls, estimator: Any, count: int) -> list[str]:
        return [str(j) for j in range(count)]

    def plot(self, *, axes: Any = None, cmap: str = "gray", n_columns: int = 10) -> Self:
        """Draw the pictures.

        Parameters
        ----------
        axes : array of matplotlib axes, default=None
            One for each picture, or more; None makes a new figure.
        cmap : str, default="gray"
            The colours of pictures with a single channel.
        n_columns : int, default=10
            Pictures side by side in a new figure.

        Returns
        -------
        display
            This one, with ``axes_`` and ``figure_``.
        """
        name, count = type(self).__name__, len(self.rows)
        n_columns, one = min(n_columns, count), self.image_shape[-1] == 1
        self.figure_, self.axes_ = axes_for(name, axes, count, n_columns, _SIZE)
        for ax, row, title in zip(self.axes_, self.rows, self.titles, strict=True):
            largest = float(row.max()) or 1.0
            picture = (row / largest).reshape(self.image_shape).squeeze(-1 if one else ())
            ax.imshow(picture, cmap=cmap, vmin=0, vmax=1)
            ax.set_title(title, fontsize="small", parse_math=False)
            ax.set_xticks([])
            ax.set_yticks([])
        return self


def _shape_of(estimator: Any, image_shape: tuple[int, ...] | None) -> tuple[int, ...]:
    shape = image_shape or getattr(estimator, "image_shape_", None)
    if shape is None:
        raise ValueError(
            "image_shape is None and the model was fitted to rows that are no pictures; give"
            " (height, width)."
        )
    return tuple(shape)


class PrototypesDisplay(_PicturesDisplay):
    """The prototypes of a model, one typical picture per cluster.

    Parameters
    ----------
    rows : ndarray of shape (n_clusters, n_features)
        The prototypes.
    titles : list of str
        Class names.
    image_shape : tuple (height, width) or (height, width, channels)
        How a row lies in the picture.

    Attributes
    ----------
    axes_ : ndarray of matplotlib axes
        One for each picture.
    figure_ : matplotlib figure

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from ronmf import HarmonicLabelPropagation
    >>> from ronmf.displays import PrototypesDisplay
    >>> digits = load_digits()
    >>> model = HarmonicLabelPropagation().fit(digits.images[:200], digits.target[:200])
    >>> len(PrototypesDisplay.from_estimator(model).axes_)
    10
    """

    _attribute = "prototypes_"

    @classmethod
    def _titles(cls, estimator: Any, count: int) -> list[str]:
        return [str(name) for name in estimator.classes_.tolist()]


class PartsDisplay(_PicturesDisplay):
    """The parts of a model: the pixels that go together in each component.

    Parameters
    ----------
    rows : ndarray of shape (n_components, n_features)
        The parts.
    titles : list of str
        What to write above each.
    image_shape : tuple (height, width) or (height, width, channels)
        How a row lies in the picture.

    Attributes
    ----------
    axes_ : ndarray of matplotlib axes
        One for each picture.
    figure_ : matplotlib figure

    Examples
    --------
    >>> from ronmf.displays import PartsDisplay
    >>> PartsDisplay(np.eye(2, 6), ["0", "1"], (2, 3)).plot().axes_.shape
    (2,)
    """

    _attribute = "components_"
