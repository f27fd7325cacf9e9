"""What a dataset is, how pictures get into [0, 1], and how labels become codes."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

__all__ = ["Dataset", "build", "encode", "to_unit"]


@dataclass(frozen=True, eq=False)
class Dataset:
    """Pictures as rows, with their classes.

    Parameters
    ----------
    name : str
        Short name, as in ``"yale"``.
    X : ndarray of shape (n_samples, n_features)
        Gray values in [0, 1], one picture per row; see :func:`to_unit`.
    y : ndarray of shape (n_samples,)
        Class codes, indices into `classes`; -1 where the class is unknown.
    classes : ndarray of shape (n_classes,)
        Names of the classes.
    image_shape : tuple (height, width) or (height, width, 3), or None
        ``X[i].reshape(image_shape)`` is the upright picture; None if the rows are no pictures.
    files : tuple of str or None
        The file of every row, relative to the folder; None if the rows are not of a folder.
    """

    name: str
    X: np.ndarray = field(repr=False)
    y: np.ndarray = field(repr=False)
    classes: np.ndarray = field(repr=False)
    image_shape: tuple[int, ...] | None
    files: tuple[str, ...] | None = field(default=None, repr=False)


def to_unit(values: Any) -> np.ndarray:
    """Gray values as float64 in [0, 1].

    Four cases, the first that fits:

    - 8-bit pictures (dtype uint8, or whole numbers with a maximum from 128 to 255): divided by 255;
    - values below zero: ``(x - min) / (max - min)``;
    - all values in [0, 1]: kept;
    - other values: divided by the maximum.

    One number scales the whole set, so the pictures keep their brightness among each other.

    Examples
    --------
    >>> import numpy as np
    >>> to_unit(np.array([[0, 51]], dtype=np.uint8)).tolist()
    [[0.0, 0.2]]
    >>> to_unit([[-1.0, 0.0, 1.0]]).tolist()
    [[0.0, 0.5, 1.0]]
    >>> to_unit([[0.0, 4.0, 16.0]]).tolist()
    [[0.0, 0.25, 1.0]]
    """
    values = np.asarray(values)
    X = values.astype(np.float64)
    if not np.isfinite(X).all():
        raise ValueError("X has NaN or infinite values: remove or fill them before loading.")
    if X.size == 0:
        return X
    if (largest := abs(X).max()) > 1e100:  # so that differences do not overflow
        X /= largest
    low, high = X.min(), X.max()
    # MATLAB files store 8-bit gray values as floats.
    whole = low >= 0 and 128 <= high <= 255 and (np.round(X) == X).all()
    if whole or values.dtype == np.uint8:
        X /= 255
    elif low < 0:
        X = (X - low) / (high - low) if high > low else np.zeros_like(X)
    elif high > 1:
        X /= high
    return X


def encode(
    labels: Any, n: int, names: Sequence[str] | np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Class codes and class names of `n` labels.

    Parameters
    ----------
    labels : array_like of shape (n,) or None
        Names or numbers; -1, NaN, ``""`` and None mean unlabelled.
    n : int
        Number of samples.
    names : sequence of str, optional
        Names that whole-number labels point into.

    Examples
    --------
    >>> y, classes = encode(["owl", "", "bat"], 3)
    >>> y.tolist(), classes.tolist()
    ([1, -1, 0], ['bat', 'owl'])
    """
    y = np.full(n, -1, dtype=np.int64)
    if labels is None:
        return y, np.array([], dtype=str)
    labels = np.asarray(labels).ravel()
    if len(labels) != n:
        raise ValueError(f"y has {len(labels)} labels for {n} samples: give one label per sample.")
    if labels.dtype.kind in "fiub":
        known = ~(np.isnan(labels) | (labels == -1)) if labels.dtype.kind == "f" else labels != -1
        numbers = labels[known].astype(float)
        if (numbers == np.round(numbers)).all() and abs(numbers).max(initial=0) < 2**62:
            labels = np.where(known, labels, -1).astype(np.int64)  # class "3", not "3.0"
    else:
        labels = np.array(["" if label is None else str(label).strip() for label in labels])
        known = (labels != "") & (labels != "-1")
    codes, y[known] = np.unique(labels[known], return_inverse=True)
    if names is None:
        return y, codes.astype(str)
    names = np.asarray(names).astype(str)
    if codes.dtype.kind != "i" or (codes.size and not 0 <= codes[0] <= codes[-1] < len(names)):
        raise ValueError(
            f"y does not point into names: labels must be numbers 0 to {len(names) - 1}."
        )
    return y, names[codes]


def build(
    name: str,
    values: Any,
    labels: Any,
    image_shape: Sequence[int] | None,
    names: Sequence[str] | np.ndarray | None = None,
    files: Sequence[str] | None = None,
) -> Dataset:
    """Put a dataset together from raw values and raw labels, with all checks.

    Values of shape (n_samples, height, width) are pictures and bring their own `image_shape`.
    """
    values = np.asarray(values)
    if values.dtype.kind not in "fiub":
        raise ValueError(f"X must hold numbers, not {values.dtype}.")
    if values.ndim == 3:
        image_shape, values = values.shape[1:], values.reshape(len(values), -1)
    if values.ndim != 2 or not len(values):
        raise ValueError(f"X must be samples x features, not an array of shape {values.shape}.")
    shape: tuple[int, ...] | None = None
    if image_shape is not None:
        sides = np.ravel(np.asarray(image_shape, dtype=float))
        colors = tuple(sides[2:]) in ((), (3.0,))
        if len(sides) < 2 or not colors or not np.isfinite(sides).all():
            raise ValueError(
                f"image_shape is {image_shape}: give a height and a width, and 3 for colours."
            )
        shape = tuple(int(side) for side in sides)
        if min(shape) < 1 or math.prod(shape) != values.shape[1]:
            raise ValueError(
                f"image_shape {' x '.join(map(str, shape))} does not fit {values.shape[1]}"
                " features: give a height and width with that product."
            )
    y, classes = encode(labels, len(values), names)
    X = to_unit(values)
    return Dataset(name, X, y, classes, shape, None if files is None else tuple(files))
