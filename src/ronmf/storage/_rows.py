"""Rows that are read block by block, wherever they lie."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Any

import numpy as np

__all__ = ["StoredRows", "float_blocks", "work_dtype"]

_CACHED = 2**18  # numbers that are converted at a time, and stay in a core's cache
_LEAST_ROWS = 64  # but so many rows: what is summed over them may be as wide as they are
_EXACT_IN_SINGLE = ("float32", "float16", "uint8", "int8", "uint16", "int16", "bool")


def work_dtype(dtype: Any) -> np.dtype:
    """Return in which floating-point numbers to work on stored ones.

    float32 for numbers that it holds exactly, else float64.

    Examples
    --------
    >>> work_dtype(np.uint8), work_dtype(np.int64)
    (dtype('float32'), dtype('float64'))
    """
    dtype = np.dtype(dtype)
    if dtype.kind not in "fiub":
        raise ValueError(f"X holds values of type {dtype}; it needs real numbers.")
    return np.dtype(np.float32 if dtype.name in _EXACT_IN_SINGLE else np.float64)


def float_blocks(block: np.ndarray, dtype: Any) -> Iterator[tuple[slice, np.ndarray]]:
    """Cut a block into smaller ones of floating-point numbers."""
    size = max(_LEAST_ROWS, _CACHED // max(1, block.shape[1]))
    for start in range(0, len(block), size):
        rows = slice(start, start + size)
        yield rows, block[rows].astype(dtype, copy=False)


class StoredRows(ABC):
    """Data of shape (n_samples, n_features) that are read by blocks of rows.

    A subclass says how to apply a function to all blocks, and how to fetch a few rows.

    Attributes
    ----------
    shape : tuple (n_samples, n_features)
        Pictures count as rows.
    dtype : dtype
        float32 or float64: in which the work on them is done.
    picture : tuple or None
        The shape of a picture, where the data have more than two axes.
    least : float
        The least value, once they have been checked.
    """

    shape: tuple[int, int]
    dtype: np.dtype
    picture: tuple[int, ...] | None = None
    least: float = 0.0
    ndim = 2

    def __len__(self) -> int:
        return self.shape[0]

    @cached_property
    def like(self) -> np.ndarray:
        """An empty array of the library and type in which the work is done."""
        return np.empty((0, 0), dtype=self.dtype)

    @abstractmethod
    def map(
        self, function: Callable, *aligned: Any, shared: tuple = (), steady: bool = True
    ) -> Iterator[Any]:
        """Yield ``function(block, *rows, *shared)`` of every block, in order.

        Parameters
        ----------
        function : callable
            Gets a block as it is stored, with two axes. It must be importable by its name, since
            it may run in another process.
        *aligned : arrays of n_samples rows
            The function gets those rows of them that the block has.
        shared : tuple
            What every call gets besides.
        steady : bool, default=True
            Whether the function needs little memory beside the block. If not, one block is worked
            on at a time.
        """

    @abstractmethod
    def total(self, function: Callable, *aligned: Any, shared: tuple = ()) -> Any:
        """Return the sum of ``function(block, *rows, *shared)`` over all blocks."""

    @abstractmethod
    def take(self, rows: np.ndarray) -> np.ndarray:
        """Return some rows, in memory and as floating-point numbers."""

    @abstractmethod
    def digest(self) -> str:
        """Return a number, as text, that tells these data from others."""

    def concat(self, function: Callable, *aligned: Any, shared: tuple = (), **how: Any) -> Any:
        """Return ``function(block, *rows, *shared)`` of all blocks, one below the other."""
        return np.concatenate(list(self.map(function, *aligned, shared=shared, **how)))

    def times(self, B: np.ndarray, exact: bool = False) -> np.ndarray:
        """Return ``X @ B``, in float64 if `exact`."""
        dtype = np.float64 if exact else self.dtype
        return self.concat(_product, shared=(B.astype(dtype, copy=False),))

    def transposed_times(self, P: np.ndarray) -> np.ndarray:
        """Return ``X.T @ P``, summed in float64."""
        return self.total(_transposed_product, P)

    def square_sums(self, axis: int) -> np.ndarray:
        """Return the sums of squares of the columns (`axis` 0) or of the rows (1), in float64."""
        if axis == 0:
            return self.total(_column_squares)
        return self.concat(_row_squares)


def _product(block: np.ndarray, B: np.ndarray) -> np.ndarray:
    return _stacked((part @ B for _, part in float_blocks(block, B.dtype)), (0, B.shape[1]))


def _transposed_product(block: np.ndarray, P: np.ndarray) -> np.ndarray:
    # In float64: norms of residuals are differences of such sums.
    found = np.zeros((block.shape[1], P.shape[1]))
    for rows, part in float_blocks(block, np.float64):
        found += part.T @ P[rows].astype(np.float64, copy=False)
    return found


def _column_squares(block: np.ndarray) -> np.ndarray:
    found = np.zeros(block.shape[1])
    for _, part in float_blocks(block, np.float64):
        found += np.einsum("ij,ij->j", part, part)
    return found


def _row_squares(block: np.ndarray) -> np.ndarray:
    parts = float_blocks(block, np.float64)
    return _stacked((np.einsum("ij,ij->i", part, part) for _, part in parts), (0,))


def _stacked(parts: Iterable[np.ndarray], empty: tuple[int, ...]) -> np.ndarray:
    found = list(parts)
    return np.concatenate(found) if found else np.empty(empty)
