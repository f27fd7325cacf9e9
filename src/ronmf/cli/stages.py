"""The stages of long work on standard error: bars that show what is left, or lines in a log."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from . import ending
from .progress import duration, signs_of_life

__all__ = ["show_stages"]

_START = "starting"  # what comes before the first stage: Python loads what it needs
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
        with _lines() as report:
            yield report


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
        start = progress.add_task(_START, total=None)

        def report(stage: str, done: int, most: int) -> None:
            ending.check()
            progress.update(start, visible=False)
            if stage not in tasks:
                tasks[stage] = progress.add_task(stage, total=most)
            progress.update(tasks[stage], completed=done, total=most)

        try:
            yield report
        finally:
            progress.update(start, visible=False)


@contextmanager
def _lines() -> Iterator[_Report]:
    """Print a line at the end of each stage, and now and then in one that takes long."""
    began: dict[str, float] = {}
    ended: set[str] = set()
    last = _START, 0, 0

    def report(stage: str, done: int, most: int) -> None:
        nonlocal last
        ending.check()
        last, now = (stage, done, most), time.monotonic()
        if done < most:
            ended.discard(stage)  # it comes again
            began.setdefault(stage, now)
        elif stage not in ended:
            ended.add(stage)
            spent = now - began.pop(stage, now)
            print(f"{stage}: done, {duration(spent)}", file=sys.stderr, flush=True)

    def text() -> str:
        stage, done, most = last
        if done >= most:
            return stage if stage == _START else f"{stage} is done, going on"
        left = (time.monotonic() - began[stage]) / done * (most - done) if done else None
        eta = "" if left is None else f", about {duration(left)} left"
        return f"{stage}: {done} of {most}{eta}"

    with signs_of_life(text):
        yield report
