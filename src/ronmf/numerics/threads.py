"""Threads: few large pieces of work in our own, instead of many small products in those of BLAS.

Threads of BLAS wait for each other, busily, at the end of every product. Where another process
takes a core away, a fit of many small products then takes many times as long. So a fit gives BLAS
one thread, and as many threads of its own as BLAS had work on blocks of rows, without waiting. That
number respects ``OMP_NUM_THREADS`` and its like, ``threadpoolctl``, and the limits that joblib sets
in its workers.
"""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, TypeVar

from threadpoolctl import threadpool_info, threadpool_limits

__all__ = ["in_threads", "n_threads", "own_threads", "with_own_threads"]

_T = TypeVar("_T")
_R = TypeVar("_R")
_own: ContextVar[int | None] = ContextVar("_own", default=None)


def n_threads() -> int:
    """Return how many threads may work: as many as BLAS has, or had when the fit began.

    Examples
    --------
    >>> n_threads() >= 1
    True
    """
    own = _own.get()
    if own is not None:
        return own
    pools = [pool for pool in threadpool_info() if pool["user_api"] == "blas"]
    return max((pool["num_threads"] for pool in pools), default=1)


@contextmanager
def own_threads() -> Iterator[None]:
    """Give BLAS one thread, and `in_threads` as many as BLAS had."""
    if _own.get() is not None:
        yield
        return
    token = _own.set(n_threads())
    try:
        with threadpool_limits(1, user_api="blas"):
            yield
    finally:
        _own.reset(token)


def with_own_threads(function: Callable[..., _R]) -> Callable[..., _R]:
    """Decorate a function that works in our own threads throughout."""

    @wraps(function)
    def wrapped(*args: Any, **options: Any) -> _R:
        with own_threads():
            return function(*args, **options)

    return wrapped


def in_threads(function: Callable[[_T], _R], pieces: Iterable[_T]) -> list[_R]:
    """Return ``[function(piece) for piece in pieces]``, worked out in several threads.

    Worth it for pieces of a millisecond or more, in functions that mostly run in compiled code.

    Examples
    --------
    >>> in_threads(abs, [-1, 2, -3])
    [1, 2, 3]
    """
    pieces = list(pieces)
    if len(pieces) < 2:
        return [function(piece) for piece in pieces]
    with own_threads():
        count = min(n_threads(), len(pieces))
        if count <= 1:
            return [function(piece) for piece in pieces]
        with ThreadPoolExecutor(count) as pool:
            return list(pool.map(function, pieces))
