"""Stored data are read once before any work: what is wrong is said then."""

import numpy as np

from ._rows import StoredRows

__all__ = ["check_range"]


def check_range(X: StoredRows, name: str) -> tuple[float, float]:
    """Return the least and the largest value, or say which row is not finite.

    Parameters
    ----------
    X : StoredRows
        The data.
    name : str
        Who asks, for the sentence.
    """
    least, largest, first = np.inf, -np.inf, 0
    for low, high, n_rows, bad in X.map(_range):
        if bad >= 0:
            raise ValueError(
                f"X contains NaN or infinity in row {first + int(bad)}; {name} needs finite values."
            )
        least, largest, first = min(least, low), max(largest, high), first + int(n_rows)
    return float(least), float(largest)


def _range(block: np.ndarray) -> np.ndarray:
    low, high, bad = block.min(), block.max(), -1
    if not (np.isfinite(low) and np.isfinite(high)):
        bad = int(np.flatnonzero(~np.isfinite(block).all(axis=1))[0])
    return np.array([low, high, len(block), bad], dtype=np.float64)
