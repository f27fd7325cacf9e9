"""Which arrays are plain numbers and text, that nothing can hide in."""

import numpy as np

__all__ = ["check_values", "is_plain_type"]

_KINDS = "biufUSmM"
_LAST_CHARACTER = 0x10FFFF


def is_plain_type(dtype: np.dtype) -> bool:
    """Whether an array of this type holds numbers, dates or text of a known size.

    Examples
    --------
    >>> is_plain_type(np.dtype("f4")), is_plain_type(np.dtype("O")), is_plain_type(np.dtype("U0"))
    (True, False, False)
    """
    known = dtype.kind in _KINDS and dtype.subdtype is None and dtype.itemsize > 0
    return known and (dtype.kind in "US" or dtype.itemsize <= 8)


def check_values(array: np.ndarray, name: str) -> None:
    """Say if some bits of an array mean nothing: NumPy takes them on trust."""
    if array.dtype.kind == "f" and array.size and np.isnan(array.min()):
        raise ValueError(f"{name} contains NaN")
    flat = array.ravel(order="K")  # rows or columns first: without a copy
    if array.dtype.kind == "b" and flat.view(np.uint8).max(initial=0) > 1:
        raise ValueError(f"{name} holds bytes that are neither true nor false")
    if array.dtype.kind == "U" and flat.view(np.uint32).max(initial=0) > _LAST_CHARACTER:
        raise ValueError(f"{name} holds numbers that are no characters")
