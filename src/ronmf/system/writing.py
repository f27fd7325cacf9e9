"""Files that we write: opened so that no link in their place leads us elsewhere.

In a folder of a stranger, or one that many can write to, a link may stand where a file of ours
belongs. Opened in the usual way it would have us make or change a file at its other end.
"""

import errno
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

__all__ = ["database_file", "open_to_write", "own_place"]

_LINK = (errno.ELOOP, errno.EMLINK)  # what systems say of a link that is not to be followed
_BESIDE = ("journal", "wal", "shm")  # what SQLite writes beside a database


def open_to_write(path: Path, mode: str, **how: Any) -> Any:
    """Open a file as :func:`open` does, for whatever changes it; a link in its place is refused.

    Windows offers nothing to refuse a link while opening: there it is looked for just before.

    Parameters
    ----------
    path : Path
        The file. Its folder may be reached over links.
    mode : str
        As for :func:`open`; "x" makes a file that must not be there yet.
    **how
        More for :func:`open`.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with open_to_write(Path(folder) / "a.txt", "w", encoding="utf-8") as file:
    ...         file.write("one")
    3
    """
    if not hasattr(os, "O_NOFOLLOW") and path.is_symlink():
        raise _refusal(path)
    try:
        return open(path, mode, opener=_not_over_links, **how)
    except OSError as error:
        if error.errno in _LINK and path.is_symlink():
            raise _refusal(path) from None
        raise


def own_place(path: Path) -> Path:
    """Return a place that we chose, not the user; a link there is refused.

    Examples
    --------
    >>> own_place(Path("report.html")).name
    'report.html'
    """
    if path.is_symlink():
        raise _refusal(path)
    return path


def database_file(path: Path) -> Path:
    """Return the file of an SQLite database, made if absent; SQLite itself would follow links."""
    for each in (path, *(path.with_name(f"{path.name}-{end}") for end in _BESIDE)):
        if each.is_symlink():
            raise _refusal(each)
    with suppress(FileExistsError):  # closing one that is in use would let go of its locks
        open_to_write(path, "xb").close()
    return path


def _not_over_links(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0), 0o666)


def _refusal(path: Path) -> FileExistsError:
    return FileExistsError(
        f"{path} is a link, which may lead anywhere; remove it, or name another place."
    )
