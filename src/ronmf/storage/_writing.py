"""Results that are too large for memory: written to a file, block by block."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ..system.files import user_path, whole_file, writable
from ._open import stored_rows
from ._scratch import room_for

__all__ = ["write_rows"]


def write_rows(path: str | Path, X: Any, function: Callable[[np.ndarray], Any]) -> np.ndarray:
    """Write what a function makes of every block of `X` to a file ``.npy``, and open that.

    Parameters
    ----------
    path : str or Path
        The file. It appears when all is written.
    X : array of shape (n_samples, ...)
        On disk, in memory or of Dask.
    function : callable
        Returns as many rows as it is given, such as ``model.predict_proba``.

    Returns
    -------
    np.memmap
        Of the file, with n_samples rows.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     found = write_rows(Path(folder) / "twice.npy", np.ones((3, 2)), lambda X: 2 * X)
    >>> found.sum()
    np.float64(12.0)
    """
    path = user_path(path)
    if path.suffix != ".npy":
        raise ValueError(f"path={str(path)!r} does not end in .npy; name a file that does.")
    path = writable(path)
    rows, start, out = stored_rows(X), 0, None
    with room_for(path.parent), whole_file(path) as part:
        for made in rows.map(_apply, shared=(function,), steady=False):
            if out is None:
                shape = (rows.shape[0], *made.shape[1:])
                out = np.lib.format.open_memmap(part, mode="w+", dtype=made.dtype, shape=shape)
            out[start : start + len(made)] = made
            start += len(made)
        if out is not None:
            out.flush()
    return np.load(path, mmap_mode="r")


def _apply(block: np.ndarray, function: Callable[[np.ndarray], Any]) -> np.ndarray:
    made = np.asarray(function(block))
    if made.ndim < 1 or len(made) != len(block) or made.dtype.hasobject:
        raise ValueError(
            f"function returns {made.dtype} of shape {made.shape} for {len(block)} samples; return"
            " a row of numbers, or a text, for each."
        )
    return made
