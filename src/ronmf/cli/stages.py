"""The stages of long work on standard error: bars that show what is left, or lines in a log."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from . import ending
from .progress import duration, signs_of_life

__all__ = ["show_stages"]

_START = "starting"  # what comes before the first stage: Python loads what it needs
_PACE = 3600.0  # seconds of the past that the time that is left is estimated from
_Report = Callable[[str, int, int], None]


@contextmanager
def show_stages(quiet: bool = False) -> Iterator[_Report]:
    """Give a function that shows ``(stage, done, most)`` on standard error.

    What is done when a stage is first reported counts as done before: it has no say in the time
    that is left.

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
    from rich import progress as rich
    from rich.console import Console

    columns = (
        rich.TextColumn("{task.description:>14}"),
        rich.BarColumn(),
        rich.MofNCompleteColumn(),
        rich.TimeElapsedColumn(),
        rich.TextColumn("left"),
        rich.TimeRemainingColumn(),
    )
    tasks: dict[str, rich.TaskID] = {}
    console = Console(stderr=True)
    with rich.Progress(*columns, console=console, speed_estimate_period=_PACE) as progress:
        start = progress.add_task(_START, total=None)

        def report(stage: str, done: int, most: int) -> None:
            ending.check()
            progress.update(start, visible=False)
            if stage not in tasks:
                tasks[stage] = progress.add_task(stage, total=most, completed=done)
            progress.update(tasks[stage], completed=done, total=most)

        try:
            yield report
        finally:
            progress.update(start, visible=False)


@contextmanager
def _lines() -> Iterator[_Report]:
    """Print a line at the end of each stage, and now and then in one that takes long."""
    began: dict[str, tuple[float, int]] = {}  # when, and how much was done then
    ended: set[str] = set()
    last = _START, 0, 0

    def report(stage: str, done: int, most: int) -> None:
        nonlocal last
        ending.check()
        last, now = (stage, done, most), time.monotonic()
        if done < most:
            ended.discard(stage)  # it comes again
            began.setdefault(stage, (now, done))
        elif stage not in ended:
            ended.add(stage)
            start, _ = began.pop(stage, (now, 0))
            print(f"{stage}: done, {duration(now - start)}", file=sys.stderr, flush=True)

    def text() -> str:
        stage, done, most = last
        if done >= most:
            return stage if stage == _START else f"{stage} is done, going on"
        start, before = began[stage]
        if done == before:
            return f"{stage}: {done} of {most}"
        left = (time.monotonic() - start) / (done - before) * (most - done)
        return f"{stage}: {done} of {most}, about {duration(left)} left"

    with signs_of_life(text):
        yield report
