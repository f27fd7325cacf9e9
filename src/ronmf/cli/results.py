"""``ronmf bench table | figure | report``: what came out of a plan."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from .. import bench
from ..metrics import METRICS, SCOPES
from ..system.files import whole_file, writable
from ..system.writing import own_place
from .naming import check_name
from .stages import show_stages

__all__ = ["figure", "report", "table"]

_FORMATS = ("markdown", "latex", "html")

Results = Annotated[
    Path, typer.Argument(metavar="RESULTS", help="Folder of results, or the plan that made it.")
]
AllowStale = Annotated[
    bool,
    typer.Option(
        "--allow-stale", help="Show rows of different code or data together; says which they are."
    ),
]


def table(
    results: Results,
    name: Annotated[
        str,
        typer.Argument(
            metavar="TABLE", help="clean, noise, levels, ablation, classes, labels, time, ranks."
        ),
    ] = "clean",
    metric: Annotated[
        str, typer.Option(metavar="NAME", help=f"Score: {', '.join(METRICS)}.")
    ] = "acc",
    scope: Annotated[
        str, typer.Option(metavar="NAME", help=f"Samples to score: {' or '.join(SCOPES)}.")
    ] = "unlabelled",
    experiment: Annotated[
        list[str] | None,
        typer.Option(
            "--experiment", "-e", metavar="NAME", help="Only this experiment; may be repeated."
        ),
    ] = None,
    dataset: Annotated[
        list[str] | None,
        typer.Option("--dataset", "-d", metavar="NAME", help="Only this dataset; may be repeated."),
    ] = None,
    interval: Annotated[
        bool, typer.Option("--interval", help="Show the 95 % interval of each mean too.")
    ] = False,
    kind: Annotated[
        str, typer.Option("--format", metavar="NAME", help=f"{', '.join(_FORMATS)}.")
    ] = "markdown",
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write here.")
    ] = None,
    allow_stale: AllowStale = False,
) -> None:
    """Print a table of the results."""
    check_name("--format", kind, _FORMATS)
    check_name("the table", name, bench.TABLES)
    check_name("--metric", metric, METRICS)
    check_name("--scope", scope, SCOPES)
    rows = _only(_rows(results, allow_stale), "experiment", experiment)
    rows = _only(rows, "dataset", dataset)
    made = bench.TABLES[name](rows, metric, scope, interval=interval)
    text = getattr(made, f"to_{kind}")()
    if out is None:
        print(text)
    else:
        with whole_file(writable(out)) as part:
            part.write_text(f"{text}\n", encoding="utf-8")
        print(f"Wrote {out}.")


def _only(rows: Any, column: str, names: list[str] | None) -> Any:
    """Return the rows that have one of the names in a column; None for all."""
    for name in names or ():
        check_name(f"--{column}", name, rows[column], "has no rows")
    return rows[rows[column].isin(names)] if names else rows


def figure(
    results: Results,
    name: Annotated[
        str,
        typer.Argument(
            metavar="FIGURE", help="boxes, critical_difference, classes, noise, ablation, time."
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="A png, svg or pdf file to write."),
    ] = None,
    allow_stale: AllowStale = False,
) -> None:
    """Draw a figure of the results."""
    check_name("the figure", name, bench.FIGURES)
    path = own_place(Path(f"{name}.png")) if out is None else out
    bench.save_figure(bench.FIGURES[name](_rows(results, allow_stale)), path)
    print(f"Wrote {path}.")


def report(
    results: Results,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="The HTML file; by default report.html."),
    ] = None,
    allow_stale: AllowStale = False,
) -> None:
    """Write one HTML file: who won, and every table and figure."""
    folder = _folder(results)
    path = own_place(folder / "report.html") if out is None else out
    if out is not None or folder.is_dir():  # before the work; else there are no rows either
        writable(path)
    with show_stages() as tell:
        tell("rows", 0, 1)
        rows = _rows(results, allow_stale)
        tell("rows", 1, 1)
        bench.build_report(rows, path, f"Results of {folder.name}", report=tell)
    print(f"Wrote {path}.")


def _folder(results: Path) -> Path:
    return bench.read_plan(results).folder if results.suffix == ".toml" else results


def _rows(results: Path, allow_stale: bool) -> Any:
    """Read the rows; what does not belong together is refused, or named."""
    rows = bench.read_rows(_folder(results), allow_stale=allow_stale)
    for mixed in bench.mixtures(rows):
        print(f"Rows that do not belong together: {mixed}.", file=sys.stderr)
    return rows
