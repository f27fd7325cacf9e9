"""Arrays that a fit writes and reads again: in memory, or in files of a folder."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np

from ..system.writing import open_to_write

__all__ = ["FileArray", "Scratch", "room_for"]


class FileArray:
    """An array in a file, of which rows are read and written; it takes no memory.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     array = FileArray(Path(folder) / "a.bin", (4, 2), np.float32)
    ...     array.write(slice(1, 3), np.ones((2, 2)))
    ...     array[1:2].tolist()
    [[1.0, 1.0]]
    """

    def __init__(self, path: Path, shape: tuple[int, int], dtype: Any) -> None:
        self.path, self.shape, self.dtype = path, shape, np.dtype(dtype)

    def __getitem__(self, rows: slice) -> np.ndarray:
        start, stop, _ = rows.indices(self.shape[0])
        width = self.shape[1]
        first = start * width * self.dtype.itemsize
        found = np.fromfile(self.path, self.dtype, (stop - start) * width, offset=first)
        return found.reshape(stop - start, width)

    def write(self, rows: slice, values: np.ndarray) -> None:
        """Write some rows."""
        with (
            room_for(self.path.parent),
            open_to_write(self.path, "r+b" if self.path.exists() else "xb") as file,
        ):
            file.seek(rows.indices(self.shape[0])[0] * self.shape[1] * self.dtype.itemsize)
            file.write(np.ascontiguousarray(values, dtype=self.dtype).data)


class _MemoryArray:
    """The same in memory."""

    def __init__(self, shape: tuple[int, int], dtype: Any) -> None:
        self.values = np.zeros(shape, dtype)

    def __getitem__(self, rows: slice) -> np.ndarray:
        return self.values[rows]

    def write(self, rows: slice, values: np.ndarray) -> None:
        self.values[rows] = values


class Scratch:
    """Where large arrays go that are needed again.

    Parameters
    ----------
    folder : Path or None
        It exists; None: they stay in memory.
    lasting : bool, default=False
        Whether files outlive what dropped them, until `sweep`: a state that was saved may name
        them.
    """

    def __init__(self, folder: Path | None = None, lasting: bool = False) -> None:
        self.folder, self.lasting = folder, lasting
        self._count, self._dropped = 0, list[Path]()

    def keep(self, values: np.ndarray) -> Any:
        """Keep an array, and return what to read it from; it must not change any more."""
        if self.folder is None:
            return values
        found = self.empty(values.shape, values.dtype)
        found.write(slice(0, len(values)), values)
        return found

    def empty(self, shape: tuple[int, ...], dtype: Any) -> Any:
        """Return an array of two axes to write to."""
        size = int(shape[0]), int(shape[1])
        if self.folder is None:
            return _MemoryArray(size, dtype)
        while True:
            path = self.folder / f"array-{self._count:06d}.bin"
            try:
                open_to_write(path, "xb").close()
            except FileExistsError:
                self._count += 1
            else:
                return FileArray(path, size, dtype)

    def drop(self, kept: Any) -> None:
        """Forget an array."""
        if isinstance(kept, FileArray):
            self._dropped.append(kept.path)
            if not self.lasting:
                self.sweep()

    def sweep(self) -> None:
        """Remove the files of arrays that were dropped."""
        for path in self._dropped:
            path.unlink(missing_ok=True)
        self._dropped.clear()

    def remove_others(self, named: set[str]) -> None:
        """Remove files of arrays that are not named: a killed process left them."""
        if self.folder is not None:
            for path in self.folder.glob("array-*.bin"):
                if path.name not in named:
                    with suppress(OSError):
                        path.unlink()


@contextmanager
def room_for(folder: Path) -> Iterator[None]:
    """Say in one sentence that a disk is full."""
    try:
        yield
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        text = f"no room is left in {os.fspath(folder)}; make some, or name another folder."
        raise OSError(error.errno, text) from error
