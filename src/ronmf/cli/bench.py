"""``ronmf bench``: run a plan; tables, figures and a report from its rows."""

import os
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import typer

from ..bench import Progress, plan_state, read_plan, run_plan
from ..system.platform import cores
from . import results
from .stages import show_stages

app = typer.Typer(help="Run experiments and show what came out.", no_args_is_help=True)

PlanFile = Annotated[Path, typer.Argument(help="The plan, a TOML file.", metavar="PLAN")]
Out = Annotated[
    Path | None, typer.Option("--out", "-o", help="Folder of results.", metavar="FOLDER")
]
Datasets = Annotated[
    list[str] | None,
    typer.Option("--dataset", "-d", help="Only this dataset; may be repeated.", metavar="NAME"),
]
Methods = Annotated[
    list[str] | None,
    typer.Option("--method", "-m", help="Only this method; may be repeated.", metavar="NAME"),
]
Experiments = Annotated[
    list[str] | None,
    typer.Option(
        "--experiment", "-e", help="Only this experiment; may be repeated.", metavar="NAME"
    ),
]
Data = Annotated[
    Path | None,
    typer.Option("--data", help="Folder of datasets; RONMF_DATA if not given.", metavar="DIR"),
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
    data: Data = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs", "-j", min=1, help="Processes; by default one per core.", metavar="N"
        ),
    ] = None,
    retry_failed: Annotated[bool, typer.Option(help="Run failed ones again.")] = False,
) -> None:
    """Run what is missing or stale of a plan. Stop it as you like: the same command goes on.

    Rows are stale if the program behaves otherwise today, or if they come from other data. They are
    set aside, and their runs are made again.

    A plan that names a method as "module:Class" has that module imported, from an installed package
    or from this folder: run only plans that you would run as code.
    """
    sys.path.append(os.getcwd())  # where a user's own method may lie, behind installed packages
    chosen = read_plan(plan).select(dataset, method, experiment)
    folder = out or chosen.folder
    started = time.monotonic()
    before = plan_state(chosen, folder, data)
    if before.runs("stale"):
        print(before.describe(), file=sys.stderr)
    try:
        with show_stages() as show:
            done = before.runs("done", *[] if retry_failed else ["failed"])
            if len(done) < len(chosen.runs):
                show("runs", len(done), len(chosen.runs))

            def report(row: dict[str, Any], progress: Progress) -> None:
                if row["status"] == "failed":
                    what = f"{row['method']} on {row['dataset']}, seed {row['seed']}"
                    print(f"failed: {what}: {row['reason']}", file=sys.stderr)
                show("runs", progress.done, progress.total)

            end = run_plan(
                chosen,
                folder,
                data=data,
                jobs=jobs or cores(),
                retry_failed=retry_failed,
                report=report,
                embedding=lambda name, done, most: show(f"features of {name}", done, most),
            )
    except KeyboardInterrupt:
        print(
            f"\nStopped; rows so far are in {folder}. The same command goes on from there.",
            file=sys.stderr,
        )
        raise typer.Exit(130) from None
    print(
        f"{end.done} of {end.total} runs have a row in {folder} ({end.failed} failed now);"
        f" {time.monotonic() - started:.0f} s"
        + f", and {end.seconds_saved:.0f} s less by sharing chosen graphs" * (end.seconds_saved > 1)
        + "."
    )


@app.command()
def status(
    plan: PlanFile,
    out: Out = None,
    dataset: Datasets = None,
    method: Methods = None,
    experiment: Experiments = None,
    data: Data = None,
) -> None:
    """Say how much of a plan is done, for each experiment and dataset, and what is stale.

    Rows are stale if the program behaves otherwise today, or if they come from other data than
    those at hand.
    """
    chosen = read_plan(plan).select(dataset, method, experiment)
    state = plan_state(chosen, out or chosen.folder, data)
    groups: dict[tuple[str, str], Counter[str]] = {}
    for each, state_of_run in state.states.items():
        groups.setdefault((each.experiment, each.dataset), Counter())[state_of_run] += 1
    for (name, where), counts in groups.items():
        more = [f", {counts[each]} {each}" for each in ("failed", "stale") if counts[each]]
        print(f"{name:16} {where:10} {counts['done']:5} of {counts.total():5} done{''.join(more)}")
    print(state.describe())
