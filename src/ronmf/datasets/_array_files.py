"""The one place where files of arrays are opened: ``.npz`` and ``.mat``.

Files come from strangers: nothing in them is executed, the sizes they claim are checked before
memory is asked for, and whatever goes wrong is one sentence with the file's name.
"""

import math
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from textwrap import shorten

import numpy as np
from numpy.lib import format as npy

from ..system.platform import memory
from ._matlab import MOST_GROWN, read_matlab

__all__ = ["read_mat_arrays", "read_npz_arrays"]


def read_npz_arrays(path: Path, names: Sequence[str]) -> dict[str, np.ndarray]:
    """Return the arrays of these names, as far as they are there."""
    with _sentence(path, ".npz file of plain arrays", "save it again with numpy.savez"):
        with zipfile.ZipFile(path) as archive:
            present = [name for name in names if f"{name}.npy" in archive.namelist()]
            claimed = [_claimed(archive, f"{name}.npy") for name in present]
        _check_memory(sum(claimed))
        with np.load(path, allow_pickle=False) as file:
            return {name: file[name] for name in present}


def _claimed(archive: zipfile.ZipFile, member: str) -> int:
    """Return the bytes of an array by its head; more than the file holds are refused."""
    info = archive.getinfo(member)
    with archive.open(info) as file:
        read_head = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}
        version = npy.read_magic(file)
        if version not in read_head:  # a name in another alphabet than latin
            raise ValueError(f"{member} is in version {version} of the format")
        shape, _, dtype = read_head[version](file)
    # Nothing is counted as one: numbers without bytes, or rows without numbers, take time as well.
    size = math.prod(max(1, side) for side in shape) * max(1, dtype.itemsize)
    if size > info.file_size or info.file_size > MOST_GROWN * max(1, info.compress_size):
        raise ValueError(f"{member} claims {size} bytes, more than it can hold")
    return size


def read_mat_arrays(path: Path) -> dict[str, np.ndarray]:
    """Return the arrays of numbers in a MATLAB file, by name."""
    with _sentence(path, "MATLAB file", "save it again with save -v7"):
        _check_memory(path.stat().st_size)
        return read_matlab(path.read_bytes(), memory())


@contextmanager
def _sentence(path: Path, kind: str, remedy: str) -> Iterator[None]:
    """Turn any failure of a reader into one sentence about the file."""
    try:
        yield
    except Exception as error:  # readers let errors of zlib, struct and many others through
        said = shorten(str(error), 200, placeholder=" ...").rstrip(".") or type(error).__name__
        raise ValueError(f"{path} is no readable {kind}: {said}; {remedy}.") from error


def _check_memory(size: int) -> None:
    if size > memory():
        raise ValueError(f"its arrays take {size / 2**30:.1f} GiB, more memory than there is")
