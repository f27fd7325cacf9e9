"""Stored rows with negative values, as non-negative ones of twice the width."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..numerics.signs import split_signs
from ._rows import StoredRows

__all__ = ["SplitRows"]


class SplitRows(StoredRows):
    """What is above zero, and beside it what is below, of rows that are read by blocks.

    Parameters
    ----------
    rows : StoredRows
        The rows; blocks are split as they are read.
    """

    def __init__(self, rows: StoredRows) -> None:
        self.rows, self.dtype = rows, rows.dtype
        self.shape = rows.shape[0], 2 * rows.shape[1]

    def map(
        self, function: Callable, *aligned: Any, shared: tuple = (), steady: bool = True
    ) -> Iterator[Any]:
        """Yield ``function(split block, *rows, *shared)`` of every block, in order."""
        return self.rows.map(self._of_split(function), *aligned, shared=shared, steady=steady)

    def total(self, function: Callable, *aligned: Any, shared: tuple = ()) -> Any:
        """Return the sum of ``function(split block, *rows, *shared)`` over all blocks."""
        return self.rows.total(self._of_split(function), *aligned, shared=shared)

    def take(self, rows: np.ndarray) -> np.ndarray:
        """Return some rows, in memory and as floating-point numbers."""
        return split_signs(self.rows.take(rows))

    def digest(self) -> str:
        """Return a number, as text, that tells these data from others."""
        return self.rows.digest()

    def _of_split(self, function: Callable) -> Callable:
        return _OfSplit(function, self.dtype)


@dataclass(frozen=True)
class _OfSplit:
    """A function of split blocks as one of stored ones; other processes can be sent it."""

    function: Callable
    dtype: np.dtype

    def __call__(self, block: np.ndarray, *rest: Any) -> Any:
        # As floating-point numbers first: -(-128) is no int8.
        return self.function(split_signs(block.astype(self.dtype, copy=False)), *rest)
