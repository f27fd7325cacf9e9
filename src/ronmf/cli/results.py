"""``ronmf bench table | figure | report``: what came out of a plan."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from .. import experiments
from ..datasets import CATALOG, find, load_any
from ..metrics import METRICS, SCOPES
from ..system.files import whole_file, writable

__all__ = ["figure", "report", "table"]

Results = Annotated[Path, typer.Argument(help="Folder of results, or the plan that made it.")]
Data = Annotated[Path | None, typer.Option(help="Data directory.")]
Dataset = Annotated[
    str | None,
    typer.Option(
        "--dataset", "-d", help="For t-SNE: its dataset; by default the commonest that is here."
    ),
]
Metric = Annotated[str, typer.Option(help=f"One of {', '.join(METRICS)}.")]
Scope = Annotated[
    str, typer.Option(help=f"Samples to score: {' or '.join(SCOPES)} (as papers print it).")
]


def table(
    results: Results,
    name: Annotated[str, typer.Argument(help="Its name; a wrong one lists all.")] = "clean",
    metric: Metric = "acc",
    scope: Scope = "unlabelled",
    experiment: Annotated[
        list[str] | None, typer.Option("--experiment", "-e", help="Only this experiment.")
    ] = None,
    method: Annotated[
        str | None, typer.Option("--method", "-m", help="For tables about one method: which.")
    ] = None,
    kind: Annotated[str, typer.Option("--format", help="markdown, latex or html.")] = "markdown",
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Write to this file.")] = None,
) -> None:
    """Print a table of the results."""
    formats = {
        "markdown": experiments.to_markdown,
        "latex": experiments.to_latex,
        "html": experiments.to_html,
    }
    if kind not in formats:
        raise ValueError(f"--format {kind!r} is not known; use {', '.join(formats)}.")
    known = [*experiments.TABLES, *experiments.METHOD_TABLES]
    if name not in known:
        raise ValueError(f"the table {name!r} is not known; use one of {', '.join(known)}.")
    rows = _of_experiments(_rows(results), experiment)
    if name in experiments.METHOD_TABLES:
        parts = [experiments.METHOD_TABLES[name](rows, method or "RONMF-M")]
    elif method is not None:
        names = ", ".join(experiments.METHOD_TABLES)
        raise ValueError(f"--method is for {names}; leave it out for {name}.")
    else:
        parts = experiments.TABLES[name](rows, metric, scope)
    text = "\n\n".join(map(formats[kind], parts))
    if out is None:
        print(text)
    else:
        with whole_file(writable(out)) as part:
            part.write_text(f"{text}\n", encoding="utf-8")
        print(f"Wrote {out}.")


def _of_experiments(rows: Any, names: list[str] | None) -> Any:
    """Return the rows of the named experiments; None for all."""
    known = list(dict.fromkeys(rows["experiment"]))
    for name in names or ():
        if name not in known:
            raise ValueError(f"--experiment {name!r} has no rows; there are {', '.join(known)}.")
    return rows[rows["experiment"].isin(names)] if names else rows


def figure(
    results: Results,
    name: Annotated[str, typer.Argument(help="Its name; a wrong one lists all.")],
    out: Annotated[Path | None, typer.Option("--out", "-o", help="png, svg or pdf file.")] = None,
    dataset: Dataset = None,
    data: Data = None,
) -> None:
    """Draw a figure of the results."""
    known = [*experiments.FIGURES, "tsne"]
    if name not in known:
        raise ValueError(f"the figure {name!r} is not known; use one of {', '.join(known)}.")
    rows = _rows(results)
    drawn = _tsne(rows, dataset, data) if name == "tsne" else experiments.FIGURES[name](rows)
    path = Path(f"{name}.png") if out is None else out
    experiments.save_figure(drawn, path)
    print(f"Wrote {path}.")


def report(
    results: Results,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="HTML file.")] = None,
    dataset: Dataset = None,
    data: Data = None,
) -> None:
    """Write one HTML file with every table and figure."""
    rows, folder = _rows(results), _folder(results)
    path = folder / "report.html" if out is None else out
    writable(path)  # before the work
    try:
        extra = {"tsne": _tsne(rows, dataset, data)}
    except (ValueError, OSError) as error:  # the data are not here: the report goes on without
        print(f"No t-SNE panels: {error}", file=sys.stderr)
        extra = {}
    experiments.build_report(rows, path, title=f"Results of {folder.name}", extra_figures=extra)
    print(f"Wrote {path}.")


def _tsne(rows: Any, dataset: str | None, data: Path | None) -> Any:
    """Draw the named dataset; else the commonest of the rows, which may start no download.

    Nor may a path be opened because a file of results names it.
    """
    if dataset is None:
        dataset = str(rows["dataset"].mode()[0])
        entry = CATALOG.get(dataset.lower())
        if entry is None or not (entry.bundled or find(entry, data)):
            raise ValueError(f"{dataset} is not opened unasked; name it with --dataset.")
    return experiments.tsne_figure(load_any(dataset, data))


def _folder(results: Path) -> Path:
    return experiments.read_plan(results).folder if results.suffix == ".toml" else results


def _rows(results: Path) -> Any:
    return experiments.read_rows(_folder(results))
