"""Datasets as files of our own layout."""

from pathlib import Path

import numpy as np

from ..system.files import whole_file

__all__ = ["compact", "save_npz"]


def compact(X: np.ndarray) -> np.ndarray:
    """Return 8-bit gray values as such; other values as they are.

    Examples
    --------
    >>> compact(np.array([0.0, 200.0])).dtype, compact(np.array([0.0, 0.5])).dtype
    (dtype('uint8'), dtype('float64'))
    """
    eight_bit = X.min() >= 0 and 1 < X.max() <= 255 and (np.round(X) == X).all()
    return X.astype(np.uint8) if eight_bit else X


def save_npz(
    path: Path,
    X: np.ndarray,
    y: np.ndarray,
    shape: tuple[int, int],
    names: np.ndarray,
) -> None:
    """Write a dataset in the layout :func:`ronmf.datasets.from_npz` reads."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as part:
        np.savez_compressed(
            part, X=X, y=np.asarray(y, np.int64), shape=np.array(shape), names=names.astype(str)
        )
