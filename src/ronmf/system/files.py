"""Files that are whole or absent, and paths as users write them."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from .platform import exclusive
from .writing import open_to_write

__all__ = ["private_folder", "remove_leftovers", "user_path", "whole_file", "writable"]


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Give a name beside `path` to write to; it becomes `path` at the end, or nothing on error.

    A link at `path` is itself replaced; `writable` returns where a link of the user's leads.
    """
    _refuse_other_kinds(path)
    # The suffix stays: numpy would add one of its own.
    part = path.with_name(f".part-{secrets.token_hex(4)}-{path.name}")
    try:
        open_to_write(part, "xb").close()
        with exclusive(part):  # so that others can tell it from what a killed process left
            yield part
            part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def remove_leftovers(path: Path) -> None:
    """Remove what killed processes left beside `path` when they wrote it with `whole_file`."""
    for part in path.parent.iterdir():
        # Parts have parts of their own where a file is written by several hands.
        ours = part.name.startswith(".part-") and f"-{path.name}" in part.name
        if ours and part.suffix != ".lock":  # a lock goes with what it locks
            if part.is_symlink():
                part.unlink(missing_ok=True)
                continue
            with suppress(OSError), exclusive(part):  # who is still writing it holds it
                part.unlink()


def writable(path: str | Path) -> Path:
    """Return where `path` leads, if that can be written: better said before the work than after."""
    path = Path(path)
    if not path.parent.is_dir():
        raise FileNotFoundError(f"the folder {path.parent} of path does not exist; make it first.")
    _refuse_other_kinds(path)
    return path.resolve() if path.is_symlink() else path


def _refuse_other_kinds(path: Path) -> None:
    """Refuse folders, pipes and devices, which are not to be replaced."""
    if path.exists() and not path.is_file():
        raise ValueError(f"path is {path}, which is no plain file; name another.")


def private_folder(path: Path) -> Path:
    """Make a folder, unless it is there, that only the user can read."""
    for folder in reversed([path, *path.parents]):  # `parents=True` would open those to all
        if not folder.is_dir():
            folder.mkdir(mode=0o700, exist_ok=True)
    return path


def user_path(path: str | os.PathLike) -> Path:
    """Return a path with ``~`` and ``~name`` replaced by the folder of that user.

    Examples
    --------
    >>> user_path("a/b").name
    'b'
    """
    try:
        return Path(path).expanduser()
    except RuntimeError:
        raise ValueError(f"the path {str(path)!r} names a user who is not known here.") from None
