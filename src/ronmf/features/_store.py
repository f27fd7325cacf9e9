"""Vectors on disk by content: one SQLite file, whole after an interrupt, shared by processes."""

import sqlite3
import warnings
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import numpy as np

from ..system.files import private_folder
from ..system.writing import database_file

__all__ = ["FeatureStore"]

# Seconds to wait for another process that is writing.
_PATIENCE = 30.0
# SQLite allows at least so many variables in a statement.
_AT_ONCE = 500
_TABLE = "vectors (key BLOB PRIMARY KEY, value BLOB NOT NULL, checksum INTEGER NOT NULL)"


class FeatureStore:
    """Vectors by key, in one file; trouble with the file is one warning, not an error.

    A store that fails goes on as an empty one that keeps nothing, and a damaged vector counts as
    absent. Every `put` is one transaction.

    Parameters
    ----------
    path : Path or None
        The file, made with its folder if absent; None keeps nothing.
    dtype : str, default="<f4"
        Of all vectors in the file, which does not say it.

    Examples
    --------
    >>> import tempfile
    >>> import numpy as np
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with FeatureStore(Path(folder) / "vectors.sqlite") as store:
    ...         store.put({b"a": np.array([1.0, 2.0], dtype=np.float32)})
    ...         store.get([b"a", b"b"])
    {b'a': array([1., 2.], dtype=float32)}
    """

    def __init__(self, path: Path | None, dtype: str = "<f4") -> None:
        self.path, self.dtype = path, np.dtype(dtype)
        self._connection: sqlite3.Connection | None = None
        if path is not None:
            with self._one_warning():
                self._connection = _open(path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def get(self, keys: Sequence[bytes]) -> dict[bytes, np.ndarray]:
        """Return the vectors of those `keys` that are there and undamaged."""
        found: dict[bytes, np.ndarray] = {}
        damaged = 0
        with self._one_warning():
            for key, value, checksum in self._rows(keys):
                vector = _vector(key, value, checksum, self.dtype)
                if vector is None:
                    damaged += 1
                else:
                    found[key] = vector
        # One network makes them all: a vector of another length is none of its own.
        lengths = Counter(map(len, found.values())).most_common(1)
        whole = {key: vector for key, vector in found.items() if len(vector) == lengths[0][0]}
        damaged += len(found) - len(whole)
        if damaged:
            warnings.warn(
                f"{damaged} vectors in the feature cache {self.path} are damaged; they are computed"
                " again.",
                UserWarning,
                stacklevel=2,
            )
        return whole

    def put(self, vectors: dict[bytes, np.ndarray]) -> None:
        """Keep vectors, for good once this returns."""
        if self._connection is None:
            return
        values = [(key, vector.astype(self.dtype).tobytes()) for key, vector in vectors.items()]
        with self._one_warning(), self._connection as transaction:
            transaction.executemany(
                "INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)",
                [(key, value, zlib.crc32(key + value)) for key, value in values],
            )

    def _rows(self, keys: Sequence[bytes]) -> Iterator[tuple[Any, Any, Any]]:
        if self._connection is None:
            return
        for start in range(0, len(keys), _AT_ONCE):
            part = keys[start : start + _AT_ONCE]
            marks = ",".join("?" * len(part))
            query = f"SELECT key, value, checksum FROM vectors WHERE key IN ({marks})"
            yield from self._connection.execute(query, part)

    @contextmanager
    def _one_warning(self) -> Iterator[None]:
        """Go on without the file if there is trouble with it."""
        try:
            yield
        except (sqlite3.Error, OSError, ValueError) as error:  # texts in a damaged file: no UTF-8
            self.__exit__()
            warnings.warn(
                f"The feature cache {self.path} cannot be used ({error}); working without it:"
                " delete the file if it is damaged, or give cache=folder or cache=False.",
                UserWarning,
                stacklevel=2,
            )


def _open(path: Path) -> sqlite3.Connection:
    private_folder(path.parent)
    connection = sqlite3.connect(database_file(path), timeout=_PATIENCE)
    try:
        with connection as transaction:
            transaction.execute(f"CREATE TABLE IF NOT EXISTS {_TABLE}")
            known = transaction.execute("SELECT sql FROM sqlite_master WHERE sql NOT NULL")
            # Nothing else: a view or a trigger of another's making would run when asked.
            if list(known) != [(f"CREATE TABLE {_TABLE}",)]:
                raise sqlite3.DatabaseError("it holds something else")
    except BaseException:
        connection.close()
        raise
    return connection


def _vector(key: Any, value: Any, checksum: Any, dtype: np.dtype) -> np.ndarray | None:
    """Return a vector; None if it is damaged, of which SQLite notices a page, not a value."""
    if not isinstance(key, bytes) or not isinstance(value, bytes) or len(value) % dtype.itemsize:
        return None
    if zlib.crc32(key + value) != checksum:
        return None
    vector = np.frombuffer(value, dtype=dtype)
    return vector if len(vector) and np.isfinite(vector).all() else None
