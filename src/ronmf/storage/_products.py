"""What is done with data in memory and elsewhere alike."""

from typing import Any

import numpy as np
from array_api_compat import array_namespace

from ..numerics.arrays import frobenius_norm, from_numpy
from ._rows import StoredRows

__all__ = ["norm", "row_norms", "take", "template", "times", "transposed_times"]


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


def row_norms(X: Any) -> np.ndarray:
    """Return the length of each row, of NumPy's arrays or of stored ones."""
    if isinstance(X, StoredRows):
        return np.sqrt(X.square_sums(1))
    return np.linalg.norm(X, axis=1)


def norm(X: Any) -> float:
    """Return the root of the sum of squares."""
    if isinstance(X, StoredRows):
        return float(X.square_sums(0).sum()) ** 0.5
    return frobenius_norm(X)
