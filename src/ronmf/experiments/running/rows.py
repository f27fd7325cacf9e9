"""The file of tidy rows: one JSON line for each finished run, written so that a crash costs one.

Rows to keep may be packed with ``gzip rows.jsonl``; they are read as before, and new ones go to a
new file beside them.
"""

import gzip
import json
import os
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from ...system.platform import exclusive
from .row_checks import check_row

__all__ = ["RowFile", "read_rows"]

_NAME = "rows.jsonl"
_LONGEST = 2**20  # bytes of a row; ours have about a thousand
_MOST = 2**30  # bytes of a file of rows, unpacked


class RowFile:
    """The rows of one folder of results.

    Parameters
    ----------
    folder : str or Path
        Folder of results.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.path = self.folder / _NAME

    def read(self) -> list[dict[str, Any]]:
        """Return all whole rows; a line cut off by a crash does not count.

        Raises
        ------
        ValueError
            If a file is damaged, or a line is no row; the text names the file and the line.
        """
        packed = self.path.with_name(f"{_NAME}.gz")
        rows = list(_parse(packed)) if packed.exists() else []
        return rows + (list(_parse(self.path)) if self.path.exists() else [])

    @contextmanager
    def writing(self) -> Iterator["_Writer"]:
        """Open for appending, by one process at a time; a torn last line is removed first."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with ExitStack() as held:
            try:
                held.enter_context(exclusive(self.path))
            except BlockingIOError as error:
                raise ValueError(
                    f"another run is writing to {self.folder}; wait for it or choose another --out"
                    f" ({error})."
                ) from None
            file = held.enter_context(open(self.path, "ab"))
            whole = self.path.read_bytes().rfind(b"\n") + 1
            file.truncate(whole)
            yield _Writer(file)


def _parse(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a file, read line by line: a packed file may claim to hold anything."""
    number = done = 0
    if not path.is_file():
        raise ValueError(f"{path} is no plain file; move it away and run again.")
    try:
        with gzip.open(path) if path.suffix == ".gz" else open(path, "rb") as file:
            while line := file.readline(_LONGEST):
                number, done = number + 1, done + len(line)
                if done > _MOST:
                    raise ValueError(f"{path} has more than {_MOST >> 30} GiB of rows; split it.")
                if not line.endswith(b"\n"):
                    if len(line) < _LONGEST:
                        return  # what follows the last newline was never finished
                    raise ValueError("too long")
                yield check_row(json.loads(line))
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise ValueError(
            f"{path} is damaged ({error}); take it from a copy, or remove it and run again."
        ) from None
    except OSError as error:
        raise ValueError(f"{path} cannot be read ({error}).") from None
    except (ValueError, RecursionError) as error:
        if str(path) in str(error):
            raise
        reason = "" if isinstance(error, json.JSONDecodeError) else f" ({error})"
        raise ValueError(
            f"line {number} of {path} is not a row{reason}; remove that line and run again."
        ) from None


class _Writer:
    def __init__(self, file: Any) -> None:
        self._file = file

    def append(self, row: dict[str, Any]) -> None:
        """Write one row and wait until it is on the disk."""
        self._file.write(json.dumps(row).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())


def read_rows(folder: str | Path) -> Any:
    """Return the rows of a folder of results, the newest of each key.

    Parameters
    ----------
    folder : str or Path
        Folder of results.

    Returns
    -------
    DataFrame
        A line for each run: its key, its settings, sizes, "ok" or "failed" and why, scores, costs
        and versions.

    Raises
    ------
    ValueError
        If there are none, or a line is no row.
    """
    try:
        import pandas as pd
    except ImportError as error:
        raise ImportError("read_rows needs pandas: pip install 'ronmf[bench]'") from error
    rows = RowFile(folder).read()
    if not rows:
        raise ValueError(f"there are no rows in {folder}; run a plan with --out {folder} first.")
    newest = {row["key"]: row for row in rows}
    return pd.DataFrame(list(newest.values()))
