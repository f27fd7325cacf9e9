"""A map of the samples, coloured by class."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from ..numerics.arrays import to_numpy
from ._drawing import axes_for, fitted_attribute

__all__ = ["MembershipDisplay", "circle_of_classes"]

_DISC = 0.75  # radius of the largest class, as a share of half the distance between corners
_GOLDEN = np.pi * (3 - np.sqrt(5))  # by this angle the seeds of a sunflower are apart
_MOST_NAMED = 30  # classes up to which there is a legend


def circle_of_classes(probabilities: np.ndarray) -> np.ndarray:
    """Return places in a map: classes on a circle, and every sample between those it may be of.

    A sample is at the mean of the corners, weighted by its probabilities. Sure samples would lie
    on top of each other, so those of a class are spread over a disc like the seeds of a sunflower,
    the surest in the middle: the area of the disc tells how many they are.

    Parameters
    ----------
    probabilities : ndarray of shape (n_samples, n_classes)
        Rows that sum to one.

    Examples
    --------
    >>> circle_of_classes(np.array([[1.0, 0.0], [0.5, 0.5]]))[0].round(6).tolist()  # a corner
    [1.0, 0.0]
    """
    n, c = probabilities.shape
    angles = 2 * np.pi * np.arange(c) / c
    corners = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    labels, certainty = probabilities.argmax(axis=1), probabilities.max(axis=1)
    order = np.lexsort((-certainty, labels))
    sizes = np.bincount(labels, minlength=c)
    rank = np.empty(n)
    rank[order] = np.arange(n) - (np.cumsum(sizes) - sizes)[labels[order]]
    half = np.sin(np.pi / c) if c > 1 else 1.0
    radius = _DISC * half * np.sqrt(rank / max(1, sizes.max(initial=0)))
    turn = _GOLDEN * rank
    seeds = np.stack([radius * np.cos(turn), radius * np.sin(turn)], axis=1)
    return probabilities @ corners + seeds


class MembershipDisplay:
    """A map of the samples, coloured by class; given labels have a dark rim.

    Parameters
    ----------
    coordinates : ndarray of shape (n_samples, 2)
        Where each sample is.
    labels : ndarray of int, shape (n_samples,)
        Cluster of each sample, an index into `names`.
    names : list of str
        Class names.
    labelled : ndarray of bool, shape (n_samples,)
        Which samples had a label.

    Attributes
    ----------
    ax_ : matplotlib axes
    figure_ : matplotlib figure

    Examples
    --------
    >>> from ronmf import HarmonicLabelPropagation
    >>> from ronmf.displays import MembershipDisplay
    >>> X = np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]])
    >>> model = HarmonicLabelPropagation(n_neighbors=2).fit(X, [0, -1, -1, -1, -1, 1])
    >>> MembershipDisplay.from_estimator(model).coordinates.shape
    (6, 2)
    """

    def __init__(
        self, coordinates: np.ndarray, labels: np.ndarray, names: list[str], labelled: np.ndarray
    ) -> None:
        self.coordinates, self.labels = coordinates, labels
        self.names, self.labelled = names, labelled

    @classmethod
    def from_estimator(
        cls, estimator: Any, *, ax: Any = None, coordinates: Any = None, size: float = 12.0
    ) -> Self:
        """Draw the samples of a fitted model.

        Parameters
        ----------
        estimator : clusterer
            Fitted, with ``label_distributions_``.
        coordinates : array of shape (n_samples, 2), default=None
            Where each sample is, such as a t-SNE of the data. None: classes are on a circle, and
            each sample is between those it may be of, by ``label_distributions_``.
        ax, size
            See :meth:`plot`.

        Returns
        -------
        MembershipDisplay
        """
        P = fitted_attribute(estimator, "label_distributions_", cls)
        places = circle_of_classes(P) if coordinates is None else to_numpy(coordinates)
        if places.shape != (len(P), 2):
            raise ValueError(
                f"coordinates has shape {places.shape}; give two numbers for each of {len(P)}"
                " samples."
            )
        names = [str(name) for name in estimator.classes_.tolist()]
        labelled = estimator._known.codes >= 0
        return cls(places, estimator.labels_, names, labelled).plot(ax=ax, size=size)

    def plot(self, *, ax: Any = None, size: float = 12.0) -> Self:
        """Draw the map.

        Parameters
        ----------
        ax : matplotlib axes, default=None
            Where; None makes a new figure.
        size : float, default=12
            Area of a point.

        Returns
        -------
        MembershipDisplay
            This one, with ``ax_`` and ``figure_``.
        """
        self.figure_, (self.ax_,) = axes_for(type(self).__name__, ax, 1, 1, (6, 5))
        import matplotlib

        colours = matplotlib.colormaps["tab10" if len(self.names) <= 10 else "gist_rainbow"]
        step = 1 if len(self.names) <= 10 else 1 / len(self.names)
        for j, name in enumerate(self.names):
            own = self.labels == j
            rims = np.where(self.labelled[own, None], [[0, 0, 0, 1]], [[0, 0, 0, 0]])
            self.ax_.scatter(
                *self.coordinates[own].T,
                s=size,
                color=[colours(j * step)],
                edgecolors=rims,
                linewidths=0.7,
                label=name.replace("$", r"\$").removeprefix("_"),
            )
        self.ax_.set(xticks=[], yticks=[], aspect="equal")
        if len(self.names) <= _MOST_NAMED:
            legend = self.ax_.legend(fontsize="small", loc="center left", bbox_to_anchor=(1, 0.5))
            for handle in legend.legend_handles:
                handle.set_edgecolor("none")
        return self
