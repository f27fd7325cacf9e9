"""Draws for the benchmarks: k classes, a share of each labelled, the rest hidden.

The real sets come from a data directory (``--data`` or the variable ``RONMF_DATA``), see
:mod:`ronmf.datasets`; digits come with scikit-learn.
"""

import os
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import numpy as np
from sklearn.preprocessing import normalize

from ronmf import datasets

SETS = ("yale", "umist", "orl10p", "coil20", "coil100", "usps", "mnist", "cal101")


@dataclass(frozen=True)
class Draw:
    """One experiment: a method may see `X` and `y` only; `truth` is for scoring."""

    X: np.ndarray
    y: np.ndarray
    truth: np.ndarray

    def score(self, predicted: np.ndarray) -> tuple[float, float]:
        """Return the accuracy on the unlabelled samples, and on all."""
        right = predicted == self.truth
        return float(right[self.y == -1].mean()), float(right.mean())


def data_directory(option: str | None) -> Path | None:
    """Return the data directory, or None where none is set or it does not exist."""
    folder = option or os.environ.get("RONMF_DATA")
    return Path(folder) if folder and Path(folder).is_dir() else None


def available(name: str, folder: Path | None) -> bool:
    if name == "digits":
        return True
    return folder is not None and datasets.find(name, folder) is not None


@lru_cache(maxsize=1)
def load(name: str, folder: Path | None) -> tuple[np.ndarray, np.ndarray]:
    """Return pixels in [0, 1] and integer classes; of cal101 the first 20 classes."""
    dataset = datasets.load(name, folder)
    keep = dataset.y < 20 if name == "cal101" else slice(None)
    return dataset.X[keep], dataset.y[keep]


@lru_cache(maxsize=1)
def load_dataset(name: str, folder: Path | None) -> datasets.Dataset:
    """Return a set with the shape of its pictures; the last one is kept."""
    return datasets.load(name, folder)


def thin(dataset: datasets.Dataset, most: int | None, seed: int) -> datasets.Dataset:
    """Return at most so many samples, drawn at random; classes keep their sizes, about."""
    if most is None or len(dataset.y) <= most:
        return dataset
    # A stream of its own: draws of the experiments use the first few.
    rng = np.random.default_rng((seed, 100))
    rows = np.sort(rng.permutation(len(dataset.y))[:most])
    return replace(dataset, X=dataset.X[rows], y=dataset.y[rows])


def draw(
    name: str,
    seed: int,
    folder: Path | None = None,
    *,
    n_classes: int | None = 6,
    label_rate: float = 0.3,
    max_samples: int = 2000,
    unit: bool = True,
) -> Draw:
    """Draw classes, samples and labels; samples are scaled to unit length unless told otherwise."""
    X, truth = load(name, folder)
    rng = np.random.default_rng(seed)
    if n_classes is not None:
        chosen = np.sort(rng.choice(np.unique(truth), n_classes, replace=False))
        keep = np.isin(truth, chosen)
        X, truth = X[keep], np.searchsorted(chosen, truth[keep])
    if len(X) > max_samples:
        subset = rng.permutation(len(X))[:max_samples]
        X, truth = X[subset], truth[subset]
    y = np.full(len(truth), -1)
    for j in np.unique(truth):
        members = np.flatnonzero(truth == j)
        count = max(1, round(label_rate * len(members)))
        y[rng.choice(members, count, replace=False)] = j
    return Draw(normalize(X) if unit else X, y, truth)
