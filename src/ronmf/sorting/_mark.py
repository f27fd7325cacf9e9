"""The mark of a folder of results: what was written there, so that nothing else is removed."""

import hashlib
import json
import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

__all__ = ["MARK", "RESULTS", "file_state", "list_written", "not_as_written", "read_mark"]

MARK = "ronmf.json"
RESULTS = frozenset((MARK, "clusters", "clusters.csv", "model.ronmf", "report.html"))

_MOST_BYTES = 2**28  # of the mark, which lists every copy
_LITTER = frozenset((".ds_store", "thumbs.db", "desktop.ini"))  # what file managers leave


def read_mark(folder: Path) -> dict[str, Any] | None:
    """Return what the mark of results says; None if there is none, so that they are not ours."""
    mark = folder / MARK
    try:
        if not mark.is_file() or mark.stat().st_size > _MOST_BYTES:
            return None
        content: Any = json.loads(mark.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    ours = isinstance(content, dict) and {"ronmf", "pictures", "clusters"} <= set(content)
    return content if ours else None


def file_state(path: Path) -> str:
    """Return what tells whether a file is still the same: its size and time, or where it links.

    Not its content: that of many large pictures would be read twice.
    """
    status = os.lstat(path)
    if stat.S_ISLNK(status.st_mode):
        target = os.fsencode(os.readlink(path))
        return f"link {hashlib.sha256(target).hexdigest()[:16]}"  # no path of this machine
    if not stat.S_ISREG(status.st_mode):
        return "no file"
    return f"{status.st_size} {status.st_mtime_ns // 1000}"  # finer times do not survive every disk


def list_written(folder: Path) -> dict[str, str]:
    """Return the state of every file of a folder, by its path in it.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as place:
    ...     _ = (Path(place) / "a.txt").write_text("mine")
    ...     written = list_written(Path(place))
    ...     before = not_as_written(Path(place), written)
    ...     _ = (Path(place) / "b.txt").write_text("yours")
    ...     list(written), before, not_as_written(Path(place), written)
    (['a.txt'], [], ['b.txt'])
    """
    return {name: file_state(folder / name) for name, is_file in _contents(folder) if is_file}


def not_as_written(folder: Path, written: Mapping[str, str]) -> list[str]:
    """Return what is in a folder and is not as it was written: added, moved or changed.

    What is gone is no matter. An empty folder counts if nothing was ever written to it.

    Parameters
    ----------
    folder : Path
        The folder.
    written : mapping
        What :func:`list_written` returned.
    """
    parents = {parent.as_posix() for name in written for parent in PurePosixPath(name).parents}
    return sorted(
        name
        for name, is_file in _contents(folder)
        if (written.get(name) != file_state(folder / name) if is_file else name not in parents)
    )


def _contents(folder: Path) -> Iterator[tuple[str, bool]]:
    """Yield the files in a folder, and the folders without any, by their paths; links are files."""
    for place, folders, names in os.walk(folder, onerror=_refuse):
        inside = Path(place).relative_to(folder)
        links = [name for name in folders if os.path.islink(os.path.join(place, name))]
        files = [name for name in (*links, *names) if name.lower() not in _LITTER]
        for name in files:
            yield (inside / name).as_posix(), True
        if not folders and not files and inside.parts:
            yield inside.as_posix(), False


def _refuse(error: OSError) -> None:
    raise error  # what cannot be looked into cannot be told to be ours
