"""Thumbnails of a project, in one SQLite file: made once, as they are asked for or ahead of it."""

import os
import signal
import sqlite3
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from ..datasets import PictureFolder
from ..displays import Thumbnail, file_thumbnail
from ..system.platform import end_with_parent
from .database import open_tables, transaction

__all__ = ["Thumbnails", "make_all", "opened_inside"]

SIDE = 128
_BINARY = getattr(os, "O_BINARY", 0)  # Windows would change line ends
_TABLE = "CREATE TABLE thumbnails (key TEXT PRIMARY KEY, content BLOB NOT NULL)"
_KEPT_AT_ONCE = 64  # when they are made ahead


@contextmanager
def opened_inside(path: Path, root: Path) -> Iterator[BinaryIO]:
    """Open a file that lies in a folder at this very moment, whatever it was when it was listed.

    Parameters
    ----------
    path : Path
        The file.
    root : Path
        The folder, as ``Path.resolve`` gives it.

    Raises
    ------
    PermissionError
        If it leads out of the folder, or is no plain file.
    """
    # A pipe that took the file's place must not keep us waiting.
    with open(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | _BINARY), "rb") as file:
        opened = os.fstat(file.fileno())
        real = path.resolve()
        # The file that is open is compared with the one that lies inside: no link can be exchanged
        # between looking and opening.
        there = os.stat(real, follow_symlinks=False)
        if not stat.S_ISREG(opened.st_mode) or not real.is_relative_to(root):
            raise PermissionError(f"{path.name} leads out of the folder")
        if (opened.st_dev, opened.st_ino) != (there.st_dev, there.st_ino):
            raise PermissionError(f"{path.name} is being exchanged")
        yield file


class Thumbnails:
    """Thumbnails by the name of a picture, its size and when it was changed.

    Parameters
    ----------
    path : Path
        The file, made if absent; one that cannot be read is made anew.
    root : Path
        The folder of the pictures, as ``Path.resolve`` gives it.
    """

    def __init__(self, path: Path, root: Path) -> None:
        self._root, self._lock = root, threading.Lock()
        try:
            self._connection = open_tables(path, [_TABLE], synchronous="OFF")
        except sqlite3.OperationalError:  # in use by another process, or the disk is full
            raise
        except sqlite3.DatabaseError:  # damaged: they can be made again
            path.unlink()
            self._connection = open_tables(path, [_TABLE], synchronous="OFF")

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    def kept(self, name: str, path: Path) -> Thumbnail | None:
        """Return the thumbnail of a picture; None if it is not there."""
        with opened_inside(path, self._root) as file:
            return self._find(_key(name, os.fstat(file.fileno())))

    def of(self, name: str, path: Path) -> Thumbnail:
        """Return the thumbnail of a picture, made now if it is not there."""
        with opened_inside(path, self._root) as file:
            key = _key(name, os.fstat(file.fileno()))
            thumbnail = self._find(key)
            if thumbnail is None:
                thumbnail = file_thumbnail(file, SIDE)
                with suppress(sqlite3.Error):  # a full disk, perhaps: it is made again next time
                    self.keep({key: thumbnail})
            return thumbnail

    def make(self, name: str, path: Path) -> tuple[str, Thumbnail] | None:
        """Return the key and the thumbnail of a picture that has none yet, without keeping it."""
        with opened_inside(path, self._root) as file:
            key = _key(name, os.fstat(file.fileno()))
            return None if self._find(key) is not None else (key, file_thumbnail(file, SIDE))

    def keep(self, made: dict[str, Thumbnail]) -> None:
        """Keep thumbnails by their keys."""
        with self._lock, transaction(self._connection):
            self._connection.executemany(
                "INSERT OR REPLACE INTO thumbnails VALUES (?, ?)",
                [(key, bytes(content)) for key, content in made.items()],
            )

    def _find(self, key: str) -> Thumbnail | None:
        with self._lock:
            row = self._connection.execute(
                "SELECT content FROM thumbnails WHERE key = ?", (key,)
            ).fetchone()
        return None if row is None or not isinstance(row[0], bytes) else Thumbnail(row[0])


def _key(name: str, status: os.stat_result) -> str:
    return f"{SIDE}/{status.st_size}/{status.st_mtime_ns}/{name}"


def make_all(path: Path, folder: PictureFolder) -> None:
    """Make the thumbnails of a folder that are not there yet, in a process of its own.

    Parameters
    ----------
    path : Path
        The file of thumbnails.
    folder : PictureFolder
        The pictures.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server ends it
    end_with_parent()
    if hasattr(os, "nice"):
        os.nice(10)
    thumbnails = Thumbnails(path, folder.root.resolve())
    new: dict[str, Thumbnail] = {}
    for number, (name, file) in enumerate(zip(folder.files, folder.paths, strict=True), start=1):
        try:
            item = thumbnails.make(name, file)
        except (OSError, ValueError):  # it is shown as unreadable when somebody looks
            item = None
        if item is not None:
            new[item[0]] = item[1]
        if len(new) == _KEPT_AT_ONCE or number == len(folder.files):
            thumbnails.keep(new)
            new = {}
    thumbnails.close()
