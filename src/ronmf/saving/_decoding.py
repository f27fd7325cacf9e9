"""From what a file holds back to objects; see `_encoding` for how it is written.

The file may be of a stranger. Every value is checked, and nothing in it names what is called.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sp

from ._classes import rebuild
from ._upgrades import upgraded

__all__ = ["Decoder"]

_DEEPEST = 16  # containers in each other
_MOST_OBJECTS = 100_000  # in an object, each counted as often as it is reached
_NUMBERS = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
_SCALARS = {
    np.dtype(code).name: np.dtype(code).type
    for code in ("?", *"bhilBHIL", "i8", "u8", "f2", "f4", "f8")
}
_KEY_LENGTH = 624  # of the Mersenne Twister


class Decoder:
    """Puts objects together.

    Parameters
    ----------
    arrays : list of ndarray
        The arrays of the file.
    format_ : int
        The format of the file.
    """

    def __init__(self, arrays: list[np.ndarray], format_: int) -> None:
        self.arrays, self.format = arrays, format_
        self.objects: list[Any] = []
        self._sizes: list[int] = []
        self._size = 0  # of the object that is being made
        self._kinds: dict[str, Callable[[Any, int], Any]] = {
            "tuple": lambda inner, depth: tuple(self._list(inner, depth)),
            "dict": self._dict,
            "float": lambda inner, _: _one_of(_NUMBERS, inner),
            "scalar": self._scalar,
            "array": lambda inner, _: self._array(inner),
            "transposed": lambda inner, _: self._array(inner).T,
            "names": self._names,
            "csr": self._csr,
            "random": self._random,
            "object": lambda inner, _: self._object(inner),
        }

    def add(self, entry: Any) -> None:
        """Make the next object."""
        if not (isinstance(entry, dict) and set(entry) == {"class", "state"}):
            raise ValueError("an object has not the keys class and state")
        name, state = entry["class"], entry["state"]
        if not (isinstance(name, str) and isinstance(state, dict)):
            raise ValueError("an object has no name of a class, or no attributes")
        self._size = 1
        found = {key: self.decode(value) for key, value in state.items()}
        kept = upgraded(name, found) if self.format == 1 else found
        self.objects.append(None if kept is None else rebuild(name, kept))
        self._sizes.append(self._size)

    def decode(self, value: Any, depth: int = 0) -> Any:
        """Return the value that some JSON stands for."""
        if depth > _DEEPEST:
            raise ValueError(f"values lie in each other more than {_DEEPEST} deep")
        if isinstance(value, list):
            return self._list(value, depth)
        if isinstance(value, dict):
            if len(value) != 1:
                raise ValueError("a value has several keys")
            ((kind, inner),) = value.items()
            return _one_of(self._kinds, kind)(inner, depth)
        if isinstance(value, int) and abs(value) >= 2**64:
            raise ValueError("a whole number is too large")
        if isinstance(value, float) and not math.isfinite(value):
            raise ValueError("a number is too large")
        return value

    def _list(self, inner: Any, depth: int) -> list[Any]:
        if not isinstance(inner, list):
            raise ValueError("a value is no list where one belongs")
        return [self.decode(each, depth + 1) for each in inner]

    def _dict(self, inner: Any, depth: int) -> dict[Any, Any]:
        found: dict[Any, Any] = {}
        for pair in self._list(inner, depth):
            if not (isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str)):
                raise ValueError("a dictionary has an entry that is no name with a value")
            if pair[0] in found:
                raise ValueError(f"a dictionary has the key {pair[0]!r} twice")
            found[pair[0]] = pair[1]
        return found

    def _scalar(self, inner: Any, depth: int) -> Any:
        name, value = _several(inner, 2)
        kind, value = _one_of(_SCALARS, name), self.decode(value, depth + 1)
        whole = bool if kind is np.bool_ else int if issubclass(kind, np.integer) else float
        if type(value) is not whole:
            raise ValueError(f"a number of type {name} is written as another")
        with np.errstate(over="ignore"):
            made = kind(value)
        if not (made.item() == value or math.isnan(value)):
            raise ValueError(f"a number does not fit into type {name}")
        return made

    def _array(self, index: Any) -> np.ndarray:
        return self.arrays[_index(index, len(self.arrays), "array")]

    def _names(self, inner: Any, depth: int) -> np.ndarray:
        names, codes = _several(inner, 2)
        names = self._list(names, depth)
        table = np.empty(len(names), dtype=object)
        for i, name in enumerate(names):
            if not (name is None or isinstance(name, bool | int | float | str)):
                raise ValueError("a name is neither number nor text")
            table[i] = name
        picked = self._array(codes)
        wrong = picked.dtype != np.int64 or picked.ndim != 1
        if wrong or (len(picked) and not 0 <= picked.min() <= picked.max() < len(table)):
            raise ValueError("an array of names picks names that are not there")
        return table[picked]

    def _csr(self, inner: Any, depth: int) -> sp.csr_array:
        *parts, shape = (self.decode(each, depth + 1) for each in _several(inner, 4))
        if not all(isinstance(part, np.ndarray) and part.ndim == 1 for part in parts):
            raise ValueError("a sparse matrix is not made of arrays")
        data, indices, starts = parts
        sides = isinstance(shape, list) and len(shape) == 2
        if not (sides and all(type(side) is int and 0 <= side < 2**62 for side in shape)):
            raise ValueError("a sparse matrix has no shape")
        # The products of SciPy look up indices without a check.
        whole = {indices.dtype.name, starts.dtype.name} <= {"int32", "int64"}
        if not (whole and data.dtype.kind in "biuf" and len(data) == len(indices)):
            raise ValueError("a sparse matrix has numbers of wrong types, or not as many as places")
        rows = len(starts) == shape[0] + 1 and starts[0] == 0 and starts[-1] == len(data)
        if not (rows and (starts[1:] >= starts[:-1]).all()):
            raise ValueError("a sparse matrix has rows that are no rows of it")
        if len(indices) and not 0 <= indices.min() <= indices.max() < shape[1]:
            raise ValueError("a sparse matrix has numbers in columns that are not there")
        return sp.csr_array((data, indices, starts), shape=tuple(shape))

    def _random(self, inner: Any, depth: int) -> np.random.RandomState:
        key, place, spare, number = (self.decode(e, depth + 1) for e in _several(inner, 4))
        if not (isinstance(key, np.ndarray) and key.dtype == np.uint32):
            raise ValueError("a RandomState has no key")
        # NumPy reads on from that place without a check.
        whole = type(place) is int and 0 <= place <= _KEY_LENGTH and key.shape == (_KEY_LENGTH,)
        if not (whole and type(spare) is int and spare in (0, 1) and type(number) is float):
            raise ValueError("a RandomState is in no state that it can be in")
        made = np.random.RandomState(0)
        made.set_state(("MT19937", key, place, spare, number))
        return made

    def _object(self, index: Any) -> Any:
        index = _index(index, len(self.objects), "object")
        self._size += self._sizes[index]
        if self._size > _MOST_OBJECTS:  # few objects can be reached in very many ways
            raise ValueError("objects repeat each other too often")
        return self.objects[index]


def _index(value: Any, end: int, kind: str) -> int:
    if not (type(value) is int and 0 <= value < end):
        raise ValueError(f"an {kind} is referred to that is not there")
    return value


def _several(value: Any, count: int) -> list[Any]:
    if not (isinstance(value, list) and len(value) == count):
        raise ValueError(f"a value is no list of {count}")
    return value


def _one_of(table: dict[str, Any], name: Any) -> Any:
    if not (isinstance(name, str) and name in table):
        raise ValueError("a value is of an unknown kind")
    return table[name]
