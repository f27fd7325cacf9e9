"""How much memory a fit may take: what works by blocks asks here how large they may be."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

__all__ = ["allowed_bytes", "memory_limit", "read_size"]

_limit: ContextVar[float] = ContextVar("_limit", default=float("inf"))
_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
_UNITS |= {"ki": 2**10, "mi": 2**20, "gi": 2**30, "ti": 2**40}


def read_size(size: int | float | str) -> int:
    """Return a number of bytes, given as such or as text with a unit.

    Examples
    --------
    >>> read_size("2GiB"), read_size("500 MB"), read_size(1024)
    (2147483648, 500000000, 1024)
    """
    text = str(size).strip().lower()
    match = re.fullmatch(r"(\d+\.?\d*|\d*\.\d+)\s*([kmgt]i?)?b?", text)
    value = 0.0 if match is None else float(match[1]) * _UNITS[match[2] or ""]
    if not 1 <= value < 2**63:
        raise ValueError(
            f"max_memory={size!r} is no size; give bytes, or text such as '2GiB' or '500MB'."
        )
    return int(value)


@contextmanager
def memory_limit(limit: float | None) -> Iterator[None]:
    """Let all work in this context take no more than so many bytes; None: as much as before."""
    token = _limit.set(_limit.get() if limit is None else float(limit))
    try:
        yield
    finally:
        _limit.reset(token)


def allowed_bytes(share: float, most: int) -> int:
    """Return a share of the memory that is allowed, at most so many bytes.

    Examples
    --------
    >>> with memory_limit(1000):
    ...     allowed_bytes(0.1, 2000)
    100
    """
    return int(min(most, share * _limit.get()))
