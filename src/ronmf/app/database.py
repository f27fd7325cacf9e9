"""SQLite files of a project: opened with care, and changed whole or not at all."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from ..system.writing import database_file

__all__ = ["open_tables", "transaction"]

_WAIT = 10.0  # seconds for another process that is writing


def open_tables(path: Path, tables: Sequence[str], synchronous: str) -> sqlite3.Connection:
    """Open a file, made if absent, that holds some tables and nothing else.

    Several threads may use the connection, one at a time.

    Parameters
    ----------
    path : Path
        The file.
    tables : sequence of str
        The statements that make them.
    synchronous : {"FULL", "OFF"}
        Whether what is written outlives a power cut, which costs milliseconds.

    Raises
    ------
    sqlite3.DatabaseError
        If the file is damaged, or holds something else.
    """
    connection = sqlite3.connect(
        database_file(path), timeout=_WAIT, isolation_level=None, check_same_thread=False
    )
    try:
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(f"PRAGMA synchronous = {synchronous}")
        if not _schema(connection):
            with transaction(connection):
                for table in tables if not _schema(connection) else ():
                    connection.execute(table)
        # Nothing else: a view or a trigger of another's making would run when asked.
        if _schema(connection) != set(tables):
            raise sqlite3.DatabaseError("it holds something else")
    except BaseException:
        connection.close()
        raise
    return connection


def _schema(connection: sqlite3.Connection) -> set[str]:
    """Return the statements that made what is in a file; reading them waits for nobody."""
    found = connection.execute(
        "SELECT sql FROM sqlite_master WHERE sql NOT NULL AND name <> 'sqlite_sequence'"
    )
    return {text for (text,) in found}


@contextmanager
def transaction(connection: sqlite3.Connection, begin: str = "BEGIN IMMEDIATE") -> Iterator[None]:
    """Make all changes in this context, or none of them.

    Parameters
    ----------
    connection : sqlite3.Connection
        Of :func:`open_tables`.
    begin : str, default="BEGIN IMMEDIATE"
        "BEGIN" is enough to read several things of one moment.
    """
    connection.execute(begin)
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:  # of COMMIT too: on a full disk
        with suppress(sqlite3.Error):  # it may be rolled back already
            connection.execute("ROLLBACK")
        raise
