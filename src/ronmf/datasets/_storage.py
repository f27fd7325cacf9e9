"""Datasets as files of our own layout."""

from pathlib import Path

import numpy as np

from ..system.files import whole_file

__all__ = ["save_npz"]


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
