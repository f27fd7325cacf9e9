"""Whether a value is of the type that an attribute declares."""

import types
from numbers import Integral, Real
from typing import Any, Union, get_args, get_origin

import numpy as np

__all__ = ["fits"]


def fits(value: Any, hint: Any) -> bool:
    """Whether a value is of a declared type: a class, a union, or a container of such.

    Whole numbers count as ``float``, those of NumPy as Python's own, and booleans as no numbers.

    Examples
    --------
    >>> fits((8, 8), tuple[int, ...] | None), fits([1.0, "a"], list[float]), fits(True, int)
    (True, False, False)
    """
    origin, inner = get_origin(hint), get_args(hint)
    if hint is None or hint is types.NoneType:
        return value is None
    if origin in (Union, types.UnionType):
        return any(fits(value, each) for each in inner)
    if origin is list:
        return isinstance(value, list) and all(fits(each, inner[0]) for each in value)
    if origin is dict:
        return isinstance(value, dict) and all(
            fits(key, inner[0]) and fits(each, inner[1]) for key, each in value.items()
        )
    if origin is tuple:
        if not isinstance(value, tuple):
            return False
        if inner[-1] is Ellipsis:
            return all(fits(each, inner[0]) for each in value)
        return len(value) == len(inner) and all(map(fits, value, inner))
    if hint is bool:
        return isinstance(value, bool | np.bool_)
    if hint in (int, float):
        kind = Integral if hint is int else Real
        return isinstance(value, kind) and not isinstance(value, bool | np.bool_)
    return isinstance(value, hint)
