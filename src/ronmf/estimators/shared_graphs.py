"""Chosen graphs that fits of one process share: an equal choice need not be made again."""

import pickle
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

import numpy as np

from ..storage._checkpoint import content_key

__all__ = ["SharedGraphs", "shared"]

Result = TypeVar("Result")
_MEMORY = 2**28  # bytes; a graph of 3000 samples has some megabytes


class SharedGraphs:
    """What the searches of some fits have found, by the content of all that decides it.

    Who finds a result here gets a copy, and random numbers that go on as after the search: the fit
    ends as it does alone, to the last bit. The newest results are kept, up to 256 MiB of them.

    Attributes
    ----------
    seconds_saved : float
        How much longer the fits so far would have taken alone.
    """

    def __init__(self) -> None:
        self.seconds_saved = 0.0
        self._results: OrderedDict[str, tuple[bytes, float]] = OrderedDict()

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Let the fits of this context share."""
        token = _current.set(self)
        try:
            yield
        finally:
            _current.reset(token)

    def find(
        self, of: Sequence[Any], rng: np.random.RandomState, search: Callable[[], Result]
    ) -> Result:
        """Return what an equal search has found, or search and keep what is found."""
        start = time.perf_counter()
        key = content_key(*of, *rng.get_state(legacy=True))
        if key in self._results:
            packed, seconds = self._results[key]
            result, state = pickle.loads(packed)  # of this process's own making
            rng.set_state(state)
        else:
            begin = time.perf_counter()
            result = search()
            seconds = time.perf_counter() - begin
            # Packed: a fit that writes into its graph must not change that of another.
            self._results[key] = pickle.dumps((result, rng.get_state())), seconds
        self._results.move_to_end(key)
        while sum(len(packed) for packed, _ in self._results.values()) > _MEMORY:
            self._results.popitem(last=False)
        self.seconds_saved += seconds - (time.perf_counter() - start)
        return result


_current: ContextVar[SharedGraphs | None] = ContextVar("_current", default=None)


def shared(of: Sequence[Any], rng: np.random.RandomState, search: Callable[[], Result]) -> Result:
    """Return what `search` finds, or has found in another fit where fits share their graphs.

    Parameters
    ----------
    of : sequence
        All that it depends on but for `rng`: arrays, and what has a telling ``repr``.
    rng : RandomState
        What it draws from.
    search : callable
        Returns what can be pickled.
    """
    graphs = _current.get()
    return search() if graphs is None else graphs.find(of, rng, search)
