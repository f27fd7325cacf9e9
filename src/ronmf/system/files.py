"""Files that are whole or absent."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["folder_exists", "whole_file"]


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Give a name beside `path` to write to; it becomes `path` at the end, or nothing on error."""
    # The suffix stays: numpy would add one of its own.
    part = path.with_name(f".part-{secrets.token_hex(4)}-{path.name}")
    try:
        yield part
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def folder_exists(path: str | Path) -> Path:
    """Return `path` if its folder exists: better said before the work than after."""
    path = Path(path)
    if not path.parent.is_dir():
        raise FileNotFoundError(f"the folder {path.parent} of path does not exist; make it first.")
    return path
