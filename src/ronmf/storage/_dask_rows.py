"""Arrays of Dask: the data stay on the workers, and small arrays travel."""

import sys
from collections.abc import Callable, Iterator
from functools import cached_property
from hashlib import blake2b
from itertools import pairwise
from typing import Any

import dask.config
import numpy as np
from dask.base import compute
from dask.delayed import delayed

from ._rows import StoredRows, work_dtype

__all__ = ["DaskRows", "lazily"]

_SUMMED = 8  # blocks whose results are summed on a worker before they travel on
# Coefficients of many samples travel with the tasks: Dask would advise against it every time.
_QUIET = {"distributed.admin.large-graph-warning-threshold": "1TB"}


class DaskRows(StoredRows):
    """A Dask array, of which functions see the blocks where they lie.

    Every pass is one graph of tasks that depend on the data and on what it sends along, so that
    Dask can do again what a lost worker had done. Where there are worker processes, the data are
    persisted: read once, and kept by the workers as they are stored.

    Parameters
    ----------
    array : dask.array.Array
        Rows, or pictures, along the first axis, with chunks of known sizes.

    Attributes
    ----------
    sent, received : int
        Bytes of arrays that went to the workers and came back so far.
    """

    def __init__(self, array: Any) -> None:
        array = _checked(array)
        self.dtype = work_dtype(array.dtype)
        n, *sides = (int(side) for side in array.shape)
        self.picture = tuple(sides) if len(sides) > 1 else None
        self.shape = n, int(np.prod(sides, dtype=np.int64))
        rows = array.reshape(self.shape)
        # Without workers, all of it would come into the memory of this process.
        self.array = self._run(rows.persist) if _has_workers() else rows
        ends = np.cumsum([0, *self.array.chunks[0]]).tolist()
        self.blocks = [slice(a, b) for a, b in pairwise(ends) if b > a]
        self.sent = self.received = 0

    def map(
        self, function: Callable, *aligned: Any, shared: tuple = (), steady: bool = True
    ) -> Iterator[Any]:
        """Yield ``function(block, *rows, *shared)`` of every block, in order."""
        found = self._compute(self._tasks(function, aligned, shared))
        self._count(found, aligned, shared)
        yield from found

    def total(self, function: Callable, *aligned: Any, shared: tuple = ()) -> Any:
        """Return the sum of ``function(block, *rows, *shared)`` over all blocks."""
        parts = self._tasks(function, aligned, shared)
        add = delayed(_sum, pure=False)
        while len(parts) > 1:
            parts = [add(parts[i : i + _SUMMED]) for i in range(0, len(parts), _SUMMED)]
        (found,) = self._compute(parts)
        self._count([found], aligned, shared)
        return found

    def take(self, rows: np.ndarray) -> np.ndarray:
        """Return some rows, in memory and as floating-point numbers."""
        rows = np.asarray(rows)
        wanted, places = np.unique(rows, return_inverse=True)
        found, pick = [], delayed(_pick, pure=False)
        for block, task in zip(self.blocks, self._parts, strict=True):
            first, last = np.searchsorted(wanted, [block.start, block.stop])
            if last > first:
                found.append(pick(task, wanted[first:last] - block.start, self.dtype))
        return np.concatenate([np.empty((0, self.shape[1]), self.dtype), *self._compute(found)])[
            places
        ]

    def digest(self) -> str:
        """Return a number, as text, that tells these data from others."""
        return self._digest

    @cached_property
    def _digest(self) -> str:
        state = blake2b(repr((self.shape, str(self.array.dtype))).encode(), digest_size=16)
        for each in self.map(_digest):
            state.update(each.data)
        return state.hexdigest()

    @cached_property
    def _parts(self) -> list[Any]:
        """The blocks as tasks, those without rows left out."""
        every = self.array.to_delayed()[:, 0]
        return [part for part, n in zip(every, self.array.chunks[0], strict=True) if n > 0]

    def _tasks(self, function: Callable, aligned: tuple, shared: tuple) -> list[Any]:
        # What all need is a task of its own: it is sent once, and workers pass it on.
        common = [delayed(_same, pure=False)(each) for each in shared]
        apply = delayed(function, pure=False)
        return [
            apply(part, *(array[rows] for array in aligned), *common)
            for rows, part in zip(self.blocks, self._parts, strict=True)
        ]

    def _compute(self, tasks: list[Any]) -> list[Any]:
        return list(self._run(lambda: compute(*tasks)))

    def _run(self, work: Callable[[], Any]) -> Any:
        try:
            # Before the workers' own settings are there, one would take the place of all.
            with dask.config.set(_QUIET if "distributed" in sys.modules else {}):
                return work()
        except (KeyboardInterrupt, SystemExit):
            raise
        except Exception as error:  # of any task
            raise RuntimeError(
                f"X is a Dask array whose tasks failed ({type(error).__name__}: {error}); see that"
                " X.compute() works, and that workers have memory enough."
            ) from error

    def _count(self, found: list[Any], aligned: tuple, shared: tuple) -> None:
        self.sent += sum(_bytes(each) for each in (*aligned, *shared))
        self.received += sum(_bytes(each) for each in found)


def _checked(array: Any) -> Any:
    """Return a Dask array whose blocks have whole rows, or say what is wrong with it."""
    if any(np.isnan(size) for size in array.chunks[0]):
        raise ValueError(
            "X is a Dask array with chunks of unknown sizes; call X.compute_chunk_sizes()."
        )
    if type(array._meta) is not np.ndarray:
        raise ValueError(
            f"X is a Dask array of {type(array._meta).__name__}; it needs plain arrays of NumPy."
        )
    return array.rechunk(dict.fromkeys(range(1, array.ndim), -1))


def _has_workers() -> bool:
    """Whether there are worker processes, or machines, that work for this one."""
    if "distributed" not in sys.modules:
        return False
    from distributed import default_client

    try:
        return default_client() is not None
    except ValueError:
        return False


def _bytes(thing: Any) -> int:
    return int(getattr(thing, "nbytes", 0))


def _same(thing: Any) -> Any:
    return thing


def _sum(parts: list[Any]) -> Any:
    return sum(parts[1:], parts[0])


def _pick(block: np.ndarray, rows: np.ndarray, dtype: Any) -> np.ndarray:
    return block[rows].astype(dtype, copy=False)


def _digest(block: np.ndarray) -> np.ndarray:
    state = blake2b(np.ascontiguousarray(block).data, digest_size=16)
    return np.frombuffer(state.digest(), dtype=np.uint8)


def lazily(array: Any, function: Callable, shared: tuple, example: np.ndarray) -> Any:
    """Return a Dask array of ``function(block, *shared)`` of each block, made when asked for.

    `example` is such a result of any number of rows, for type and columns.
    """
    import dask.array as da

    blocks = _checked(array)
    common = [delayed(each, pure=False) for each in shared]
    made = [
        da.from_delayed(
            delayed(function, pure=False)(block, *common), (n, *example.shape[1:]), example.dtype
        )
        for block, n in zip(blocks.to_delayed().ravel(), blocks.chunks[0], strict=True)
        if n > 0
    ]
    return da.concatenate(made)
