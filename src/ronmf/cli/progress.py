"""How far work has come, on standard error: a line that renews itself, or lines in a log."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from . import ending

if TYPE_CHECKING:  # who clusters a folder need not wait for the experiments
    from ..bench import Progress

__all__ = ["duration", "report_pictures", "report_runs", "signs_of_life"]

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

    def tell() -> None:
        pause = _FIRST
        while not ended.wait(pause):
            so_far = duration(time.monotonic() - began)
            print(f"{text()} ({so_far} so far)", file=sys.stderr, flush=True)
            pause = _PAUSE

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        ended.set()
        teller.join()  # nothing is printed after the end


def report_runs() -> Callable[[dict[str, Any], Progress], None]:
    """Return what tells of finished runs, and at once of each that failed."""
    show, live = _line(), sys.stderr.isatty()

    def report(row: dict[str, Any], progress: Progress) -> None:
        ending.check()
        if row["status"] == "failed":
            what = f"{row['method']} on {row['dataset']}, seed {row['seed']}"
            print(f"{chr(13) * live}failed: {what}: {row['reason']}", file=sys.stderr)
        left = progress.seconds_left
        eta = "" if left is None else f", about {duration(left)} left"
        ended = progress.done == progress.total
        show(f"{progress.done} of {progress.total} runs{eta}", ended)

    return report


def report_pictures() -> Callable[[str, int, int], None]:
    """Return what tells of pictures that passed through a network."""
    show = _line()

    def report(dataset: str, done: int, total: int) -> None:
        ending.check()
        show(f"{dataset}: features of {done} of {total} pictures", done == total)

    return report


def _line() -> Callable[[str, bool], None]:
    """Return what shows a text now and then, and in any case the last one."""
    last, live = 0.0, sys.stderr.isatty()

    def show(text: str, ended: bool) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last < (0.2 if live else 15) and not ended:
            return
        last = now
        print(
            f"\r{text:60}" if live else text,
            end="" if live and not ended else "\n",
            file=sys.stderr,
            flush=True,
        )

    return show


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
