"""``ronmf bench table | figure | report``: what came out of a plan."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from .. import bench
from ..datasets import CATALOG, find, load
from ..metrics import METRICS, SCOPES
from ..system.files import whole_file, writable
from .naming import check_name
from .stages import show_stages

__all__ = ["figure", "report", "table"]

_FORMATS = ("markdown", "latex", "html")
_ONE_METHOD = "RONMF-M"

Results = Annotated[
    Path, typer.Argument(metavar="RESULTS", help="Folder of results, or the plan that made it.")
]
Data = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="Data directory; only t-SNE needs the data themselves."),
]
Dataset = Annotated[
    str | None,
    typer.Option(
        "--dataset",
        "-d",
        metavar="NAME",
        help="For t-SNE: its dataset; by default the commonest that is here.",
    ),
]
Out = Annotated[Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write here.")]
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
            metavar="TABLE",
            help="clean, paper, noise, levels, ablation, classes, labels, time, ranks, printed,"
            " met, leak; of one method: same-graph, best-printed, noise-gain, few-labels.",
        ),
    ] = "clean",
    metric: Annotated[
        str, typer.Option(metavar="NAME", help=f"Score: {', '.join(METRICS)}.")
    ] = "acc",
    scope: Annotated[
        str,
        typer.Option(metavar="NAME", help=f"Samples to score: {' or '.join(SCOPES)} (as printed)."),
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
    method: Annotated[
        str | None,
        typer.Option(
            "--method",
            "-m",
            metavar="NAME",
            help=f"For tables about one method; {_ONE_METHOD} unless told.",
        ),
    ] = None,
    interval: Annotated[
        bool, typer.Option("--interval", help="Show the 95 % interval of each mean too.")
    ] = False,
    kind: Annotated[
        str, typer.Option("--format", metavar="NAME", help=f"{', '.join(_FORMATS)}.")
    ] = "markdown",
    out: Out = None,
    allow_stale: AllowStale = False,
    data: Data = None,
) -> None:
    """Print a table of the results."""
    check_name("--format", kind, _FORMATS)
    check_name("the table", name, [*bench.TABLES, *bench.METHOD_TABLES])
    check_name("--metric", metric, METRICS)
    check_name("--scope", scope, SCOPES)
    about_one = bench.METHOD_TABLES
    if interval and name in about_one:
        raise ValueError(f"the table {name} shows no intervals; leave --interval out.")
    if method is not None and name not in about_one:
        raise ValueError(f"--method is for {', '.join(about_one)}; leave it out for {name}.")
    rows = _only(_rows(results, allow_stale), "experiment", experiment)
    rows = _only(rows, "dataset", dataset)
    if name in about_one:
        if method is not None:
            check_name("--method", method, rows["method"], "has no rows")
        parts = [about_one[name](rows, method or _ONE_METHOD)]
    else:
        parts = bench.TABLES[name](rows, metric, scope, interval)
    write: Callable[[Any], str] = getattr(bench, f"to_{kind}")
    text = "\n\n".join(map(write, parts))
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
            metavar="FIGURE",
            help="boxes, critical_difference, classes, noise, ablation, label_rate_graph_weight,"
            " weights, time, runs, tsne.",
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="A png, svg or pdf file to write."),
    ] = None,
    dataset: Dataset = None,
    allow_stale: AllowStale = False,
    data: Data = None,
) -> None:
    """Draw a figure of the results."""
    check_name("the figure", name, [*bench.FIGURES, "tsne"])
    rows = _rows(results, allow_stale)
    if name == "tsne":
        drawn = bench.tsne_figure(_embedded(rows, dataset, data))
    else:
        drawn = bench.FIGURES[name](rows)
    path = Path(f"{name}.png") if out is None else out
    bench.save_figure(drawn, path)
    print(f"Wrote {path}.")


def report(
    results: Results,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="The HTML file; by default report.html."),
    ] = None,
    dataset: Dataset = None,
    allow_stale: AllowStale = False,
    data: Data = None,
) -> None:
    """Write one HTML file: who won, and every table and figure."""
    folder = _folder(results)
    path = folder / "report.html" if out is None else out
    writable(path)  # before the work
    with show_stages() as tell:
        tell("rows", 0, 1)
        rows = _rows(results, allow_stale)
        tell("rows", 1, 1)
        try:
            chosen = _embedded(rows, dataset, data)
            embeddings = bench.fit_embeddings(chosen, report=tell)
        except (ValueError, OSError) as error:  # the data are not here: the report goes on without
            print(f"No t-SNE panels: {error}", file=sys.stderr)
            embeddings = None
        title = f"Results of {folder.name}"
        bench.build_report(rows, path, title, embeddings=embeddings, report=tell)
    print(f"Wrote {path}.")


def _embedded(rows: Any, dataset: str | None, data: Path | None) -> Any:
    """Return the named dataset; else the commonest that is here: none may start a download.

    Nor may a path be opened because a file of results names it.
    """
    if dataset is None:
        names = list(rows["dataset"].value_counts().index)
        entries = {name: CATALOG.get(str(name).lower()) for name in names}
        here = [
            name
            for name, entry in entries.items()
            if entry is not None and (entry.bundled or find(entry.name, data))
        ]
        if not here:
            raise ValueError(f"{names[0]} is not opened unasked; name it with --dataset.")
        dataset = str(here[0])
    return load(dataset, data)


def _folder(results: Path) -> Path:
    return bench.read_plan(results).folder if results.suffix == ".toml" else results


def _rows(results: Path, allow_stale: bool) -> Any:
    """Read the rows; what does not belong together is refused, or named."""
    rows = bench.read_rows(_folder(results), allow_stale=allow_stale)
    for mixed in bench.mixtures(rows):
        print(f"Rows that do not belong together: {mixed}.", file=sys.stderr)
    return rows
