"""Chosen graphs that fits of one process share: an equal choice need not be made again."""

import pickle
import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..storage._checkpoint import content_key

__all__ = ["SharedGraphs", "shared"]

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

    def get(self, key: str) -> tuple[Any, Any] | None:
        """Return a copy of what an equal search has found, and the random state after it."""
        if key not in self._results:
            return None
        start = time.perf_counter()
        self._results.move_to_end(key)
        packed, seconds = self._results[key]
        found = pickle.loads(packed)  # of this process's own making
        self.seconds_saved += seconds - (time.perf_counter() - start)
        return found

    def put(self, key: str, result: Any, state: Any, seconds: float) -> None:
        """Keep what a search of some seconds has found, and the random state after it."""
        start = time.perf_counter()
        # Packed: a fit that writes into its graph must not change that of another.
        self._results[key] = pickle.dumps((result, state)), seconds
        while sum(len(packed) for packed, _ in self._results.values()) > _MEMORY:
            self._results.popitem(last=False)
        self.seconds_saved -= time.perf_counter() - start


_current: ContextVar[SharedGraphs | None] = ContextVar("_current", default=None)


@dataclass
class Search:
    """A search for a graph, perhaps made before.

    Attributes
    ----------
    result : object or None
        What an equal search has found; else None, and whoever searches writes it here.
    """

    result: Any = None


@contextmanager
def shared(of: Sequence[Any] | None, rng: np.random.RandomState) -> Iterator[Search]:
    """Yield the result of an equal search where fits share theirs; keep one that is new.

    Parameters
    ----------
    of : sequence or None
        All that it depends on but for `rng`: arrays, and what has a telling ``repr``. None: it is
        not shared.
    rng : RandomState
        What it draws from; of a search that was made before, as that left it.
    """
    graphs, search = _current.get(), Search()
    # Of another generator than NumPy's older one the state is no tuple that the key tells apart.
    usual = rng.get_state(legacy=False)["bit_generator"] == "MT19937"
    if graphs is None or of is None or not usual:
        yield search
        return
    key = content_key(*of, *rng.get_state(legacy=True))
    if known := graphs.get(key):
        search.result, state = known
        rng.set_state(state)
        yield search
        return
    start = time.perf_counter()
    yield search
    graphs.put(key, search.result, rng.get_state(), time.perf_counter() - start)
