"""The file of tidy rows: one JSON line for each finished run, written so that a crash costs one.

Rows to keep may be packed with ``gzip rows.jsonl``; they are read as before, and new ones go to a
new file beside them. Rows of another behaviour, or that come from other data, move to a file of
older rows when their run is made again.
"""

import gzip
import json
import os
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from ...system.files import whole_file
from ...system.platform import exclusive
from ...system.writing import open_to_write
from .row_checks import check_row

__all__ = ["RowFile", "mixtures", "read_rows"]

_FILE_NAME = "rows.jsonl"
_OLDER = "older.jsonl.gz"
_MOST_BYTES_OF_ROW = 2**20  # ours have about a thousand
_MOST_BYTES_OF_FILE = 2**30  # unpacked


class RowFile:
    """The rows of one folder of results.

    Parameters
    ----------
    folder : str or Path
        Folder of results.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.path = self.folder / _FILE_NAME
        self.packed = self.folder / f"{_FILE_NAME}.gz"

    def read(self) -> list[dict[str, Any]]:
        """Return all whole rows; a line cut off by a crash does not count.

        Raises
        ------
        ValueError
            If a file is damaged, or a line is no row; the text names the file and the line.
        """
        rows = list(_parse(self.packed)) if self.packed.exists() else []
        return rows + (list(_parse(self.path)) if self.path.exists() else [])

    @contextmanager
    def writing(self) -> Iterator["_Writer"]:
        """Open for appending, by one process at a time; a torn last line is removed first."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with ExitStack() as stack:
            try:
                stack.enter_context(exclusive(self.path))
            except BlockingIOError as error:
                raise ValueError(
                    f"another run is writing to {self.folder}; wait for it or choose another --out"
                    f" ({error})."
                ) from None
            if self.path.exists():
                with open_to_write(self.path, "r+b") as file:
                    file.truncate(self.path.read_bytes().rfind(b"\n") + 1)
            yield _Writer(self)


def _parse(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a file, read line by line: a packed file may claim to hold anything."""
    number = done = 0
    if not path.is_file():
        raise ValueError(f"{path} is no plain file; move it away and run again.")
    try:
        with gzip.open(path) if path.suffix == ".gz" else open(path, "rb") as file:
            while line := file.readline(_MOST_BYTES_OF_ROW):
                number, done = number + 1, done + len(line)
                if done > _MOST_BYTES_OF_FILE:
                    raise ValueError(f"{path} has more than 1 GiB of rows; split it.")
                if not line.endswith(b"\n"):
                    if len(line) < _MOST_BYTES_OF_ROW:
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
    """Who may change the file, while it is locked."""

    def __init__(self, rows: RowFile) -> None:
        self._rows = rows

    def append(self, row: dict[str, Any]) -> None:
        """Write one row and wait until it is on the disk."""
        with open_to_write(self._rows.path, "ab") as file:
            file.write(_line(row))
            file.flush()
            os.fsync(file.fileno())

    def set_aside(self, is_old: Callable[[dict[str, Any]], bool]) -> int:
        """Move rows to ``older.jsonl.gz``, which tables do not read; return how many."""
        old = [row for row in self._rows.read() if is_old(row)]
        if not old:
            return 0
        # Killed in between, a row is in both files, but in none it is lost.
        with (
            open_to_write(self._rows.folder / _OLDER, "ab") as file,
            gzip.open(file, "ab") as older,
        ):
            older.writelines(map(_line, old))
        self.rewrite(lambda row: not is_old(row))
        return len(old)

    def rewrite(self, keep: Callable[[dict[str, Any]], bool] = lambda row: True) -> None:
        """Write the files anew, with the rows to keep and the columns that rows have today."""
        for path, opened in ((self._rows.packed, gzip.open), (self._rows.path, open)):
            if path.exists():
                kept = [row for row in _parse(path) if keep(row)]
                with whole_file(path) as part, opened(part, "wb") as file:
                    file.writelines(map(_line, kept))


def _line(row: dict[str, Any]) -> bytes:
    return json.dumps(row).encode() + b"\n"


def read_rows(folder: str | Path, *, allow_stale: bool = False) -> Any:
    """Return the rows of a folder of results, the newest of each run.

    Parameters
    ----------
    folder : str or Path
        Folder of results.
    allow_stale : bool, default=False
        Whether rows of different behaviour, or of different data under one name, may come
        together.

    Returns
    -------
    DataFrame
        A line for each run: its settings, what else decided it (the version of the program's
        behaviour, digests of the data and of a method of your own), sizes, "ok" or "failed" and
        why, scores, costs and versions.

    Raises
    ------
    ValueError
        If there are none, a line is no row, or rows do not belong together.
    """
    try:
        import pandas as pd
    except ImportError as error:
        raise ImportError("read_rows needs pandas: pip install 'ronmf[bench]'") from error
    rows = RowFile(folder).read()
    if not rows:
        raise ValueError(f"there are no rows in {folder}; run a plan with --out {folder} first.")
    newest = {row["run"]: row for row in rows}
    frame = pd.DataFrame(list(newest.values()))
    if not allow_stale and (mixed := mixtures(frame)):
        raise ValueError(
            f"rows in {folder} do not belong together: {mixed[0]}; run the plan again, or say"
            " --allow-stale (allow_stale=True) to see them all the same."
        )
    return frame


def mixtures(rows: Any) -> list[str]:
    """Return what must not stand in one table, in words; nothing if all rows belong together.

    Examples
    --------
    >>> import pandas as pd
    >>> same = {"dataset": "yale", "method": "NMF", "method_code": "", "data": "d"}
    >>> mixtures(pd.DataFrame([{**same, "behaviour": version} for version in (1, 2, 2)]))
    ['they are of 2 versions of the behaviour (2: 2 rows, 1: 1)']
    """
    mixed = []
    for column, by, what in (
        ("behaviour", [], "they are of {n} versions of the behaviour"),
        ("method_code", ["method"], "{name} was run in {n} versions of its code"),
        ("data", ["dataset"], "the data of {name} came from {n} different files"),
    ):
        groups = rows.groupby(by) if by else [((), rows)]
        for name, group in groups:
            counts = group[column].value_counts()
            if len(counts) > 1:
                parts = [
                    f"{'unknown' if value == '' else value}: {count}"
                    for value, count in counts.items()
                ]
                parts[0] += " rows"
                words = what.format(n=len(counts), name="".join(name))
                mixed.append(f"{words} ({', '.join(parts)})")
    return mixed
