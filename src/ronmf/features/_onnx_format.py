"""The ONNX file format, as much as is needed to write a network and to look into one.

ONNX is a protocol buffer: fields, each a number, a kind and a value, and some values are messages
with fields of their own. The package ``onnx`` would do the same, and is larger than all weights.
"""

from collections.abc import Iterator, Sequence

import numpy as np

__all__ = ["check_self_contained", "model", "node", "parameter"]

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_FLOAT = 1  # the type of a tensor's elements
_INT, _INTS = 2, 7  # types of an attribute
# Operators that come with onnxruntime; others would have to be loaded as code.
_DOMAINS = {b"", b"ai.onnx", b"ai.onnx.ml", b"com.microsoft"}
# Which fields of a message are messages: a graph may be in a node of a graph.
_PARTS = {
    "model": {7: "graph", 20: "training", 25: "function"},
    "training": {1: "graph", 2: "graph"},
    "graph": {1: "node", 5: "tensor", 15: "sparse"},
    "function": {7: "node", 11: "attribute"},
    "node": {5: "attribute"},
    "attribute": {5: "tensor", 6: "graph", 10: "tensor", 11: "graph", 22: "sparse", 23: "sparse"},
    "sparse": {1: "tensor", 2: "tensor"},
    "tensor": {},
}
_DOMAIN_OF_NODE, _DOMAIN_OF_FUNCTION = 7, 10
_EXTERNAL_DATA, _DATA_LOCATION = 13, 14


def _varint(value: int) -> bytes:
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*found, value])


def _field(number: int, value: int | str | bytes) -> bytes:
    if isinstance(value, int):
        return _varint(number << 3 | _VARINT) + _varint(value)
    content = value.encode() if isinstance(value, str) else value
    return _varint(number << 3 | _BYTES) + _varint(len(content)) + content


def _fields(number: int, values: Sequence[int | str | bytes]) -> bytes:
    return b"".join(_field(number, value) for value in values)


def parameter(name: str, values: np.ndarray) -> bytes:
    """Return a tensor of the graph that is not an input."""
    content = values.astype("<f4").tobytes()
    return _fields(1, values.shape) + _field(2, _FLOAT) + _field(8, name) + _field(9, content)


def node(operator: str, inputs: Sequence[str], output: str, **attributes: int | list[int]) -> bytes:
    """Return one operation of the graph."""
    found = _fields(1, inputs) + _field(2, output) + _field(4, operator)
    for name, value in attributes.items():
        if isinstance(value, int):
            found += _field(5, _field(1, name) + _field(3, value) + _field(20, _INT))
        else:
            found += _field(5, _field(1, name) + _fields(8, value) + _field(20, _INTS))
    return found


def _type(name: str, shape: Sequence[int | str]) -> bytes:
    dims = [_field(2, size) if isinstance(size, str) else _field(1, size) for size in shape]
    tensor = _field(1, _FLOAT) + _field(2, _fields(1, dims))
    return _field(1, name) + _field(2, _field(1, tensor))


def model(
    nodes: Sequence[bytes],
    parameters: Sequence[bytes],
    source: tuple[str, Sequence[int | str]],
    result: tuple[str, Sequence[int | str]],
) -> bytes:
    """Return a whole file.

    Parameters
    ----------
    nodes, parameters : sequence of bytes
        Operations in their order, and tensors that they need.
    source, result : tuple (name, shape)
        The input and the output; a text in a shape stands for any number.

    Examples
    --------
    >>> file = model([node("Relu", ["x"], "y")], [], ("x", ["n", 3]), ("y", ["n", 3]))
    >>> check_self_contained(file)
    >>> len(file)
    77
    """
    graph = _fields(1, nodes) + _field(2, "network") + _fields(5, parameters)
    graph += _field(11, _type(*source)) + _field(12, _type(*result))
    # Version 7 of the format and 13 of the operators: of 2020, read by all that came later.
    return _field(1, 7) + _field(8, _field(1, "") + _field(2, 13)) + _field(7, graph)


def check_self_contained(content: bytes) -> None:
    """Raise one sentence unless a model is all in its file, of operators that are known.

    A tensor may name another file to be read in its place. Who sends a model could so have any
    file read, so that none is.

    Parameters
    ----------
    content : bytes
        The whole file.
    """
    domains, known = set(), set(_DOMAINS)
    todo = [("model", memoryview(content))]
    while todo:  # a stack of our own: how deep it goes is the file's choice
        kind, message = todo.pop()
        for number, value in _read(message):
            if kind == "tensor" and number in (_EXTERNAL_DATA, _DATA_LOCATION) and value != 0:
                raise ValueError(
                    "keeps its weights in other files; save it as one file"
                    " (torch.onnx.export has external_data=False for that)"
                )
            if isinstance(value, int):
                continue
            if part := _PARTS[kind].get(number):
                todo.append((part, value))
            elif kind == "node" and number == _DOMAIN_OF_NODE:
                domains.add(bytes(value))
            elif kind == "function" and number == _DOMAIN_OF_FUNCTION:
                known.add(bytes(value))
    if foreign := domains - known:
        names = " and ".join(sorted(name.decode(errors="replace") for name in foreign))
        raise ValueError(f"needs operators of {names}, which would be code from elsewhere")


def _read(message: memoryview) -> Iterator[tuple[int, int | memoryview]]:
    """Yield the number and the value of every field."""
    position, end = 0, len(message)
    while position < end:
        tag, position = _read_varint(message, position)
        if tag >= 2**32:  # others would drop what is beyond, and see another field
            raise ValueError("is no ONNX model")
        number, kind = tag >> 3, tag & 7
        if kind == _VARINT:
            value, position = _read_varint(message, position)
            yield number, value
            continue
        if kind == _BYTES:
            size, position = _read_varint(message, position)
        elif kind in (_FIXED32, _FIXED64):
            size = 4 if kind == _FIXED32 else 8
        else:
            raise ValueError("is no ONNX model")
        if position + size > end:
            raise ValueError("is no ONNX model, or only a part of one")
        yield number, message[position : position + size]
        position += size


def _read_varint(message: memoryview, position: int) -> tuple[int, int]:
    value = 0
    for i, byte in enumerate(message[position : position + 10]):
        value |= (byte & 0x7F) << 7 * i
        if byte < 0x80:
            return value, position + i + 1
    raise ValueError("is no ONNX model, or only a part of one")
