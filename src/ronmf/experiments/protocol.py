"""What an experiment hides and what it shows.

A :class:`Case` knows the truth and scores; its :class:`~ronmf.experiments.view.View` is all that a
method may see. The runner sends views to other processes, in which the truth never exists.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.preprocessing import normalize

from ..datasets import Dataset
from ..graph import neighbor_graph
from ..metrics import score
from ..noise import add_noise
from .view import View

__all__ = ["Case", "draw_case"]

# Streams of random numbers: changing one thing (the noise, say) leaves the others as they are.
_CLASSES, _SAMPLES, _LABELS, _NOISE, _ORDER = range(5)


@dataclass(frozen=True, eq=False)
class Case:
    """One draw of an experiment: a view, and the truth to score against."""

    view: View
    _truth: np.ndarray = field(repr=False)
    _unlabelled: np.ndarray = field(repr=False)

    @property
    def truth_for_pictures(self) -> np.ndarray:
        """A copy of the true classes, to colour figures with; never given to a method."""
        return self._truth.copy()

    def score(self, labels: Any) -> dict[str, float]:
        """Return all metrics of a clustering, over unlabelled samples and over all."""
        labels = np.array(labels)
        if labels.shape != self._truth.shape or labels.dtype.kind not in "iu":
            raise ValueError(
                f"the method returned labels of shape {labels.shape} and type {labels.dtype};"
                f" it must return one cluster number for each of {len(self._truth)} samples."
            )
        return score(self._truth, labels, self._unlabelled)


def draw_case(
    dataset: Dataset,
    *,
    n_classes: int | None = None,
    label_rate: float = 0.3,
    seed: int = 0,
    noise: str = "none",
    noise_level: float = 0.0,
    samples_per_class: int | None = None,
    scaling: str = "unit",
    leak: str = "none",
) -> Case:
    """Draw classes, samples and labels of a dataset, add noise, and hide the rest.

    Parameters
    ----------
    dataset : Dataset
        Pictures in [0, 1] and their classes.
    n_classes : int, default=None
        How many classes to draw; None: all.
    label_rate : float, default=0.3
        Share of each class that is labelled, at least one sample.
    seed : int, default=0
        Seed of everything: equal seeds draw equal classes, samples and labels whatever the noise.
    noise, noise_level : str, float
        See :func:`ronmf.noise.add_noise`.
    samples_per_class : int, default=None
        Largest number of samples of a class, drawn at random.
    scaling : {"unit", "none"}, default="unit"
        Scale samples to unit length, as the paper does, or leave them in [0, 1].
    leak : {"none", "authors"}, default="none"
        "authors" rebuilds the graph of the released code, in which every hidden label decides.

    Examples
    --------
    >>> from ronmf.datasets import load
    >>> case = draw_case(load("digits"), n_classes=3, label_rate=0.1, seed=0)
    >>> sorted(set(case.view.y.tolist()))
    [-1, 0, 1, 2]
    """
    codes = np.unique(dataset.y[dataset.y >= 0])
    if n_classes is not None and not 1 <= n_classes <= len(codes):
        raise ValueError(
            f"n_classes={n_classes} is out of range: {dataset.name} has {len(codes)} classes."
        )
    count = len(codes) if n_classes is None else n_classes
    chosen = np.sort(_rng(seed, _CLASSES).choice(codes, count, replace=False))
    members = [np.flatnonzero(dataset.y == code) for code in chosen]
    samples = _rng(seed, _SAMPLES)
    if samples_per_class is not None:
        members = [samples.permutation(m)[:samples_per_class] for m in members]
    truth = np.repeat(np.arange(count), [len(m) for m in members])
    rows = np.concatenate(members)

    y, labels = np.full(len(rows), -1), _rng(seed, _LABELS)
    for j in range(count):
        own = np.flatnonzero(truth == j)
        y[labels.choice(own, max(1, round(label_rate * len(own))), replace=False)] = j
    # Files are sorted by class: the order itself would tell.
    order = _rng(seed, _ORDER).permutation(len(rows))
    X, truth, y = dataset.X[rows[order]], truth[order], y[order]
    unlabelled = y < 0
    X, y = add_noise(X, y, noise, noise_level, (seed, _NOISE), dataset.image_shape)
    X = normalize(X) if scaling == "unit" else X
    affinity = _supervised_graph(X, truth) if leak == "authors" else None
    return Case(View(X, y, count, dataset.image_shape, affinity), truth, unlabelled)


def _rng(seed: int, stream: int) -> np.random.Generator:
    return np.random.default_rng((seed, stream))


def _supervised_graph(X: np.ndarray, truth: np.ndarray) -> sp.csr_array:
    """Join samples with their five nearest neighbours *of the same true class*: the leak."""
    W = sp.lil_array((len(X), len(X)))
    for j in np.unique(truth):
        own = np.flatnonzero(truth == j)
        inner = neighbor_graph(X[own], 5, weights="heat", heat_width=1.0).affinity
        W[np.ix_(own, own)] = inner.toarray()
    return sp.csr_array(W)
