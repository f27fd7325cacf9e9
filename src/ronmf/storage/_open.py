"""Which objects are stored data, and files that hold them."""

from pathlib import Path
from typing import Any

import numpy as np

from ..system.files import user_path
from ._disk_rows import DiskRows
from ._rows import StoredRows

__all__ = ["is_stored", "open_rows", "stored_rows"]

_LIBRARIES, _ARRAYS = ("zarr", "h5py", "dask"), ("Array", "Dataset")


def is_stored(X: Any) -> bool:
    """Whether X is an array that lies elsewhere than in memory.

    Examples
    --------
    >>> is_stored(np.zeros((2, 2)))
    False
    """
    if isinstance(X, np.memmap):
        return X._mmap is not None  # type: ignore[attr-defined]
    return isinstance(X, StoredRows) or (
        type(X).__module__.split(".")[0] in _LIBRARIES and type(X).__name__ in _ARRAYS
    )


def stored_rows(X: Any, block_bytes: int | None = None) -> StoredRows:
    """Return stored data as rows that are read by blocks of at most so many bytes."""
    if isinstance(X, StoredRows):
        return X
    if len(X.shape) < 2:
        raise ValueError(f"X has shape {tuple(X.shape)}; it needs samples x features.")
    if type(X).__module__.split(".")[0] == "dask":
        from ._dask_rows import DaskRows

        return DaskRows(X)
    return DiskRows(X, block_bytes)


def open_rows(path: str | Path, name: str | None = None) -> Any:
    """Open an array in a file without reading it, to be given to ``fit`` or ``predict``.

    Parameters
    ----------
    path : str or Path
        A file ``.npy`` of NumPy, a folder (or ``.zip``) of Zarr, or a file ``.h5`` or ``.hdf5``.
    name : str, default=None
        Of the array in a file of HDF5 or a group of Zarr; None if there is only one.

    Returns
    -------
    np.memmap, zarr.Array or h5py.Dataset
        One row, or one picture, per sample.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     np.save(Path(folder) / "X.npy", np.ones((3, 2)))
    ...     X = open_rows(Path(folder) / "X.npy")
    >>> X.shape
    (3, 2)
    """
    path = user_path(path)
    if not path.exists():
        raise FileNotFoundError(f"path={str(path)!r} does not exist; name a file with an array.")
    try:
        if path.suffix == ".npy":
            return np.load(path, mmap_mode="r", allow_pickle=False)
        if path.suffix in (".h5", ".hdf5"):
            return _in_hdf5(path, name)
        return _in_zarr(path, name)
    except ImportError as error:
        raise ImportError(
            f"path={str(path)!r} needs {error.name}: pip install 'ronmf[files]'"
        ) from error
    except Exception as error:  # of any library, about any file
        raise ValueError(
            f"path={str(path)!r} could not be opened as an array ({type(error).__name__}: {error});"
            " is it whole, and of the kind that its name says?"
        ) from error


def _in_hdf5(path: Path, name: str | None) -> Any:
    import h5py

    file = h5py.File(path, "r")
    try:
        names = [key for key in file if isinstance(file[key], h5py.Dataset)]
        return file[name if name is not None else _only(names)]
    except BaseException:
        file.close()
        raise


def _in_zarr(path: Path, name: str | None) -> Any:
    import zarr

    found = zarr.open(str(path), mode="r")
    if isinstance(found, zarr.Array):
        return found
    return found[name if name is not None else _only(list(found.array_keys()))]


def _only(names: list[str]) -> str:
    if len(names) != 1:
        raise ValueError(f"it holds the arrays {names}; say which with name=")
    return names[0]
