"""What users take elsewhere: a table of pictures, and the pictures in one folder per class."""

import csv
import io
import os
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..datasets import PictureFolder
from ..system.writing import open_to_write

__all__ = ["check_how", "copy_pictures", "folder_names", "write_table"]

_MOST_BYTES = 120  # bytes of a name: file systems take 255, and a number may follow
# Names that Windows keeps for devices
_DEVICES = {"con", "prn", "aux", "nul", *(f"{d}{i}" for d in ("com", "lpt") for i in range(1, 10))}


def write_table(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write a CSV file in UTF-8; numbers have four digits, and None is an empty cell.

    Where names are beyond ASCII, a mark at the beginning says that it is UTF-8: spreadsheets would
    take it for something else.
    """
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(rows[0])
    for row in rows:
        cells = row.values()
        table.writerow([f"{cell:.4f}" if isinstance(cell, float) else cell for cell in cells])
    content = text.getvalue()
    encoding = "utf-8" if content.isascii() else "utf-8-sig"
    with open_to_write(path, "w", newline="", encoding=encoding) as file:
        file.write(content)


def folder_names(names: Iterable[str]) -> list[str]:
    """Return names of folders for names of classes, which may hold anything.

    Examples
    --------
    >>> folder_names(["owl", "a/b", "..", "Owl", ""])
    ['owl', 'a_b', '_', 'Owl (2)', '_ (2)']
    """
    taken: set[str] = set()
    return [_free(_safe(name), taken) for name in names]


def _safe(name: str) -> str:
    safe = "".join(c if c.isprintable() and c not in '/\\:*?"<>|' else "_" for c in name)
    safe = safe.encode()[:_MOST_BYTES].decode(errors="ignore").strip(" .") or "_"
    return f"_{safe}" if safe.split(".")[0].lower() in _DEVICES else safe


def _file_name(path: str) -> str:
    """Return a name for a copy of a picture: the end of its path, which tells it best.

    Examples
    --------
    >>> _file_name("uncle/1.jpg"), len(_file_name("x" * 300 + "/2.jpg"))
    ('uncle_1.jpg', 124)
    """
    stem, suffix = os.path.splitext(path.replace("/", "_"))
    return _safe(stem.encode()[-_MOST_BYTES:].decode(errors="ignore")) + suffix


def _free(name: str, taken: set[str]) -> str:
    """Return a name that is not taken, whatever the case of its letters, and take it."""
    stem, suffix = os.path.splitext(name)
    number, free = 1, name
    while free.lower() in taken:
        number += 1
        free = f"{stem} ({number}){suffix}"
    taken.add(free.lower())
    return free


def copy_pictures(
    folder: PictureFolder,
    classes: Sequence[str],
    target: Path,
    how: str,
    report: Callable[[int, int], Any],
) -> None:
    """Copy pictures, or links to them, into one folder per class.

    A picture ``sub/1.jpg`` becomes ``CLASS/sub_1.jpg``; nothing is replaced.

    Parameters
    ----------
    folder : PictureFolder
        The pictures.
    classes : sequence of str
        Class of each.
    target : Path
        A new folder.
    how : {"copy", "link"}
        Copies, or symbolic links to the pictures where they are.
    report : callable
        ``report(done, total)``.
    """
    names = sorted(set(classes))
    places = {name: target / safe for name, safe in zip(names, folder_names(names), strict=True)}
    taken: dict[str, set[str]] = {name: set() for name in names}
    for done, (file, path, name) in enumerate(
        zip(folder.files, folder.paths, classes, strict=True), start=1
    ):
        places[name].mkdir(parents=True, exist_ok=True)
        copy = places[name] / _free(_file_name(file), taken[name])
        if how == "link":
            _link(path.resolve(), copy)
        else:
            with suppress(FileNotFoundError):  # it was there when its features were made
                shutil.copy2(path, copy)
        report(done, len(classes))


def check_how(name: str, how: str) -> None:
    """Refuse another way of sorting pictures than the two that there are."""
    if how not in ("copy", "link"):
        raise ValueError(f"{name} is {how!r}; use 'copy' or 'link'.")


def _link(path: Path, link: Path) -> None:
    try:
        link.symlink_to(path)
    except OSError as error:
        raise OSError(
            f"no link can be made in {link.parent} ({error.strerror}); make copies instead, with"
            ' sort="copy" (--copy on the command line).'
        ) from error
