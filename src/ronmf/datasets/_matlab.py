"""Arrays of numbers in MATLAB files of versions 4 to 7, read without a line of compiled code.

SciPy's reader follows damaged files into memory that is not there, and takes the process along.
Only arrays of real numbers are read here, plain ones, and sparse ones where they are not of version
4; cells, structures, texts and objects are passed over.
"""

import math
import struct
import zlib
from collections.abc import Iterator

import numpy as np

from . import _limits as limits

__all__ = ["check_size", "read_matlab"]

_COMPRESSED, _MATRIX, _SPARSE = 15, 14, 5
_STORED = {
    1: "i1",
    2: "u1",
    3: "i2",
    4: "u2",
    5: "i4",
    6: "u4",
    7: "f4",
    9: "f8",
    12: "i8",
    13: "u8",
}
_CLASSES = dict(enumerate(["f8", "f4", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"], start=6))
_OLD_TYPES = ("f8", "f4", "i4", "i2", "u2", "u1")  # of version 4
_HEAD, _OLD_HEAD = 128, 20  # bytes
_PEEK = 2**12  # bytes of a packed array that tell what it is


def check_size(size: float, most: float) -> None:
    """Refuse arrays that take more bytes than there are."""
    if size > most:
        raise ValueError(f"its arrays take {size / 2**30:.1f} GiB, more memory than there is")


def read_matlab(content: bytes, most: float) -> dict[str, np.ndarray]:
    """Return the arrays of numbers in a MATLAB file, by name.

    Parameters
    ----------
    content : bytes
        The file.
    most : float
        Bytes that its arrays may take together.

    Raises
    ------
    ValueError, struct.error, zlib.error
        If it is damaged, of version 7.3, or none.

    Examples
    --------
    >>> from io import BytesIO
    >>> from scipy.io import savemat
    >>> savemat(file := BytesIO(), {"X": np.eye(2), "note": "text"})
    >>> read_matlab(file.getvalue(), most=1e6)["X"].tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    mark = content[126:_HEAD]
    if mark not in (b"IM", b"MI"):
        return dict(_old_arrays(content, most))
    order = "<" if mark == b"IM" else ">"
    if struct.unpack_from(f"{order}H", content, 124)[0] >> 8 != 1:
        raise ValueError("it is of version 7.3")
    most = min(most, limits.UNPACKED_GROWTH * len(content))
    arrays: dict[str, np.ndarray] = {}
    for kind, data in _elements(memoryview(content)[_HEAD:], order):
        if kind == _COMPRESSED:
            kind, data = _unpacked(data, order, most)
        if kind == _MATRIX:
            name, array = _matrix(data, order, most)
            if array is not None:
                most -= array.nbytes
                arrays[name] = array
    return arrays


def _unpacked(data: memoryview, order: str, most: float) -> tuple[int, memoryview]:
    """Return the element in packed bytes; what is no array of numbers is not unpacked."""
    unpacker = zlib.decompressobj()
    head = unpacker.decompress(data, _PEEK)
    kind, size, _, _, flags = struct.unpack_from(f"{order}5I", head)
    if kind != _MATRIX or not _is_read(flags):
        return 0, data[:0]
    check_size(size, most / 2)  # beside it, the array that is made of it
    rest = unpacker.decompress(unpacker.unconsumed_tail, max(1, 8 + size - len(head)))
    return next(_elements(memoryview(head + rest), order))


def _is_read(flags: int) -> bool:
    """Whether an array with these flags is one of real numbers."""
    kind, is_complex = flags & 0xFF, flags & 0x800
    return not is_complex and (kind == _SPARSE or kind in _CLASSES)


def _elements(data: memoryview, order: str) -> Iterator[tuple[int, memoryview]]:
    """Yield the type and the bytes of each element."""
    place = 0
    while place + 8 <= len(data):
        kind, size = struct.unpack_from(f"{order}II", data, place)
        if kind >> 16:  # up to four bytes stand in the tag itself
            kind, size, start = kind & 0xFFFF, kind >> 16, place + 4
            place += 8
        else:
            start = place + 8
            place = start + (size if kind == _COMPRESSED else -(-size // 8) * 8)
        if start + size > len(data):
            raise ValueError("it is cut off")
        yield kind, data[start : start + size]


def _matrix(data: memoryview, order: str, most: float) -> tuple[str, np.ndarray | None]:
    """Return the name and the values of an array; None if it is no array of real numbers."""
    parts = _elements(data, order)

    def part() -> tuple[int, memoryview]:
        element = next(parts, None)
        if element is None:
            raise ValueError("an array is cut off")
        return element

    flags = struct.unpack_from(f"{order}I", part()[1])[0]
    if not _is_read(flags):
        return "", None
    kind = flags & 0xFF
    shape = tuple(_numbers(*part(), order).tolist())
    name = bytes(part()[1]).decode("latin-1")
    size = math.prod(shape) * np.dtype(_CLASSES.get(kind, "f8")).itemsize
    if not 1 < len(shape) <= 32 or min(shape) < 0:
        raise ValueError(f"an array has the shape {shape}")
    check_size(size, most)
    if kind == _SPARSE:
        rows, starts = _numbers(*part(), order), _numbers(*part(), order)
        return name, _dense(_numbers(*part(), order), rows, starts, shape)
    values = _numbers(*part(), order)
    if len(values) != math.prod(shape):
        raise ValueError(f"an array of shape {shape} has {len(values)} numbers")
    return name, values.astype(_CLASSES[kind]).reshape(shape, order="F")


def _numbers(kind: int, data: memoryview, order: str) -> np.ndarray:
    if kind not in _STORED:
        raise ValueError(f"numbers have the unknown type {kind}")
    return np.frombuffer(data, dtype=f"{order}{_STORED[kind]}")


def _dense(
    values: np.ndarray, rows: np.ndarray, starts: np.ndarray, shape: tuple[int, ...]
) -> np.ndarray:
    """Return a sparse array, stored column by column, as a dense one."""
    steps: np.ndarray = np.diff(starts.astype(np.int64))
    count = int(starts[-1]) if len(starts) else -1
    if len(shape) != 2 or len(steps) != shape[1] or starts[:1].any() or (steps < 0).any():
        raise ValueError("a sparse array has broken columns")
    if count > min(len(rows), len(values)) or not ((rows >= 0) & (rows < shape[0]))[:count].all():
        raise ValueError("a sparse array points outside itself")
    dense = np.zeros(shape)
    np.add.at(dense, (rows[:count], np.repeat(np.arange(shape[1]), steps)), values[:count])
    return dense


def _old_arrays(content: bytes, most: float) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the names and values of the full arrays in a file of version 4."""
    place = 0
    while place < len(content):
        order = "<" if 0 <= struct.unpack_from("<i", content, place)[0] < 1000 else ">"
        code, height, width, is_complex, length = struct.unpack_from(f"{order}5i", content, place)
        stored, kind = code // 10 % 10, code % 10
        if not 0 <= code < 2000 or code // 100 % 10 or stored >= len(_OLD_TYPES) or kind > 2:
            raise ValueError("it is of no version that is known")
        if min(height, width, length) < 0:
            raise ValueError(f"an array has the shape {(height, width)}")
        dtype = np.dtype(f"{order}{_OLD_TYPES[stored]}")
        name = content[place + _OLD_HEAD : place + _OLD_HEAD + length].rstrip(b"\0")
        place += _OLD_HEAD + length
        size = height * width * dtype.itemsize
        if place + size * (2 if is_complex else 1) > len(content) or size > most:
            raise ValueError(f"an array of {size} bytes is cut off")
        if kind == 0 and not is_complex:
            values = np.frombuffer(content, dtype, height * width, place)
            yield (
                name.decode("latin-1"),
                values.reshape((height, width), order="F").astype(dtype.str[1:]),
            )
        place += size * (2 if is_complex else 1)
