"""What an experiment hides and what it shows.

A :class:`Case` knows the truth and scores; its :class:`View` is all that a
method may see. The runner sends views to other processes, in which the truth never exists.
"""

import hashlib
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.preprocessing import normalize

from ...datasets import Dataset
from ...graph import neighbor_graph
from ...metrics import score
from .._noise import add_noise
from .plan_keys import EXPERIMENT_KEYS
from .view import View

__all__ = ["Case", "draw_case"]

# Streams of random numbers: changing one thing (the noise, say) leaves the others as they are.
_CLASSES, _SAMPLES, _LABELS, _NOISE, _ORDER, _TIES = range(6)


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
        return score(self._truth, self.view.check_labels(labels), self._unlabelled)


def draw_case(
    dataset: Dataset,
    *,
    n_classes: int | None = None,
    label_rate: float | None = 0.3,
    labels_per_class: int | None = None,
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
    label_rate : float or None, default=0.3
        Share of each class that is labelled, at least one sample.
    labels_per_class : int, default=None
        So many labels of each class, at most all but one; `label_rate` is then not used.
    seed : int, default=0
        Seed of everything: equal seeds draw equal classes, samples and labels whatever the noise.
    noise, noise_level : str, float
        See :func:`ronmf.bench.add_noise`.
    samples_per_class : int, default=None
        Largest number of samples of a class, drawn at random.
    scaling : {"unit", "none"}, default="unit"
        Scale samples to unit length, as the paper does, or leave them in [0, 1].
    leak : {"none", "authors"}, default="none"
        "authors" rebuilds the graph of the released code, in which every hidden label decides.

    Returns
    -------
    Case
        Its ``view`` is for methods, its ``score`` for what they found.

    Examples
    --------
    >>> from ronmf.datasets import load
    >>> case = draw_case(load("digits"), n_classes=3, label_rate=0.1, seed=0)
    >>> sorted(set(case.view.y.tolist()))
    [-1, 0, 1, 2]
    """
    EXPERIMENT_KEYS["scaling"].read("scaling", scaling)
    EXPERIMENT_KEYS["leak"].read("leak", leak)
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

    # By positions in the file, which no method knows: by positions in the view, the ranks of the
    # labelled samples within their class could be computed again and would tell where its others
    # lie.
    y, labels = np.full(len(rows), -1), _rng(seed, _LABELS)
    for j in range(count):
        members_of_j = np.flatnonzero(truth == j)
        number = _label_count(len(members_of_j), label_rate, labels_per_class)
        y[labels.choice(members_of_j, number, replace=False)] = j
    X = dataset.X[rows]
    order, secret = _order(X, seed)
    X, truth, y = X[order], truth[order], y[order]
    unlabelled = y < 0
    X, y = add_noise(X, y, noise, noise_level, (seed, _NOISE, secret), dataset.image_shape)
    X = normalize(X) if scaling == "unit" else X
    affinity = _supervised_graph(X, truth) if leak == "authors" else None
    return Case(View(X, y, count, dataset.image_shape, affinity), truth, unlabelled)


def _rng(*seeds: int) -> np.random.Generator:
    return np.random.default_rng(seeds)


def _label_count(size: int, rate: float | None, number: int | None) -> int:
    """Return how many of a class of `size` samples are labelled."""
    if number is not None:
        if number < 1:
            raise ValueError(
                f"labels_per_class={number} is out of range; use whole numbers from 1."
            )
        return max(1, min(number, size - 1))
    if rate is None:
        raise ValueError("label_rate and labels_per_class are both None; give one of them.")
    return max(1, round(rate * size))


def _order(X: np.ndarray, seed: int) -> tuple[np.ndarray, int]:
    """Return an order of the samples that tells nothing of their classes, and a secret number.

    Files are sorted by class, and a method that knows the seed can undo a shuffle. What it then
    finds is the order of the digests of the pictures, in which no class takes part. The secret is
    a digest of the pictures in the order of the file: whoever could compute it has the classes
    already. It decides between identical pictures, whose order would be that of the file, and it
    seeds the noise, which could otherwise be subtracted and flipped labels told from right ones.
    """
    digests = [hashlib.blake2b(row.tobytes(), digest_size=16).digest() for row in X]
    secret = int.from_bytes(hashlib.blake2b(b"".join(digests), digest_size=16).digest(), "big")
    ties = _rng(seed, _TIES, secret).permutation(len(X))
    plain = np.array(sorted(range(len(X)), key=lambda i: (digests[i], ties[i])))
    return plain[_rng(seed, _ORDER).permutation(len(X))], secret


def _supervised_graph(X: np.ndarray, truth: np.ndarray) -> sp.csr_array:
    """Join samples with their five nearest neighbours *of the same true class*: the leak."""
    W = sp.lil_array((len(X), len(X)))
    for j in np.unique(truth):
        members = np.flatnonzero(truth == j)
        inner = neighbor_graph(X[members], 5, weights="heat", heat_width=1.0).affinity
        W[np.ix_(members, members)] = inner.toarray()
    return sp.csr_array(W)
