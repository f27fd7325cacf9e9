"""Where datasets are looked for: a folder, ``RONMF_DATA``, the cache."""

import os
from pathlib import Path

from ..system.cache import cache_folder
from ..system.files import user_path
from ._catalog import Entry

__all__ = ["find", "search_folders"]


def search_folders(folder: str | os.PathLike | None = None) -> list[Path]:
    """Folders in the order they are searched: `folder` or else ``RONMF_DATA``, then the cache.

    Raises
    ------
    FileNotFoundError
        If `folder` or ``RONMF_DATA`` is no folder: a typing error should not start a download.
    """
    chosen = folder if folder is not None else os.environ.get("RONMF_DATA") or None
    if chosen is None:
        return [cache_folder()]
    path = user_path(chosen)
    if not path.is_dir():
        origin = " of RONMF_DATA" if folder is None else ""
        raise FileNotFoundError(f"The data folder{origin} is no folder: {path}; name one that is.")
    return [path, cache_folder()]


def find(entry: Entry, folder: str | os.PathLike | None = None) -> Path | None:
    """Return the file of a dataset, or None; capital letters in file names do not matter."""
    for searched in search_folders(folder):
        if searched.is_dir():
            present = {path.name.lower(): path for path in searched.iterdir() if path.is_file()}
            for wanted in (entry.file, *entry.mat_files):
                if wanted.lower() in present:
                    return present[wanted.lower()]
    return None
