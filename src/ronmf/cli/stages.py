"""The stages of long work on standard error: bars that show what is left, or lines in a log."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from . import ending
from .progress import duration

__all__ = ["show_stages"]

_PAUSE = 15.0  # seconds between two lines of a log
_Report = Callable[[str, int, int], None]


@contextmanager
def show_stages(quiet: bool = False) -> Iterator[_Report]:
    """Give what is told ``(stage, done, most)``, and shows it on standard error.

    Parameters
    ----------
    quiet : bool, default=False
        Whether to show nothing.
    """
    if quiet:
        yield lambda stage, done, most: ending.check()
    elif sys.stderr.isatty():
        with _bars() as report:
            yield report
    else:
        yield _lines()


@contextmanager
def _bars() -> Iterator[_Report]:
    """Show a bar for each stage, with the time that is left."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description:>14}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    tasks: dict[str, Any] = {}
    with Progress(*columns, console=Console(stderr=True)) as progress:

        def report(stage: str, done: int, most: int) -> None:
            ending.check()
            if stage not in tasks:
                tasks[stage] = progress.add_task(stage, total=most)
            progress.update(tasks[stage], completed=done, total=most)

        yield report


def _lines() -> _Report:
    """Print a line at the end of each stage, and now and then in one that takes long."""
    began: dict[str, float] = {}
    ended: set[str] = set()
    said = time.monotonic()

    def report(stage: str, done: int, most: int) -> None:
        nonlocal said
        ending.check()
        now = time.monotonic()
        if done < most:
            if stage in ended:  # it comes again
                ended.remove(stage)
                del began[stage]
            start = began.setdefault(stage, now)
            if now - said < _PAUSE:
                return
            left = (now - start) / done * (most - done) if done else None
            eta = "" if left is None else f", about {duration(left)} left"
            text = f"{stage}: {done} of {most}{eta}"
        elif stage in ended:
            return
        else:
            text = f"{stage}: done, {duration(now - began.setdefault(stage, now))}"
            ended.add(stage)
        said = now
        print(text, file=sys.stderr, flush=True)

    return report
