"""``ronmf bench``: run a plan; tables, figures and a report from its rows."""

import os
import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from ..experiments import pending_runs, read_plan, run_plan
from ..system.platform import cores
from . import results
from .progress import report_pictures, report_runs

app = typer.Typer(help="Run experiments and show what came out.", no_args_is_help=True)

PlanFile = Annotated[Path, typer.Argument(help="The plan, a TOML file.")]
Out = Annotated[Path | None, typer.Option("--out", "-o", help="Folder of results.")]
Datasets = Annotated[list[str] | None, typer.Option("--dataset", "-d", help="Only this dataset.")]
Methods = Annotated[list[str] | None, typer.Option("--method", "-m", help="Only this method.")]
Experiments = Annotated[
    list[str] | None, typer.Option("--experiment", "-e", help="Only this experiment.")
]

for command in (results.table, results.figure, results.report):
    app.command()(command)


@app.command()
def run(
    plan: PlanFile,
    out: Out = None,
    dataset: Datasets = None,
    method: Methods = None,
    experiment: Experiments = None,
    data: Annotated[Path | None, typer.Option(help="Data directory.")] = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", min=1, help="Processes; by default one per core.")
    ] = None,
    retry_failed: Annotated[bool, typer.Option(help="Run failed ones again.")] = False,
) -> None:
    """Run what is missing of a plan. Stop it as you like: the same command goes on.

    A plan that names a method as "module:Class" has that module imported, from an installed package
    or from this folder: run only plans that you would run as code.
    """
    sys.path.append(os.getcwd())  # where a user's own method may lie, behind installed packages
    chosen = read_plan(plan).select(dataset, method, experiment)
    folder = out or chosen.folder
    started = time.monotonic()
    try:
        end = run_plan(
            chosen,
            folder,
            data=data,
            jobs=jobs or cores(),
            retry_failed=retry_failed,
            report=report_runs(),
            embedding=report_pictures(),
        )
    except KeyboardInterrupt:
        print(
            f"\nStopped; rows so far are in {folder}. The same command goes on from there.",
            file=sys.stderr,
        )
        raise typer.Exit(130) from None
    print(
        f"{end.done} of {end.total} runs have a row in {folder} ({end.failed} failed now);"
        f" {time.monotonic() - started:.0f} s."
    )


@app.command()
def status(
    plan: PlanFile,
    out: Out = None,
    dataset: Datasets = None,
    method: Methods = None,
    experiment: Experiments = None,
) -> None:
    """Say how much of a plan is done, for each experiment and dataset."""
    chosen = read_plan(plan).select(dataset, method, experiment)
    folder = out or chosen.folder
    missing = {run.key for run in pending_runs(chosen, folder)}
    good = {run.key for run in chosen.runs} - {
        run.key for run in pending_runs(chosen, folder, retry_failed=True)
    }
    counts: dict[tuple[str, str], list[int]] = {}
    for entry in chosen.runs:
        count = counts.setdefault((entry.experiment, entry.dataset), [0, 0, 0])
        count[0] += 1
        count[1] += entry.key in good
        count[2] += entry.key not in missing and entry.key not in good
    for (name, where), (total, done, failed) in counts.items():
        print(
            f"{name:16} {where:10} {done:5} of {total:5} done" + f", {failed} failed" * bool(failed)
        )
    print(f"{len(missing)} of {len(chosen.runs)} runs are left.")
