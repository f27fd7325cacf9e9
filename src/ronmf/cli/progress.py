"""Signs of life on standard error, for work that takes long."""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["duration", "signs_of_life"]

_FIRST, _PAUSE = 2.0, 15.0  # seconds until the first sign of life, and between two of them


@contextmanager
def signs_of_life(text: Callable[[], str]) -> Iterator[None]:
    """Print what is being done, if it takes long, and again now and then.

    Parameters
    ----------
    text : callable
        Returns what is being done, in a few words. It is called in another thread.
    """
    ended, began = threading.Event(), time.monotonic()

    def repeat() -> None:
        pause = _FIRST
        while not ended.wait(pause):
            so_far = duration(time.monotonic() - began)
            print(f"{text()} ({so_far} so far)", file=sys.stderr, flush=True)
            pause = _PAUSE

    thread = threading.Thread(target=repeat, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()  # nothing is printed after the end


def duration(seconds: float) -> str:
    """Return a time in words.

    Examples
    --------
    >>> [duration(seconds) for seconds in (0.4, 80, 600, 9000)]
    ['0.4 s', '80 s', '10 min', '2.5 h']
    """
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
