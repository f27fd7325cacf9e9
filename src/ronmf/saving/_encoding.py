"""From objects to what a file holds: plain JSON, and arrays beside it.

In the JSON, numbers, text, lists, true, false and null mean themselves. Everything else is an
object with one key, which says what it is:

========================  =====================================================================
``{"tuple": [...]}``      a tuple
``{"dict": [[k, v]]}``    a dictionary
``{"float": "nan"}``      a number that JSON has no sign for; also "inf" and "-inf"
``{"scalar": [t, v]}``    a number of NumPy, of type t
``{"array": i}``          the array i; ``{"transposed": i}``: its transpose
``{"names": [[...], i]}`` a one-dimensional array of objects: those, picked by the array i
``{"csr": [d, i, p, s]}`` a sparse matrix: data, indices, row starts, shape
``{"random": [...]}``     a RandomState
``{"object": i}``         the object i, which is one of those before
========================  =====================================================================

An object is ``{"class": name, "state": {attribute: value}}``. It refers to objects before it only:
there are no circles, and what several of them share is there once.
"""

import math
from typing import Any

import numpy as np
import scipy.sparse as sp
from array_api_compat import is_array_api_obj

from ..numerics.arrays import to_numpy
from ._classes import CLASSES, state_of
from ._plain import is_plain_type

__all__ = ["Encoder"]


class Encoder:
    """Takes objects apart.

    Attributes
    ----------
    objects : list of dict
        All objects so far, each after those that it refers to.
    arrays : list of ndarray
        All arrays so far.
    """

    def __init__(self) -> None:
        self.objects: list[dict[str, Any]] = []
        self.arrays: list[np.ndarray] = []
        self._known: dict[Any, int] = {}
        self._open: set[int] = set()  # what is being taken apart
        # A number says which object it was only as long as the object is there.
        self._kept_alive: list[Any] = []

    def encode(self, value: Any, where: str) -> Any:
        """Return the JSON of a value; `where` names it in errors."""
        kind = type(value)
        if value is None or kind in (bool, int, str):
            return value
        if kind is float:
            return value if math.isfinite(value) else {"float": str(value)}
        if isinstance(value, np.generic):
            return {"scalar": [self._type_name(value.dtype, where), self.encode(value.item(), "")]}
        if isinstance(value, np.ndarray) and kind in (np.ndarray, np.memmap):
            return self._names(value, where) if value.dtype.kind == "O" else self._array(value)
        if kind is sp.csr_array:
            parts = [self._array(part) for part in (value.data, value.indices, value.indptr)]
            return {"csr": [*parts, [int(side) for side in value.shape]]}
        if kind is np.random.RandomState:
            return self._random(value, where)
        if is_array_api_obj(value) and not isinstance(value, np.ndarray):  # of torch, and the like
            return self._array(to_numpy(value))
        if id(value) in self._open:
            raise ValueError(f"{where} contains itself")
        self._open.add(id(value))
        try:
            return self._compound(value, where)
        finally:
            self._open.remove(id(value))

    def _compound(self, value: Any, where: str) -> Any:
        kind = type(value)
        if kind in (list, tuple):
            inner = [self.encode(each, f"{where}[{i}]") for i, each in enumerate(value)]
            return inner if kind is list else {"tuple": inner}
        if kind is dict:
            pairs = [
                [self.encode(key, where), self.encode(each, f"{where}[{key!r}]")]
                for key, each in value.items()
            ]
            return {"dict": pairs}
        if CLASSES.get(kind.__name__) is not kind:
            raise ValueError(
                f"{where} is of the class {kind.__name__}, which a model file cannot hold"
            )
        if id(value) not in self._known:
            state = {
                name: self.encode(each, f"{where}.{name}") for name, each in state_of(value).items()
            }
            self._remember(id(value), value, len(self.objects))
            self.objects.append({"class": kind.__name__, "state": state})
        return {"object": self._known[id(value)]}

    def _remember(self, key: Any, value: Any, index: int) -> None:
        self._known[key] = index
        self._kept_alive.append(value)

    def _array(self, array: np.ndarray) -> dict[str, int]:
        array = np.asarray(array)
        if array.flags.f_contiguous and not array.flags.c_contiguous:
            return {"transposed": self._array(array.T)["array"]}
        # Two arrays over the same numbers, seen in the same way, are one.
        place = array.__array_interface__["data"][0], array.shape, array.strides, array.dtype.str
        if place not in self._known:
            self._remember(place, array, len(self.arrays))
            self.arrays.append(array)
        return {"array": self._known[place]}

    def _names(self, array: np.ndarray, where: str) -> dict[str, Any]:
        if array.ndim != 1:
            raise ValueError(f"{where} is an array of objects in {array.ndim} dimensions")
        table: dict[tuple[type, Any], int] = {}
        codes = np.empty(len(array), dtype=np.int64)
        for i, name in enumerate(array.tolist()):
            if not (name is None or type(name) in (bool, int, float, str)):
                raise ValueError(
                    f"{where} holds a {type(name).__name__}, which is no number and no text"
                )
            codes[i] = table.setdefault((type(name), name), len(table))
        names = [self.encode(name, where) for _, name in table]
        return {"names": [names, self._array(codes)["array"]]}

    def _random(self, state: np.random.RandomState, where: str) -> dict[str, Any]:
        found = state.get_state(legacy=False)
        kind = found["bit_generator"]
        if kind != "MT19937":
            raise ValueError(f"{where} is a RandomState of {kind}, not of MT19937")
        key, place = np.array(found["state"]["key"]), int(found["state"]["pos"])
        return {"random": [self._array(key), place, int(found["has_gauss"]), float(found["gauss"])]}

    def _type_name(self, dtype: np.dtype, where: str) -> str:
        if not is_plain_type(dtype) or dtype.kind not in "biuf":
            raise ValueError(f"{where} is a {dtype}, which a model file cannot hold")
        return dtype.name
