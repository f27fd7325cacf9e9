"""What a dataset is called, where it lies, and a digest of what lies there."""

import hashlib
import os
from pathlib import Path

from ..system.files import user_path
from ._catalog import CATALOG
from ._download import sha256_of
from ._locations import find

__all__ = ["dataset_digest", "dataset_name", "own_path"]

_SUFFIXES = (".npz", ".mat", ".zip")


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


def own_path(given: str | os.PathLike, folder: str | os.PathLike | None = None) -> Path | None:
    """Return the file or folder that a path names, as it is or inside `folder`; None if none."""
    chosen = folder if folder is not None else os.environ.get("RONMF_DATA")
    paths = [user_path(given)]
    if chosen:
        base = user_path(chosen)
        paths += [base / given, base / f"{given}.npz", base / f"{given}.mat"]
    return next((path for path in paths if path.exists()), None)


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
    path = own_path(given, folder) if entry is None else find(entry, folder)
    if path is None:
        return ""
    if path.is_file():
        return sha256_of(path)[:16]
    check = hashlib.sha256()
    for file in sorted(path.rglob("*")):
        inside = file.relative_to(path)
        if file.is_file() and not any(part.startswith(".") for part in inside.parts):
            check.update(f"{inside.as_posix()} {sha256_of(file)}\n".encode(errors="replace"))
    return check.hexdigest()[:16]
