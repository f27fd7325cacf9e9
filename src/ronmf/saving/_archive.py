"""The zip file around a model: some JSON, and arrays as ``.npy`` files, all uncompressed.

What is uncompressed takes no more memory than the file is long. So sizes need no trust: they must
add up to the file.
"""

import math
import os
import zipfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.lib import format as npy

from ..system.files import whole_file
from ..system.platform import memory
from ._plain import check_values, is_plain_type

__all__ = ["check_arrays", "read_archive", "write_archive"]

_MOST_TEXT = 2**24  # bytes of JSON, which takes some twenty times as much memory
_MOST_ARRAYS = 10_000
_TEXT = "model.json"
_PIECE = 2**24  # bytes that are read at a time
_HEADS = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}


def check_arrays(text: bytes, arrays: Sequence[np.ndarray]) -> None:
    """Say if something is of a kind or size that could not be read again."""
    if len(text) > _MOST_TEXT or len(arrays) > _MOST_ARRAYS:
        raise ValueError(
            f"it has {len(arrays)} arrays and {len(text) / 2**20:.1f} MiB of text, but at most"
            f" {_MOST_ARRAYS} and {_MOST_TEXT >> 20} can be kept"
        )
    for array in arrays:
        if not is_plain_type(array.dtype):
            raise ValueError(f"an array is of type {array.dtype}, which is not plain")
        check_values(array, "an array")


def write_archive(path: Path, text: bytes, arrays: Sequence[np.ndarray]) -> None:
    """Write a file, whole or not at all. The same contents make the same file, byte by byte."""
    with whole_file(path) as part, zipfile.ZipFile(part, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr(zipfile.ZipInfo(_TEXT), text)  # its date is that of no clock
        for i, array in enumerate(arrays):
            with archive.open(zipfile.ZipInfo(_name(i)), "w", force_zip64=True) as file:
                npy.write_array(file, array, allow_pickle=False)


def read_archive(path: Path, *, text_only: bool = False) -> tuple[bytes, list[np.ndarray]]:
    """Return the JSON and the arrays of a file; any exception says that it is not as it should."""
    with path.open("rb") as file, zipfile.ZipFile(file) as archive:
        members = archive.infolist()
        _check_members(members, os.fstat(file.fileno()).st_size)
        text = archive.read(members[0])
        wanted = [] if text_only else members[1:]
        return text, [_read_array(archive, member) for member in wanted]


def _name(i: int) -> str:
    return f"arrays/{i}.npy"


def _check_members(members: list[zipfile.ZipInfo], size: int) -> None:
    """Check names and sizes before anything is read."""
    if not 1 <= len(members) <= 1 + _MOST_ARRAYS:
        raise ValueError(f"it has {len(members)} members")
    # No other names, none twice, and no paths that lead elsewhere
    if [each.filename for each in members] != [_TEXT, *map(_name, range(len(members) - 1))]:
        raise ValueError("its members are not those of a model")
    for each in members:
        if each.compress_type != zipfile.ZIP_STORED or each.file_size != each.compress_size:
            raise ValueError(f"{each.filename} is compressed, which members of a model are not")
    if members[0].file_size > _MOST_TEXT:
        raise ValueError(f"{_TEXT} is longer than {_MOST_TEXT >> 20} MiB")
    total = sum(each.file_size for each in members)
    if total > size:  # members that lie on top of each other
        raise ValueError(f"its members claim {total} bytes of {size}")
    if total > memory():
        raise ValueError(f"it takes {total / 2**30:.1f} GiB, more memory than there is")


def _read_array(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> np.ndarray:
    """Return an array; memory is asked for when its head has been found to fit its size."""
    name = member.filename
    with archive.open(member) as file:
        version = npy.read_magic(file)
        if version not in _HEADS:
            raise ValueError(f"{name} is in version {version} of its format")
        shape, in_columns, dtype = _HEADS[version](file)
        if not is_plain_type(dtype):
            raise ValueError(f"{name} is of type {dtype}, which is not plain")
        size = math.prod(shape) * dtype.itemsize
        if min(shape, default=0) < 0 or size != member.file_size - file.tell():
            raise ValueError(f"{name} claims the shape {shape}, which is not what it holds")
        content = np.empty(size, dtype=np.uint8)
        for start in range(0, size, _PIECE):
            piece = file.read(min(_PIECE, size - start))  # the last one checks the checksum
            content[start : start + len(piece)] = np.frombuffer(piece, dtype=np.uint8)
    array = content.view(dtype).reshape(shape, order="F" if in_columns else "C")
    if not dtype.isnative:
        array = array.astype(dtype.newbyteorder("="))
    check_values(array, name)
    return array
