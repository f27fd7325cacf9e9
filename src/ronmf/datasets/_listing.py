"""Which files of a folder are pictures, and which are passed over, and why."""

import os
from dataclasses import dataclass, replace
from pathlib import Path

from ..system.files import user_path
from ..system.plain_text import shown_name
from ._pictures import SUFFIXES

__all__ = ["PictureFolder", "Skipped", "list_pictures"]

# Formats that cameras write and that are not read here: better named than passed over.
_UNREAD = {
    ".heic": "HEIC",
    ".heif": "HEIF",
    ".avif": "AVIF",
    ".jxl": "JPEG XL",
    ".psd": "PSD",
    ".svg": "SVG",
} | dict.fromkeys((".raw", ".cr2", ".cr3", ".nef", ".arw", ".dng"), "raw")
# What systems leave in every folder.
_LITTER = frozenset(("thumbs.db", "desktop.ini", "__macosx"))


@dataclass(frozen=True)
class Skipped:
    """A file that is passed over.

    Attributes
    ----------
    file : str
        Its name, relative to the folder, fit to be shown.
    reason : str
        Why.
    """

    file: str
    reason: str


@dataclass(frozen=True)
class PictureFolder:
    r"""The pictures of a folder, at any depth.

    Attributes
    ----------
    root : Path
        The folder.
    files : tuple of str
        Names of the pictures, relative to `root`, with ``/`` between folders, in sorted order.
        They are fit to be shown and written: a byte that is no UTF-8 reads ``\xe9``.
    paths : tuple of Path
        Where they are, in the same order.
    skipped : tuple of Skipped
        Files that are passed over.
    """

    root: Path
    files: tuple[str, ...]
    paths: tuple[Path, ...]
    skipped: tuple[Skipped, ...] = ()

    def without(self, broken: dict[str, str]) -> "PictureFolder":
        """Return the folder with some files among the skipped; `broken` has their reasons."""
        if not broken:
            return self
        kept = [i for i, name in enumerate(self.files) if name not in broken]
        return replace(
            self,
            files=tuple(self.files[i] for i in kept),
            paths=tuple(self.paths[i] for i in kept),
            skipped=(*self.skipped, *(Skipped(*item) for item in broken.items())),
        )

    def folder_labels(self) -> list[str]:
        """Return the name of the sub-folder that each picture lies in; "" directly in `root`.

        Examples
        --------
        >>> PictureFolder(Path("."), ("owl/1.png", "2.png"), ()).folder_labels()
        ['owl', '']
        """
        return [name.rpartition("/")[0] for name in self.files]


def list_pictures(path: str | os.PathLike) -> PictureFolder:
    """List the pictures of a folder and of the folders in it, without opening any.

    Hidden files and folders, whose names begin with a dot, do not count. Links are followed to
    files inside the folder only, so that no picture comes from elsewhere and no loop is entered.

    Parameters
    ----------
    path : str or path
        The folder.

    Returns
    -------
    PictureFolder

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name in ("b.jpg", "a.png", "notes.txt", "c.heic"):
    ...         _ = (Path(folder) / name).write_bytes(b"0")
    ...     pictures = list_pictures(folder)
    >>> pictures.files
    ('a.png', 'b.jpg')
    >>> [skipped.reason for skipped in pictures.skipped]
    ['HEIC is not read; convert it to JPEG', 'no picture, by its name']
    """
    root = user_path(path)
    if not root.is_dir():
        raise FileNotFoundError(f"the folder is {shown_name(root)!r}, which is not a folder.")
    real_root = root.resolve()
    pictures: dict[str, Path] = {}
    skipped: dict[str, str] = {}
    for place, folders, names in os.walk(root, onerror=lambda error: _note(error, root, skipped)):
        folders[:] = sorted(name for name in folders if not _is_litter(name))
        linked = [name for name in folders if os.path.islink(os.path.join(place, name))]
        for name in [*linked, *names]:
            if _is_litter(name):
                continue
            file = Path(place) / name
            shown = shown_name(file.relative_to(root))
            reason = "a link to a folder" if name in linked else _reason(file, real_root)
            if reason is None and shown not in pictures:
                pictures[shown] = file
            else:
                skipped[shown] = reason or "another file has this name once it is spelt out"
    files = tuple(sorted(pictures))
    return PictureFolder(
        root,
        files,
        tuple(pictures[name] for name in files),
        tuple(Skipped(name, skipped[name]) for name in sorted(skipped)),
    )


def _is_litter(name: str) -> bool:
    return name.startswith(".") or name.lower() in _LITTER


def _note(error: OSError, root: Path, skipped: dict[str, str]) -> None:
    """Keep the name of a folder that may not be looked into; it is an error if it is the root."""
    folder = Path(error.filename or root)
    if folder == root:
        raise error
    skipped[shown_name(folder.relative_to(root))] = error.strerror or "it cannot be looked into"


def _reason(file: Path, real_root: Path) -> str | None:
    """Return why a file is no picture to be read; None if it may be one."""
    suffix = file.suffix.lower()
    if suffix in _UNREAD:
        return f"{_UNREAD[suffix]} is not read; convert it to JPEG"
    if suffix not in SUFFIXES:
        return "no picture, by its name"
    try:
        if file.is_symlink() and not file.resolve().is_relative_to(real_root):
            return "a link that leads out of the folder"
        if not file.is_file():
            return "no plain file"
        if file.stat().st_size == 0:
            return "empty"
    except (OSError, RuntimeError) as error:  # links in a circle
        return getattr(error, "strerror", None) or "a link that leads nowhere"
    return None
