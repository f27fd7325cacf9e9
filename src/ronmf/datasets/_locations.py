"""Where datasets lie, what they are called there, and a digest of what lies there."""

import hashlib
import os
from pathlib import Path

from ..system.cache import cache_folder
from ..system.files import user_path
from ._catalog import CATALOG, entry_of
from ._download import file_digest

__all__ = ["dataset_digest", "dataset_name", "find", "own_path"]

_SUFFIXES = (".npz", ".mat", ".zip")


def find(name: str, folder: str | os.PathLike | None = None) -> Path | None:
    """Return the file of a dataset of the catalog, or None; nothing is downloaded.

    Parameters
    ----------
    name : str
        A name of the catalog.
    folder : str or path, optional
        Where to look first, ``RONMF_DATA`` if None; then comes the cache. Capital letters in the
        names of files do not matter.

    Raises
    ------
    FileNotFoundError
        If `folder` or ``RONMF_DATA`` is no folder: a typing error should not start a download.

    Examples
    --------
    >>> find("digits") is None  # part of scikit-learn
    True
    """
    entry, first = entry_of(name), _first_folder(folder)
    if first is not None and not first.is_dir():
        origin = " of RONMF_DATA" if folder is None else ""
        raise FileNotFoundError(f"The data folder{origin} is no folder: {first}; name one that is.")
    for searched in (first, cache_folder()):
        if searched is not None and searched.is_dir():
            present = {path.name.lower(): path for path in searched.iterdir() if path.is_file()}
            for wanted in (entry.file, *entry.mat_files):
                if wanted.lower() in present:
                    return present[wanted.lower()]
    return None


def _first_folder(folder: str | os.PathLike | None) -> Path | None:
    """Return the folder that the user names, here or by ``RONMF_DATA``; None if none."""
    name = folder if folder is not None else os.environ.get("RONMF_DATA") or None
    return None if name is None else user_path(name)


def own_path(given: str | os.PathLike, folder: str | os.PathLike | None = None) -> Path | None:
    """Return the file or folder that a path names, as it is or inside `folder`; None if none."""
    paths, first = [user_path(given)], _first_folder(folder)
    if first is not None:
        paths += [first / given, first / f"{given}.npz", first / f"{given}.mat"]
    return next((path for path in paths if path.exists()), None)


def dataset_name(given: str | os.PathLike) -> str:
    """Return the one name of a dataset, however it is given.

    Parameters
    ----------
    given : str or path
        A name of the catalog in any case, or a path.

    Examples
    --------
    >>> dataset_name("COIL20"), dataset_name("data/coil20.npz"), dataset_name("my/Owls/")
    ('coil20', 'coil20', 'Owls')
    """
    path = Path(given)
    name = path.stem if path.suffix.lower() in _SUFFIXES else path.name
    return name.lower() if name.lower() in CATALOG else name or str(given)


def dataset_digest(given: str | os.PathLike, folder: str | os.PathLike | None = None) -> str:
    """Return the beginning of the sha256 of a dataset's file, or of all files of a folder.

    Hidden files do not count. Empty if the dataset is not here; nothing is downloaded. Digits come
    with scikit-learn, whose version stands for them.

    Parameters
    ----------
    given : str or path
        A name of the catalog, or a path.
    folder : str or path, optional
        Folder of datasets; ``RONMF_DATA`` if None.

    Examples
    --------
    >>> dataset_digest("digits"), dataset_digest("no such file")
    ('bundled', '')
    """
    entry = CATALOG.get(str(given).lower())
    if entry is not None and entry.bundled:
        return "bundled"
    path = own_path(given, folder) if entry is None else find(entry.name, folder)
    if path is None:
        return ""
    if path.is_file():
        return file_digest(path)[:16]
    check = hashlib.sha256()
    for file in sorted(path.rglob("*")):
        inside = file.relative_to(path)
        if file.is_file() and not any(part.startswith(".") for part in inside.parts):
            check.update(f"{inside.as_posix()} {file_digest(file)}\n".encode(errors="replace"))
    return check.hexdigest()[:16]
