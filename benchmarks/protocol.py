"""Data and labels for the benchmarks: k classes, a share of each labelled, the rest hidden.

The real sets are read from a data directory (``--data`` or the variable ``RONMF_DATA``) that holds
``yale.npz`` and the like, each with ``X`` (samples x features), ``y`` and ``shape``, and
``cal101.zip`` with one folder of JPEG files a class. Digits come with scikit-learn.
"""

import io
import os
import zipfile
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits
from sklearn.preprocessing import normalize

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
    file = "cal101.zip" if name == "cal101" else f"{name}.npz"
    return folder is not None and (folder / file).exists()


@lru_cache(maxsize=1)
def load(name: str, folder: Path | None) -> tuple[np.ndarray, np.ndarray]:
    """Return pixels in [0, 1] and integer classes."""
    if name == "digits":
        X, y = load_digits(return_X_y=True)
        return X / 16.0, y
    assert folder is not None
    if name == "cal101":
        return _load_caltech(folder / "cal101.zip")
    with np.load(folder / f"{name}.npz", allow_pickle=False) as file:
        X, y = file["X"].astype(float), file["y"]
    return X / X.max(), y


def _load_caltech(path: Path, n_classes: int = 20, side: int = 64) -> tuple[np.ndarray, np.ndarray]:
    """Read the first classes in alphabetical order as gray pictures of one size."""
    from PIL import Image

    pictures, labels = [], []
    with zipfile.ZipFile(path) as archive:
        names = sorted(n for n in archive.namelist() if n.lower().endswith(".jpg"))
        classes = sorted({n.split("/")[-2] for n in names})[:n_classes]
        for name in names:
            folder = name.split("/")[-2]
            if folder in classes:
                image = Image.open(io.BytesIO(archive.read(name))).convert("L").resize((side, side))
                pictures.append(np.asarray(image, dtype=float).ravel() / 255)
                labels.append(classes.index(folder))
    return np.array(pictures), np.array(labels)


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
