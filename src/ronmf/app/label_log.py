"""Labels as a log of actions, in SQLite: each is on disk before the click is answered."""

import sqlite3
import threading
import time
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from .database import open_tables, transaction

__all__ = ["LabelLog", "Labels"]

# Of an action, `state` alone ever changes: 'undone' ones can be redone, until something new is done
# and they are 'dropped' for good.
_TABLES = (
    "CREATE TABLE actions (id INTEGER PRIMARY KEY AUTOINCREMENT, at REAL NOT NULL,"
    " text TEXT NOT NULL, state TEXT NOT NULL CHECK (state IN ('done', 'undone', 'dropped')))",
    "CREATE TABLE changes (picture TEXT NOT NULL, action INTEGER NOT NULL REFERENCES actions,"
    " label TEXT NOT NULL, PRIMARY KEY (picture, action)) WITHOUT ROWID",
    "CREATE TABLE revisions (number INTEGER NOT NULL)",
)
_FIRST_REVISION = "INSERT INTO revisions SELECT 0 WHERE NOT EXISTS (SELECT * FROM revisions)"
_NO_PICTURE = ""  # as the picture of a change: a class that was named before any picture had it
# SQLite takes `label` from the row that has the largest `action`.
_CURRENT = (
    "SELECT picture, label, MAX(action) FROM changes JOIN actions ON id = action"
    " WHERE state = 'done' GROUP BY picture"
)


@dataclass(frozen=True)
class Labels:
    """The labels of a moment.

    Attributes
    ----------
    revision : int
        Grows with everything that is done.
    of : dict
        Label of each picture that has one.
    classes : tuple of str
        The classes, in the order in which they were first named. One keeps its place when its last
        picture loses the label; only undoing the action that named it takes it away.
    undo, redo : str
        What would be undone and done again, in words; "" if nothing.
    """

    revision: int
    of: dict[str, str]
    classes: tuple[str, ...]
    undo: str
    redo: str


class LabelLog:
    """The log of a project. Several threads and several processes may use it at once.

    What an action did stays when others act: undoing takes back the last action of the project,
    whoever did it.

    Parameters
    ----------
    path : Path
        The file, made if absent.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     log = LabelLog(Path(folder) / "labels.sqlite")
    ...     log.do({"a.png": "owl", "b.png": "owl"}, "2 pictures: owl")
    ...     log.do({"b.png": ""}, "1 picture: no label")
    ...     _ = log.undo()
    ...     labels = log.labels()
    ...     log.close()
    >>> labels.of, labels.undo, labels.redo
    ({'a.png': 'owl', 'b.png': 'owl'}, '2 pictures: owl', '1 picture: no label')
    """

    def __init__(self, path: Path) -> None:
        self._lock = threading.Lock()
        try:
            # FULL: a click outlives not only a killed process but a power cut.
            self._connection = open_tables(path, _TABLES, synchronous="FULL")
            try:
                self._connection.execute(_FIRST_REVISION)
                self.labels()  # a damaged page shows when it is read
            except sqlite3.DatabaseError:
                self._connection.close()
                raise
        except sqlite3.DatabaseError as error:
            raise ValueError(
                f"the labels {path} cannot be read ({error}): move the file away, or give another"
                " --project."
            ) from error

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    def do(self, labels: Mapping[str, str], text: str) -> None:
        """Give labels to pictures; "" takes a label away.

        It is on disk when this returns.

        Parameters
        ----------
        labels : mapping
            From pictures to labels.
        text : str
            The action in words.
        """
        if not labels:
            return
        with self._lock, self._writing():
            self._record(labels, text)

    def add_class(self, name: str, text: str) -> None:
        """Name a class that no picture has yet; nothing is done if it is there already.

        Parameters
        ----------
        name : str
            The class.
        text : str
            The action in words.
        """
        with self._lock, self._writing():
            if name not in self._classes():
                self._record({_NO_PICTURE: name}, text)

    def _record(self, labels: Mapping[str, str], text: str) -> None:
        run = self._connection.execute
        run("UPDATE actions SET state = 'dropped' WHERE state = 'undone'")
        action = run(
            "INSERT INTO actions (at, text, state) VALUES (?, ?, 'done')", (time.time(), text)
        ).lastrowid
        self._connection.executemany(
            "INSERT INTO changes VALUES (?, ?, ?)",
            [(picture, action, label) for picture, label in labels.items()],
        )
        self._raise_revision()

    def undo(self) -> str:
        """Take the last action back and return it in words; "" if there is none."""
        return self._change_last("done", "undone", "DESC")

    def redo(self) -> str:
        """Do again what was undone last and return it in words; "" if there is nothing."""
        return self._change_last("undone", "done", "ASC")

    def _change_last(self, old: str, new: str, order: str) -> str:
        with self._lock, self._writing():
            action = self._last(old, order)
            if action is None:
                return ""
            number, text = action
            self._connection.execute("UPDATE actions SET state = ? WHERE id = ?", (new, number))
            self._raise_revision()
            return text

    def revision(self) -> int:
        """Return a number that grows with everything that is done."""
        with self._lock:
            return self._connection.execute("SELECT number FROM revisions").fetchone()[0]

    def labels(self) -> Labels:
        """Return the labels as they are now."""
        with self._lock, transaction(self._connection, "BEGIN"):
            run = self._connection.execute
            current = run(_CURRENT)
            undo, redo = self._last("done", "DESC"), self._last("undone", "ASC")
            return Labels(
                run("SELECT number FROM revisions").fetchone()[0],
                {name: label for name, label, _ in current if label and name != _NO_PICTURE},
                self._classes(),
                "" if undo is None else undo[1],
                "" if redo is None else redo[1],
            )

    def ever_labelled(self, pictures: Iterable[str]) -> set[str]:
        """Return those pictures that any action ever touched."""
        with self._lock:
            known = {name for (name,) in self._connection.execute("SELECT picture FROM changes")}
        return known.intersection(pictures)

    def _classes(self) -> tuple[str, ...]:
        used = self._connection.execute(
            "SELECT label, MIN(action) FROM changes JOIN actions ON id = action"
            " WHERE state = 'done' GROUP BY label ORDER BY MIN(action), label"
        )
        return tuple(label for label, _ in used if label)

    def _last(self, state: str, order: str) -> tuple[int, str] | None:
        """Return the number and the words of the last (or first) action in a state."""
        return self._connection.execute(
            f"SELECT id, text FROM actions WHERE state = ? ORDER BY id {order} LIMIT 1", (state,)
        ).fetchone()

    def _raise_revision(self) -> None:
        self._connection.execute("UPDATE revisions SET number = number + 1")

    def _writing(self) -> AbstractContextManager[None]:
        return transaction(self._connection)
