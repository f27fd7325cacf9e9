"""``ronmf bench table | figure | report``: what came out of a plan."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from ..experiments.running.plan import read_plan
from ..experiments.running.rows import read_rows
from ..system.files import folder_exists, whole_file

__all__ = ["figure", "report", "table"]

Results = Annotated[Path, typer.Argument(help="Folder of results, or the plan that made it.")]
Data = Annotated[Path | None, typer.Option(help="Data directory.")]
Metric = Annotated[str, typer.Option(help="acc, f1, nmi, purity or ari.")]
Scope = Annotated[str, typer.Option(help="unlabelled (honest) or all (as papers print it).")]
_OURS = ("best-printed", "noise-gain", "few-labels", "same-graph")  # one RONMF beside others
TABLES = (
    *("clean", "paper", "noise", "ablation", "classes", "labels", "time", "printed", "leak"),
    *_OURS,
)


def _list(names: Sequence[str]) -> str:
    return ", ".join(names)


# Few enough for legible panels, and one of each kind.
_PANELS = ["NMF", "GNMF", "RSNMF", "LpCNMF", "HarmonicLabelPropagation", "RONMF-M"]


def table(
    results: Results,
    name: Annotated[str, typer.Argument(help=f"One of {', '.join(TABLES)}.")] = "clean",
    metric: Metric = "acc",
    scope: Scope = "unlabelled",
    experiment: Annotated[
        list[str] | None, typer.Option("--experiment", "-e", help="Only this experiment.")
    ] = None,
    method: Annotated[
        str | None, typer.Option("--method", "-m", help=f"RONMF-M or another, for {_list(_OURS)}.")
    ] = None,
    kind: Annotated[str, typer.Option("--format", help="markdown, latex or html.")] = "markdown",
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Write to this file.")] = None,
) -> None:
    """Print a table of the results."""
    from ..experiments.reporting.table_formats import to_html, to_latex, to_markdown

    formats: dict[str, Callable[[Any], str]] = {
        "markdown": to_markdown,
        "latex": to_latex,
        "html": to_html,
    }
    if kind not in formats:
        raise ValueError(f"--format {kind!r} is not known; use {', '.join(formats)}.")
    if name not in TABLES:
        raise ValueError(f"the table {name!r} is not known; use one of {', '.join(TABLES)}.")
    rows = _of_experiments(_rows(results), experiment)
    if name in _OURS:
        parts = [_own_table(rows, name, method or "RONMF-M")]
    elif method is not None:
        raise ValueError(f"--method is for {_list(_OURS)}; leave it out for {name}.")
    else:
        parts = _tables(rows, name, metric, scope)
    text = "\n\n".join(map(formats[kind], parts))
    if out is None:
        print(text)
    else:
        with whole_file(folder_exists(out)) as part:
            part.write_text(f"{text}\n", encoding="utf-8")
        print(f"Wrote {out}.")


def _tables(rows: Any, name: str, metric: str, scope: str) -> list[Any]:
    from ..experiments.reporting import tables
    from ..experiments.reporting.comparison import leak_table, printed_table
    from ..experiments.reporting.selection import clean, noisy, unchanged, variants, varied

    if name == "leak":
        return [leak_table(rows, metric, scope)]
    if name == "clean":
        return [tables.clean_table(clean(rows), metric, scope)]
    if name == "paper":
        return [tables.type_table(clean(rows), scope=scope)]
    if name == "noise":
        return [tables.noise_table(noisy(rows), metric, scope)]
    if name == "ablation":
        sides = ["dataset", "method"], "variant"
        return [tables.wide_table(variants(rows), *sides, metric, scope)]
    if name in ("classes", "labels"):
        column = {"classes": "n_classes", "labels": "label_rate"}[name]
        sides = ["dataset", column], "method"
        return [tables.wide_table(varied(rows, column), *sides, metric, scope)]
    if name == "time":
        return [tables.wide_table(clean(rows), "dataset", "method", "seconds")]
    parts = [clean(rows)] + ([noisy(rows)] if (rows.noise != "none").any() else [])
    return [printed_table(unchanged(part), metric, scope) for part in parts]


def _own_table(rows: Any, name: str, method: str) -> Any:
    from ..experiments.reporting import accuracy_tables
    from ..experiments.reporting.same_graph import same_graph_table

    makers: dict[str, Callable[..., Any]] = {
        "best-printed": accuracy_tables.best_printed_table,
        "noise-gain": accuracy_tables.noise_gain_table,
        "few-labels": accuracy_tables.few_labels_table,
        "same-graph": same_graph_table,
    }
    return makers[name](rows, method)


def _of_experiments(rows: Any, names: list[str] | None) -> Any:
    """Return the rows of the named experiments; None for all."""
    known = list(dict.fromkeys(rows["experiment"]))
    for name in names or ():
        if name not in known:
            raise ValueError(f"--experiment {name!r} has no rows; there are {_list(known)}.")
    return rows[rows["experiment"].isin(names)] if names else rows


def figure(
    results: Results,
    name: Annotated[str, typer.Argument(help="Its name; a wrong one lists all.")],
    out: Annotated[Path | None, typer.Option("--out", "-o", help="png, svg or pdf file.")] = None,
    dataset: Annotated[str | None, typer.Option("-d", help="For tsne: the dataset.")] = None,
    data: Data = None,
) -> None:
    """Draw a figure of the results."""
    from ..experiments.reporting.figures import FIGURES, save

    known = [*FIGURES, "tsne"]
    if name not in known:
        raise ValueError(f"the figure {name!r} is not known; use one of {', '.join(known)}.")
    rows = _rows(results)
    drawn = _tsne(rows, dataset, data) if name == "tsne" else FIGURES[name](rows)
    path = Path(f"{name}.png") if out is None else out
    save(drawn, path)
    print(f"Wrote {path}.")


def report(
    results: Results,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="HTML file.")] = None,
    data: Data = None,
) -> None:
    """Write one HTML file with every table and figure."""
    from ..experiments.reporting.report import build

    rows, folder = _rows(results), _folder(results)
    path = folder / "report.html" if out is None else out
    folder_exists(path)  # before the work
    try:
        extra = {"tsne": _tsne(rows, None, data)}
    except (ValueError, OSError) as error:  # the data are not here: the report goes on without
        print(f"No t-SNE panels: {error}", file=sys.stderr)
        extra = {}
    build(rows, path, title=f"Results of {folder.name}", extra_figures=extra)
    print(f"Wrote {path}.")


def _tsne(rows: Any, dataset: str | None, data: Path | None) -> Any:
    from ..datasets import load_any
    from ..experiments.reporting.embedding import embeddings
    from ..experiments.reporting.figures import tsne

    name = dataset or rows.dataset.mode()[0]
    return tsne(embeddings(load_any(name, data), _PANELS))


def _folder(results: Path) -> Path:
    return Path("results") / read_plan(results).name if results.suffix == ".toml" else results


def _rows(results: Path) -> Any:
    return read_rows(_folder(results))
