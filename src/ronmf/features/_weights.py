"""Weights saved by torch, read without torch and without running their pickle.

A pickle is a program. Here only those of its instructions are followed that `torch.save` needs for
a dictionary of tensors; they build numbers, texts, tuples, lists and dictionaries, and nothing is
imported or called. Any other instruction, and any other name, is refused.
"""

import io
import math
import pickletools
from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["read_weights"]

# The first number in a file of torch.save before there were zip files.
_MAGIC = 0x1950A86A20F9469CFC6C
_DTYPES: dict[str, np.dtype] = {
    "torch FloatStorage": np.dtype("<f4"),
    "torch LongStorage": np.dtype("<i8"),
}
_CONSTANTS = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False, "EMPTY_TUPLE": ()}
_TUPLES = {"TUPLE1": 1, "TUPLE2": 2, "TUPLE3": 3}


@dataclass(frozen=True)
class _Name:
    """A name that a pickle would import; here it stays a text."""

    text: str


@dataclass(frozen=True)
class _Storage:
    """What a pickle of torch calls by number: values that follow it in the file."""

    dtype: np.dtype
    key: str


@dataclass(frozen=True)
class _Tensor:
    """Where the values of a tensor lie in a storage."""

    storage: _Storage
    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]


def read_weights(content: bytes) -> dict[str, np.ndarray]:
    """Return the tensors of a dictionary that an older `torch.save` wrote.

    Parameters
    ----------
    content : bytes
        The whole file; the newer format, a zip file, is not read.

    Returns
    -------
    dict of str to ndarray
        Arrays of float32, or of int64 for counts.

    Raises
    ------
    ValueError
        If it is anything else, or asks for more than a dictionary of tensors needs.

    Examples
    --------
    >>> import pickle
    >>> read_weights(pickle.dumps(print))
    Traceback (most recent call last):
    ValueError: these are no weights as torch.save writes them
    """
    file = io.BytesIO(content)
    try:
        if _read_pickle(file) != _MAGIC:
            raise ValueError("another kind of file")
        _read_pickle(file)  # the version of the format
        if _read_pickle(file)["little_endian"] is not True:
            raise ValueError("numbers in another order")
        tensors = _read_pickle(file)
        dtypes = {tensor.storage.key: tensor.storage.dtype for tensor in tensors.values()}
        storages = {key: _read_values(file, dtypes[key]) for key in _read_pickle(file)}
        return {name: _array(tensor, storages) for name, tensor in tensors.items()}
    # What a damaged or hostile file does to the few steps below
    except (ValueError, TypeError, LookupError, AttributeError, OverflowError) as error:
        raise ValueError("these are no weights as torch.save writes them") from error


def _read_pickle(file: io.BytesIO) -> Any:
    """Return what one pickle holds, and leave the file behind it."""
    stack: list[Any] = []
    memo: dict[Any, Any] = {}
    marks: list[int] = []

    def since_mark() -> list[Any]:
        start = marks.pop()
        items = stack[start:]
        del stack[start:]
        return items

    for operation, argument, _ in pickletools.genops(file):
        match operation.name:
            case "BININT" | "BININT1" | "BININT2" | "LONG1" | "BINUNICODE":
                stack.append(argument)
            case "NONE" | "NEWTRUE" | "NEWFALSE" | "EMPTY_TUPLE":
                stack.append(_CONSTANTS[operation.name])
            case "EMPTY_DICT":
                stack.append({})
            case "EMPTY_LIST":
                stack.append([])
            case "MARK":
                marks.append(len(stack))
            case "TUPLE":
                stack.append(tuple(since_mark()))
            case "TUPLE1" | "TUPLE2" | "TUPLE3":
                count = _TUPLES[operation.name]
                stack[-count:] = [tuple(stack[-count:])]
            case "APPENDS":
                items = since_mark()
                stack[-1].extend(items)
            case "SETITEM":
                value, key = stack.pop(), stack.pop()
                stack[-1][key] = value
            case "SETITEMS":
                items = since_mark()
                stack[-1].update(zip(items[::2], items[1::2], strict=True))
            case "BINPUT" | "LONG_BINPUT":
                memo[argument] = stack[-1]
            case "BINGET" | "LONG_BINGET":
                stack.append(memo[argument])
            case "GLOBAL":
                stack.append(_Name(str(argument)))
            case "BINPERSID":
                _, kind, key, _, _, _ = stack.pop()
                stack.append(_Storage(_DTYPES[kind.text], key))
            case "REDUCE":
                arguments, name = stack.pop(), stack.pop()
                stack.append(_made(name, arguments))
            case "BUILD":  # versions of the modules: of no use here
                stack.pop()
            case "PROTO":
                pass
            case "STOP":
                return stack.pop()
            case other:
                raise ValueError(f"the instruction {other}")
    raise ValueError("no end")


def _made(name: Any, arguments: Any) -> Any:
    """Return what a call would return, of the two that tensors need."""
    if name == _Name("collections OrderedDict") and arguments == ():
        return {}
    if name == _Name("torch._utils _rebuild_tensor_v2"):
        return _Tensor(*arguments[:4])
    raise ValueError(f"a call of {name}")


def _read_values(file: io.BytesIO, dtype: np.dtype) -> np.ndarray:
    """Return the values of one storage: their number, then they themselves."""
    size = int.from_bytes(file.read(8), "little") * dtype.itemsize
    content = file.read(size)
    if len(content) != size:
        raise ValueError("values are missing")
    return np.frombuffer(content, dtype)


def _array(tensor: _Tensor, storages: dict[str, np.ndarray]) -> np.ndarray:
    """Return a tensor's own copy of its values, all of which must lie in the storage."""
    values = storages[tensor.storage.key]
    numbers = (tensor.offset, *tensor.shape, *tensor.strides)
    last = tensor.offset + sum(
        (length - 1) * stride for length, stride in zip(tensor.shape, tensor.strides, strict=True)
    )
    # The product too: a stride of 0 would make any number of values out of one.
    if min(numbers) < 0 or max(last, math.prod(tensor.shape) - 1) >= len(values):
        raise ValueError("values of another tensor")
    return np.lib.stride_tricks.as_strided(
        values[tensor.offset :],
        tensor.shape,
        [stride * values.itemsize for stride in tensor.strides],
        writeable=False,
    ).copy()
