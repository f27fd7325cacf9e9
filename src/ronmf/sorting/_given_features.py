"""Features that the user made."""

import os

import numpy as np

from ..datasets import PictureFolder
from ..datasets._listing import shown_name
from ..system.files import user_path
from ..system.plain_text import counted
from ._features import FolderFeatures

__all__ = ["given_features"]

_SMALL = 2**29  # bytes up to which they are read into memory


def given_features(path: str | os.PathLike, folder: PictureFolder) -> FolderFeatures:
    """Open a ``.npy`` file with one row for each picture of a folder, in their order."""
    file = user_path(path)
    if not file.is_file():
        raise FileNotFoundError(f"features is {shown_name(file)}, which is not a file.")
    if file.suffix.lower() != ".npy":
        raise ValueError(f"features is {shown_name(file)}; rows of numbers come in a .npy file.")
    try:
        X = np.load(file, mmap_mode="r", allow_pickle=False)
    except (ValueError, OSError, EOFError):
        X = None
    if not isinstance(X, np.ndarray):
        raise ValueError(
            f"features is {shown_name(file)}, which is no array of numbers that np.save wrote."
        )
    if X.ndim < 2 or X.dtype.kind not in "fiu":
        raise ValueError(
            f"features is {shown_name(path)}, an array of shape {X.shape} and type {X.dtype}; it"
            " needs a row of numbers for each picture."
        )
    if X.shape[0] != len(folder.files):
        raise ValueError(
            f"features is {shown_name(path)}, which has {counted(X.shape[0], 'row')} for"
            f" {counted(len(folder.files), 'picture')}; give one row per picture, in the order of"
            " their names."
        )
    rows = np.array(X) if X.nbytes <= _SMALL else X
    if rows is not X and not np.isfinite(rows).all():
        raise ValueError(f"features is {shown_name(file)}, which has NaN or infinite numbers.")
    state = file.stat()
    digest = f"{file.resolve()}/{state.st_size}/{state.st_mtime_ns}"
    return FolderFeatures(rows, folder, None, digest)
