"""Datasets from single files: ``.npz`` and ``.mat``."""

import math
import os
from pathlib import Path
from typing import Any

import numpy as np

from ..system.files import user_path
from ._array_files import read_mat_arrays, read_npz_arrays
from ._dataset import Dataset, build

__all__ = ["from_mat", "from_npz", "read_mat"]

# The names these arrays go by in this field, in lower case.
_VALUES = ("x", "fea", "data")
_LABELS = ("y", "gnd", "label", "labels")


def from_npz(path: str | os.PathLike) -> Dataset:
    """Read a dataset saved by :func:`numpy.savez`.

    Parameters
    ----------
    path : str or path
        File with ``X`` (samples x features, or samples x height x width), and if there are any
        ``y`` (labels, -1 for unlabelled), ``shape`` (height, width) and ``names`` (of the classes).

    Returns
    -------
    Dataset
        Named after the file; values in [0, 1] as :func:`ronmf.datasets.to_unit` makes them.
    """
    path = _existing(path)
    arrays = read_npz_arrays(path, ("X", "y", "shape", "names"))
    if "X" not in arrays:
        raise ValueError(f"{path} holds no array called X: save the samples under that name.")
    return _built(
        path, arrays["X"], arrays.get("y"), arrays.get("shape"), names=arrays.get("names")
    )


def from_mat(path: str | os.PathLike, image_shape: tuple[int, int] | None = None) -> Dataset:
    """Read a dataset from a MATLAB file, as they are shared in this field.

    Parameters
    ----------
    path : str or path
        File with ``X`` and ``Y``, or ``fea`` and ``gnd`` (capital letters do not matter), samples
        in rows or, if the number of labels says so, in columns. With other names, the largest
        matrix and the one vector that fits it are taken.
    image_shape : tuple (height, width), optional
        Size of the pictures. If None and the number of features is a square, the pictures are
        taken to be square; otherwise the rows are kept as they are.

    Returns
    -------
    Dataset
        MATLAB stores pictures column by column; they are turned upright here.
    """
    path = _existing(path)
    values, labels = read_mat(path)
    side = math.isqrt(values.shape[1])
    if image_shape is None and side * side == values.shape[1]:
        image_shape = (side, side)
    if image_shape is not None:
        height, width = image_shape
        if height * width == values.shape[1]:  # if not, `build` says so
            values = values.reshape(-1, width, height).transpose(0, 2, 1)
            values = values.reshape(len(values), -1)
    return _built(path, values, labels, image_shape)


def read_mat(path: Path) -> tuple[np.ndarray, np.ndarray | None]:
    """Read samples x features and labels of a MATLAB file, pictures still column by column."""
    arrays = {key.lower(): value for key, value in read_mat_arrays(path).items()}
    values = _named(arrays, _VALUES)
    named = values is not None
    if values is None:
        matrices = [a for a in arrays.values() if a.ndim == 2 and min(a.shape) > 1]
        if not matrices:
            raise ValueError(f"{path} holds no matrix called X or fea.")
        values = max(matrices, key=lambda matrix: matrix.size)
    if values.ndim != 2 or not values.size:
        raise ValueError(
            f"{path} holds samples of shape {values.shape}: save a matrix with one row per sample."
        )
    labels = _named(arrays, _LABELS)
    if labels is None and not named:
        fitting = [a for a in arrays.values() if a.size == max(a.shape) and a.size in values.shape]
        labels = fitting[0] if len(fitting) == 1 else None
    if labels is not None:
        if labels.size != max(labels.shape):
            raise ValueError(f"{path} holds labels of shape {labels.shape}: save one per sample.")
        labels = labels.ravel()
        if len(labels) not in values.shape:
            raise ValueError(
                f"{path} holds {len(labels)} labels for a matrix of {values.shape}: "
                "one side of it must be the number of labels."
            )
        if len(labels) != values.shape[0]:
            values = values.T
    return values, labels


def _named(arrays: dict[str, np.ndarray], names: tuple[str, ...]) -> np.ndarray | None:
    return next((arrays[name] for name in names if name in arrays), None)


def _existing(path: str | os.PathLike) -> Path:
    path = user_path(path)
    if not path.is_file():
        raise FileNotFoundError(f"path is {path}, which is not a file.")
    return path


def _built(path: Path, values: Any, labels: Any, shape: Any, names: Any = None) -> Dataset:
    try:
        return build(path.stem.lower(), values, labels, shape, names)
    except (ValueError, TypeError) as error:
        raise ValueError(f"{path}: {error}") from error
