"""Files that are whole or absent."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

__all__ = ["save_npz", "whole_file"]


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Give a name beside `path` to write to; it becomes `path` at the end, or nothing on error."""
    path.parent.mkdir(parents=True, exist_ok=True)
    # The suffix stays: numpy would add one of its own.
    part = path.with_name(f".part-{secrets.token_hex(4)}-{path.name}")
    try:
        yield part
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def save_npz(
    path: Path,
    X: np.ndarray,
    y: np.ndarray,
    shape: tuple[int, int],
    names: np.ndarray,
) -> None:
    """Write a dataset in the layout :func:`ronmf.datasets.from_npz` reads."""
    with whole_file(path) as part:
        np.savez_compressed(
            part, X=X, y=np.asarray(y, np.int64), shape=np.array(shape), names=names.astype(str)
        )
