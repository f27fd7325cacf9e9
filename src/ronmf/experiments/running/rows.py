"""The file of tidy rows: one JSON line for each finished run, written so that a crash costs one.

Rows to keep may be packed with ``gzip rows.jsonl``; they are read as before, and new ones go to a
new file beside them.
"""

import gzip
import json
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from ...system.platform import exclusive

__all__ = ["RowFile", "read_rows"]

_NAME = "rows.jsonl"


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
        """Return all whole rows; a line cut off by a crash does not count."""
        packed = self.path.with_name(f"{_NAME}.gz")
        rows = _parse(packed, gzip.decompress(packed.read_bytes())) if packed.exists() else []
        return rows + (_parse(self.path, self.path.read_bytes()) if self.path.exists() else [])

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


def _parse(path: Path, data: bytes) -> list[dict[str, Any]]:
    rows = []
    lines = data.split(b"\n")[:-1]  # what follows the last newline was never finished
    for number, line in enumerate(lines, 1):
        try:
            row = json.loads(line)
            rows.append({"key": row["key"], "status": row["status"], **row})
        except (ValueError, TypeError, KeyError):
            raise ValueError(
                f"line {number} of {path} is not a row; remove that line and run again."
            ) from None
    return rows


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
    import pandas as pd

    rows = RowFile(folder).read()
    if not rows:
        raise ValueError(f"there are no rows in {folder}; run a plan with --out {folder} first.")
    newest = {row["key"]: row for row in rows}
    return pd.DataFrame(list(newest.values()))
