"""What is done with data in memory and elsewhere alike."""

from typing import Any

import numpy as np
from array_api_compat import array_namespace

from ..numerics.arrays import frobenius_norm, from_numpy
from ..numerics.signs import split_signs
from ._rows import StoredRows
from ._split_rows import SplitRows

__all__ = ["nonnegative", "norm", "take", "template", "times", "transposed_times"]


def template(X: Any) -> Any:
    """Return an array of the library and type, and on the device, in which X is worked on."""
    return X.like if isinstance(X, StoredRows) else X


def times(X: Any, B: Any) -> Any:
    """Return ``X @ B``."""
    return X.times(B) if isinstance(X, StoredRows) else X @ B


def transposed_times(X: Any, P: Any) -> Any:
    """Return ``X.T @ P``."""
    if isinstance(X, StoredRows):
        return X.transposed_times(P).astype(X.dtype)
    return X.T @ P


def take(X: Any, rows: np.ndarray) -> Any:
    """Return some rows, in memory."""
    if isinstance(X, StoredRows):
        return X.take(rows)
    xp = array_namespace(X)
    return xp.take(X, from_numpy(rows, X, dtype=xp.int64), axis=0)


def nonnegative(X: Any) -> Any:
    """Return X or, if it has negative values, what is above zero beside what is below."""
    if isinstance(X, StoredRows):
        return SplitRows(X) if X.least < 0 else X
    return split_signs(X) if float(array_namespace(X).min(X)) < 0 else X


def norm(X: Any) -> float:
    """Return the root of the sum of squares."""
    if isinstance(X, StoredRows):
        return float(X.square_sums(0).sum()) ** 0.5
    return frobenius_norm(X)
