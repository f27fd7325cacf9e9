"""Arrays in files: memory maps of NumPy, arrays of Zarr, datasets of HDF5."""

import mmap
import os
from collections.abc import Callable, Iterator
from functools import cached_property
from hashlib import blake2b
from typing import Any

import numpy as np

from ..numerics.threads import read_and_work
from ._rows import StoredRows, work_dtype

__all__ = ["DiskRows"]

_BLOCK = 2**24  # numbers that are read at a time, unless memory is short


class DiskRows(StoredRows):
    """An array in a file, read in order and a block ahead of the work.

    Parameters
    ----------
    source : np.memmap, zarr.Array, h5py.Dataset, or whatever has a shape, a dtype and slices
        Rows, or pictures, along the first axis.
    block_bytes : int, default=None
        How much memory a block may take as floating-point numbers.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryFile() as file:
    ...     X = np.memmap(file, dtype=np.uint8, mode="w+", shape=(3, 2))
    ...     X[:] = [[1, 2], [3, 4], [5, 6]]
    ...     DiskRows(X).times(np.array([[1.0], [10.0]])).ravel().tolist()
    [21.0, 43.0, 65.0]
    """

    def __init__(self, source: Any, block_bytes: int | None = None) -> None:
        self.source = source
        n, *sides = (int(side) for side in source.shape)
        self.shape = n, int(np.prod(sides, dtype=np.int64))
        self.picture = tuple(sides) if len(sides) > 1 else None
        self.dtype = work_dtype(source.dtype)
        self._set_block(block_bytes)

    def _set_block(self, block_bytes: int | None) -> None:
        numbers = _BLOCK if block_bytes is None else min(_BLOCK, block_bytes // 8)
        size = max(1, numbers // max(1, self.shape[1]))
        stored = getattr(self.source, "chunks", None)
        if stored and size > stored[0]:  # a piece that is cut would be unpacked twice
            size = size // stored[0] * stored[0]
        n = self.shape[0]
        self.blocks = [slice(i, min(i + size, n)) for i in range(0, n, size)]

    def map(
        self, function: Callable, *aligned: Any, shared: tuple = (), steady: bool = True
    ) -> Iterator[Any]:
        """Yield ``function(block, *rows, *shared)`` of every block, in order."""
        self._check_file()

        def read(rows: slice) -> tuple:
            return self._read(rows), *(array[rows] for array in aligned)

        def work(block: tuple) -> Any:
            return function(*block, *shared)

        yield from read_and_work(read, work, self.blocks, alone=not steady)

    def total(self, function: Callable, *aligned: Any, shared: tuple = ()) -> Any:
        """Return the sum of ``function(block, *rows, *shared)`` over all blocks."""
        found: Any = None
        for part in self.map(function, *aligned, shared=shared):
            if found is None:
                found = part
            else:
                found += part
        return found

    def take(self, rows: np.ndarray) -> np.ndarray:
        """Return some rows, in memory and as floating-point numbers."""
        self._check_file()
        rows = np.asarray(rows)
        order = np.argsort(rows, kind="stable")
        found = np.empty((len(rows), self.shape[1]), dtype=self.dtype)
        wanted = rows[order]
        for block in self.blocks:  # in order, for files want that
            first, last = np.searchsorted(wanted, [block.start, block.stop])
            if last > first:
                found[order[first:last]] = self._some(block, wanted[first:last])
        return found

    def _some(self, block: slice, rows: np.ndarray) -> np.ndarray:
        if isinstance(self.source, np.memmap):  # only the wanted rows are read
            found = np.array(self.source[rows])
            self._release()
            return found.reshape(len(rows), -1)
        return self._read(block)[rows - block.start]

    def digest(self) -> str:
        """Return a number, as text, that tells these data from others."""
        return self._digest

    @cached_property
    def _digest(self) -> str:
        state = blake2b(repr((self.shape, str(self.source.dtype))).encode(), digest_size=16)
        for block in self.map(_as_it_is):
            state.update(np.ascontiguousarray(block).data)
        return state.hexdigest()

    def _read(self, rows: slice) -> np.ndarray:
        try:
            block = np.array(self.source[rows])
        except Exception as error:  # of any library, about any file
            raise OSError(
                f"X could not be read from row {rows.start} to {rows.stop - 1}"
                f" ({type(error).__name__}: {error}); look at the file, or write it again."
            ) from error
        self._release()
        if block.shape[0] != rows.stop - rows.start:
            raise OSError(
                f"X has {block.shape[0]} rows where {rows.stop - rows.start} were asked for, from"
                f" row {rows.start}; its file has changed or is damaged."
            )
        return block.reshape(len(block), self.shape[1])

    def _release(self) -> None:
        """Give pages of a memory map back: they would count as memory of this process."""
        source: Any = self.source
        own = isinstance(source, np.memmap) and self.source.mode in ("r", "r+", "w+")
        if own and hasattr(mmap, "MADV_DONTNEED"):
            source._mmap.madvise(mmap.MADV_DONTNEED)

    def _check_file(self) -> None:
        """Refuse a memory map whose file has become shorter: reading it would end the process."""
        source: Any = self.source
        name = getattr(source, "filename", None)
        if not isinstance(self.source, np.memmap) or name is None:
            return
        try:
            size = os.stat(name).st_size
        except OSError:  # gone: what is mapped stays
            return
        # The map begins at a whole page.
        start = source.offset - source.offset % mmap.ALLOCATIONGRANULARITY
        if size < start + len(source._mmap):
            raise OSError(
                f"X lies in {name}, which has become shorter ({size} bytes) than when it was"
                " opened; write it again."
            )


def _as_it_is(block: np.ndarray) -> np.ndarray:
    return block
