"""Datasets in files of arrays: ``.npz`` and ``.mat`` are read, ``.npz`` is written.

Files come from strangers: nothing in them is executed, the sizes they claim are checked before
memory is asked for, and whatever goes wrong is one sentence with the file's name.
"""

import math
import os
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from textwrap import shorten
from typing import Any

import numpy as np
from numpy.lib import format as npy

from ..system.files import user_path, whole_file
from ..system.platform import memory
from . import _limits as limits
from ._dataset import Dataset, build
from ._matlab import check_size, read_matlab

__all__ = ["from_mat", "from_npz", "read_arrays", "read_matrix", "rows_from_columns", "save_npz"]

# The names that samples and labels go by in this field, in lower case.
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
    with _one_sentence(path, ".npz file of plain arrays", "save it again with numpy.savez"):
        arrays = _read_npz(path, ("X", "y", "shape", "names"))
    if "X" not in arrays:
        raise ValueError(f"{path} holds no array called X: save the samples under that name.")
    return _build(path, arrays["X"], arrays.get("y"), arrays.get("shape"), arrays.get("names"))


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
    values, labels = read_matrix(path)
    side = math.isqrt(values.shape[1])
    if image_shape is None and side * side == values.shape[1]:
        image_shape = (side, side)
    if image_shape is not None:
        values = rows_from_columns(values, image_shape)
    return _build(path, values, labels, image_shape)


def read_arrays(path: Path, image_shape: tuple[int, int] | None = None) -> Dataset:
    """Read a ``.mat`` or ``.npz`` file; the shape of the pictures is for the former."""
    return from_mat(path, image_shape) if path.suffix.lower() == ".mat" else from_npz(path)


def read_matrix(path: Path) -> tuple[np.ndarray, np.ndarray | None]:
    """Read samples x features and labels of a MATLAB file, pictures still column by column."""
    with _one_sentence(path, "MATLAB file", "save it again with save -v7"):
        check_size(path.stat().st_size, memory())
        by_name = read_matlab(path.read_bytes(), memory())
    arrays = {name.lower(): value for name, value in by_name.items()}
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
    if labels is None:
        return values, None
    if labels.size != max(labels.shape):
        raise ValueError(f"{path} holds labels of shape {labels.shape}: save one per sample.")
    if labels.size not in values.shape:
        raise ValueError(
            f"{path} holds {labels.size} labels for a matrix of {values.shape}: "
            "one side of it must be the number of labels."
        )
    return values if labels.size == len(values) else values.T, labels.ravel()


def rows_from_columns(X: np.ndarray, image_shape: tuple[int, int]) -> np.ndarray:
    """Return pictures that are stored column by column, as MATLAB does, row by row.

    Rows that do not have this shape are returned as they are.

    Examples
    --------
    >>> rows_from_columns(np.array([[1, 4, 2, 5, 3, 6]]), (2, 3)).tolist()
    [[1, 2, 3, 4, 5, 6]]
    """
    height, width = image_shape
    if height * width != X.shape[1]:
        return X
    return X.reshape(-1, width, height).transpose(0, 2, 1).reshape(len(X), -1)


def save_npz(
    path: Path, X: np.ndarray, y: np.ndarray, shape: tuple[int, int], names: np.ndarray
) -> None:
    """Write what :func:`from_npz` reads; gray values of 8 bits take one byte each."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if X.min() >= 0 and 1 < X.max() <= 255 and (np.round(X) == X).all():
        X = X.astype(np.uint8)
    with whole_file(path) as part:
        np.savez_compressed(
            part, X=X, y=np.asarray(y, np.int64), shape=np.array(shape), names=names.astype(str)
        )


def _read_npz(path: Path, names: Sequence[str]) -> dict[str, np.ndarray]:
    """Return the arrays of these names, as far as they are there."""
    with zipfile.ZipFile(path) as archive:
        present = [name for name in names if f"{name}.npy" in archive.namelist()]
        check_size(sum(_claimed_size(archive, f"{name}.npy") for name in present), memory())
    with np.load(path, allow_pickle=False) as file:
        return {name: file[name] for name in present}


def _claimed_size(archive: zipfile.ZipFile, member: str) -> int:
    """Return the bytes of an array by its head; more than the file holds are refused."""
    info = archive.getinfo(member)
    with archive.open(info) as file:
        read_head = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}
        version = npy.read_magic(file)
        if version not in read_head:  # a name in another alphabet than latin
            raise ValueError(f"{member} is in version {version} of the format")
        shape, _, dtype = read_head[version](file)
    # Nothing is counted as one: numbers without bytes, or rows without numbers, take time as well.
    size = math.prod(max(1, side) for side in shape) * max(1, dtype.itemsize)
    if size > info.file_size or info.file_size > limits.UNPACKED_GROWTH * max(
        1, info.compress_size
    ):
        raise ValueError(f"{member} claims {size} bytes, more than it can hold")
    return size


@contextmanager
def _one_sentence(path: Path, kind: str, remedy: str) -> Iterator[None]:
    """Turn any failure of a reader into one sentence about the file."""
    try:
        yield
    except Exception as error:  # readers let errors of zlib, struct and many others through
        reason = shorten(str(error), 200, placeholder=" ...").rstrip(".") or type(error).__name__
        raise ValueError(f"{path} is no readable {kind}: {reason}; {remedy}.") from error


def _named(arrays: dict[str, np.ndarray], names: tuple[str, ...]) -> np.ndarray | None:
    return next((arrays[name] for name in names if name in arrays), None)


def _existing(path: str | os.PathLike) -> Path:
    path = user_path(path)
    if not path.is_file():
        raise FileNotFoundError(f"path is {path}, which is not a file.")
    return path


def _build(path: Path, values: Any, labels: Any, shape: Any, names: Any = None) -> Dataset:
    try:
        return build(path.stem.lower(), values, labels, shape, names)
    except (ValueError, TypeError) as error:
        raise ValueError(f"{path}: {error}") from error
