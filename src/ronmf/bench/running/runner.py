"""Run a plan: draw, send to workers, score, write a row; again, from where it stopped."""

import platform
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy
import scipy
import sklearn

from ... import __version__
from ...metrics import SCORE_COLUMNS
from ...system.plain_text import one_line
from .origins import Origins, PlanState, plan_state
from .pixels_or_features import load_inputs
from .plan import Plan
from .pool import Pool
from .protocol import Case
from .row_checks import MEASURED, SIZES, check_row
from .rows import RowFile
from .schedule import Schedule
from .settings import Run
from .worker import Task

__all__ = ["Progress", "run_plan"]


@dataclass
class Progress:
    """How far a plan has come.

    Attributes
    ----------
    total, done : int
        Runs of the plan, and those with a row.
    failed : int
        Runs that failed since this call began.
    before, started : int, float
        How many rows there were then, and when that was.
    seconds_saved : float
        Time of fits that took chosen graphs from others of their draw.
    """

    total: int
    done: int = 0
    failed: int = 0
    before: int = 0
    started: float = 0.0
    seconds_saved: float = 0.0

    @property
    def seconds_left(self) -> float | None:
        """An estimate from the pace so far; None before the first run has ended."""
        finished = self.done - self.before
        if not finished:
            return None
        return (time.monotonic() - self.started) / finished * (self.total - self.done)


def run_plan(
    plan: Plan,
    folder: str | Path,
    *,
    data: str | Path | None = None,
    jobs: int = 1,
    retry_failed: bool = False,
    report: Callable[[dict[str, Any], Progress], None] | None = None,
    embedding: Callable[[str, int, int], None] | None = None,
) -> Progress:
    """Run what is missing or stale of a plan and append a row for each run.

    Killed at any moment it loses the runs in flight; called again it goes on. A run that fails is
    recorded with its reason. Rows of another behaviour or of other data are set aside before their
    runs are made again, and so are those of another behaviour whose runs the plan no longer has.

    Parameters
    ----------
    plan : Plan
        What to run.
    folder : str or Path
        Folder of results.
    data : str or Path, default=None
        Data directory.
    jobs : int, default=1
        Worker processes.
    retry_failed : bool, default=False
        Run those again that failed.
    report : callable, default=None
        ``report(row, progress)`` after every row.
    embedding : callable, default=None
        ``embedding(dataset, done, total)`` while pictures become features.

    Returns
    -------
    Progress
        At the end.

    Notes
    -----
    Methods run in other processes, which import the main module anew: in a script of your own, call
    it below ``if __name__ == "__main__":``.
    """
    states = ("missing", "stale", *(("failed",) if retry_failed else ()))
    missing = plan_state(plan, folder, data).runs(*states)
    jobs = min(jobs, max(1, len(missing)))
    with ExitStack() as stack:
        pool = stack.enter_context(Pool(jobs, plan.timeout))
        # What is not here should stop the plan before any work is done.
        _find_own_methods({plan.classes.get(run.method, "") for run in missing} - {""}, pool)
        inputs = {(plan.paths.get(r.dataset, r.dataset), r.features): r for r in missing}
        loaded = load_inputs(inputs, data, embedding)
        datasets = {(r.dataset, r.features): loaded[key] for key, r in inputs.items()}
        rows = stack.enter_context(RowFile(folder).writing())
        # Again, now that nobody else can write, and that what was missing has been downloaded.
        state = plan_state(plan, folder, data)
        missing = [r for r in state.runs(*states) if (r.dataset, r.features) in datasets]
        rows.set_aside(_is_older(plan, state))
        done = len(plan.runs) - len(missing)
        progress = Progress(len(plan.runs), done, before=done, started=time.monotonic())

        for run, case, outcome in _outcomes(Schedule(missing, datasets), pool, plan.classes):
            row = _row(run, state.origins, outcome, case)
            try:
                check_row(dict(row))
            except ValueError as error:  # what nobody could read again would make all unreadable
                reason = f"what it measured is no row: {error}"
                row = _row(run, state.origins, {"failed": reason}, case)
            rows.append(row)
            progress.done += 1
            progress.failed += row["status"] == "failed"
            progress.seconds_saved += outcome.get("seconds_saved", 0.0)
            if report is not None:
                report(row, progress)
    return progress


def _outcomes(
    schedule: Schedule, pool: Pool, classes: dict[str, str]
) -> Iterator[tuple[Run, Case | None, dict[str, Any]]]:
    """Let idle workers run what comes next; yield what came out, as soon as it did."""
    while True:
        for worker in pool.idle:
            while worker in pool.idle and (following := schedule.next(worker)):
                run, draw = following
                try:
                    case = draw.case
                except ValueError as error:
                    yield run, None, {"failed": str(error)}
                    continue
                method = classes.get(run.method, run.method)
                task = Task(case.view, method, run.params, run.seed)
                pool.submit((run, case), task, worker)
        if not len(pool):
            return
        for (run, case), outcome in pool.finished():
            yield run, case, outcome


def _is_older(plan: Plan, state: PlanState) -> Callable[[dict[str, Any]], bool]:
    """Tell stale rows of the runs; of a whole plan, also those of runs that it no longer has."""
    stale = {run.digest for run in state.runs("stale")}
    others = None if plan.selected else {run.digest for run in plan.runs}
    today = state.origins.behaviour
    return lambda row: (
        row["run"] in stale
        or (others is not None and row["run"] not in others and row["behaviour"] != today)
    )


def _find_own_methods(methods: Iterable[str], pool: Pool) -> None:
    """Let a worker import the users' own methods: their code never runs where the truth is."""
    for method in sorted(methods):
        pool.submit(method, method)
        while len(pool):
            for _, outcome in pool.finished():
                if "failed" in outcome:
                    raise ValueError(f"cannot import the method {method!r} ({outcome['failed']}).")


def _row(run: Run, origins: Origins, outcome: dict[str, Any], case: Case | None) -> dict[str, Any]:
    failed = outcome.get("failed")
    scores: dict[str, Any] = dict.fromkeys(SCORE_COLUMNS)
    if failed is None and case is not None:
        try:
            scores = case.score(outcome["labels"])
        except ValueError as error:
            failed = str(error)
    return {
        **origins.columns(run),
        **asdict(run),
        "parameters": outcome.get("parameters", ""),
        **(dict.fromkeys(SIZES) if case is None else case.view.sizes),
        "status": "ok" if failed is None else "failed",
        "reason": one_line(failed or ""),
        **scores,
        **{name: outcome.get(name) for name in MEASURED},
        **_VERSIONS,
    }


_VERSIONS = {
    "ronmf": __version__,
    **{package.__name__: package.__version__ for package in (numpy, scipy, sklearn)},
    "python": platform.python_version(),
}
