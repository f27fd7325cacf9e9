"""Threads: few large pieces of work in our own, instead of many small products in those of BLAS.

Threads of BLAS wait for each other, busily, at the end of every product. Where another process
takes a core away, a fit of many small products then takes many times as long. So a fit gives BLAS
one thread, and as many threads of its own as BLAS had work on blocks of rows, without waiting. That
number respects ``OMP_NUM_THREADS`` and its like, ``threadpoolctl``, and the limits that joblib sets
in its workers.
"""

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar, copy_context
from dataclasses import dataclass
from functools import lru_cache, wraps
from threading import Lock
from typing import Any, TypeVar

from threadpoolctl import ThreadpoolController

__all__ = ["in_threads", "n_threads", "own_threads", "read_and_work", "with_own_threads"]

_T = TypeVar("_T")
_R = TypeVar("_R")
_S = TypeVar("_S")


@dataclass
class _Workers:
    """Threads of a fit; they are started when they are first needed, and kept until its end."""

    count: int
    pool: ThreadPoolExecutor | None = None

    def map(self, function: Callable[[_T], _R], pieces: list[_T]) -> Iterator[_R]:
        if self.count == 1:
            return map(function, pieces)
        return self._results(deque(self.submit(function, piece) for piece in pieces))

    def _results(self, waiting: "deque[Future[_R]]") -> Iterator[_R]:
        try:
            while waiting:
                yield waiting.popleft().result()
        finally:  # an interrupt does not wait for what has not begun
            for future in waiting:
                future.cancel()

    def submit(self, function: Callable[..., _R], *args: Any) -> "Future[_R]":
        if self.pool is None:
            self.pool = ThreadPoolExecutor(self.count)
        # Limits and checkpoints of the fit hold there too.
        return self.pool.submit(copy_context().run, _run_alone, function, *args)


def _run_alone(function: Callable[..., _R], *args: Any) -> _R:
    """Work in a thread does not divide itself further, and need not ask BLAS."""
    _workers.set(_Workers(1))
    return function(*args)


@lru_cache(maxsize=1)
def _libraries(n_modules: int) -> ThreadpoolController:
    """Return the loaded libraries with threads; to look for them takes up to a tenth of a second.

    They come with modules: as long as there are no more of these, there are no other libraries.
    """
    return ThreadpoolController()


def _blas_threads() -> int:
    pools = _libraries(len(sys.modules)).select(user_api="blas").info()
    # The first that was loaded is NumPy's, as a rule: later ones may not know of a limit yet.
    return pools[0]["num_threads"] if pools else 1


_in_use = Lock()
_workers: ContextVar[_Workers | None] = ContextVar("_workers", default=None)


def n_threads() -> int:
    """Return how many threads may work: as many as BLAS has, or had when the fit began.

    Examples
    --------
    >>> n_threads() >= 1
    True
    """
    workers = _workers.get()
    if workers is not None:
        return workers.count
    return _blas_threads()


@contextmanager
def own_threads() -> Iterator[_Workers]:
    """Give BLAS one thread, and `in_threads` as many as BLAS had."""
    workers = _workers.get()
    if workers is not None:
        yield workers
        return
    if not _in_use.acquire(blocking=False):
        # Another fit of this process has the threads: the limit of BLAS is one for all of them, and
        # who set it must undo it.
        with _working_with(_Workers(1)) as workers:
            yield workers
        return
    try:
        count = _blas_threads()
        with _libraries(len(sys.modules)).limit(limits=1, user_api="blas"):
            # Not every thread of a process may set the limit: BLAS then keeps its threads.
            alone = count == 1 or _blas_threads() > 1
            with _working_with(_Workers(1 if alone else count)) as workers:
                yield workers
    finally:
        _in_use.release()


@contextmanager
def _working_with(workers: _Workers) -> Iterator[_Workers]:
    token = _workers.set(workers)
    try:
        yield workers
    finally:
        _workers.reset(token)
        if workers.pool is not None:
            workers.pool.shutdown()


def with_own_threads(function: Callable[..., _R]) -> Callable[..., _R]:
    """Decorate a function that works in our own threads throughout."""

    @wraps(function)
    def wrapped(*args: Any, **options: Any) -> _R:
        with own_threads():
            return function(*args, **options)

    return wrapped


def in_threads(
    function: Callable[[_T], _R], pieces: Iterable[_T], report: Callable[[], Any] = lambda: None
) -> list[_R]:
    """Return ``[function(piece) for piece in pieces]``, worked out in several threads.

    Worth it for pieces of a millisecond or more, in functions that mostly run in compiled code.
    `report` is called after every piece, in the calling thread.

    Examples
    --------
    >>> in_threads(abs, [-1, 2, -3])
    [1, 2, 3]
    """
    pieces, results = list(pieces), []
    with own_threads() if len(pieces) > 1 else nullcontext(_Workers(1)) as workers:
        for result in workers.map(function, pieces):
            results.append(result)
            report()
    return results


def read_and_work(
    read: Callable[[_T], _S], work: Callable[[_S], _R], pieces: Iterable[_T], alone: bool = False
) -> Iterator[_R]:
    """Yield ``work(read(piece))`` of each piece, in order; what is read may be large.

    One thread reads ahead of the others, which work: at most a piece more than there are threads is
    in memory. With `alone`, pieces are worked on one after the other, in the calling thread, which
    may divide the work itself.

    Examples
    --------
    >>> list(read_and_work(range, sum, [2, 3, 4]))
    [1, 3, 6]
    """
    with own_threads() as workers, ThreadPoolExecutor(1) as reader:
        waiting: deque[Future] = deque()

        def take() -> _R:
            result = waiting.popleft().result()
            return work(result) if alone else result

        try:
            for piece in pieces:
                if len(waiting) > (1 if alone else workers.count):
                    yield take()
                piece_read = reader.submit(read, piece)
                waiting.append(piece_read if alone else workers.submit(_work_on, work, piece_read))
            while waiting:
                yield take()
        finally:
            for future in waiting:
                future.cancel()


def _work_on(work: Callable[[_S], _R], piece_read: "Future[_S]") -> _R:
    return work(piece_read.result())
