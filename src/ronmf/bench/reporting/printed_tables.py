"""Printed and measured, cell by cell; with the leaked graph and without."""

from typing import Any

from ..running.settings import names_of
from .published import compare_with_printed
from .reading_order import ordered
from .summaries import metric_column
from .table_formats import Cell, Table

__all__ = ["leak_table", "printed_table"]


def printed_table(rows: Any, metric: str = "acc", scope: str = "all") -> Table:
    """Return a line for every printed cell that the rows measure: ours, theirs, the difference.

    Parameters
    ----------
    rows : DataFrame
        Tidy rows without variants.
    metric, scope : str
        As in ``compare_with_printed``; the paper scores all
        samples, or does not say.
    """
    cells = compare_with_printed(rows, metric, scope)
    cells = cells[cells["printed_mean"].notna()]
    if cells.empty:
        raise ValueError(f"no row has a printed {metric}; run a plan with the paper's datasets.")
    lines = []
    for line in cells.itertuples():
        noise = line.noise if line.noise == "none" else f"{line.noise} {line.noise_level:g}"
        ours = "failed" if line.mean != line.mean else f"{line.mean:.3f} ± {line.std:.3f}"
        difference = "" if line.mean != line.mean else f"{line.difference:+.3f}"
        theirs = f"{line.printed_mean:.3f} ± {line.printed_std:.3f}"
        texts = (line.dataset, noise, line.method, ours, theirs, difference, line.doubt)
        lines.append(tuple(Cell(str(text)) for text in texts))
    caption = (
        f"Mean ± standard deviation over seeds of {metric} on {scope} samples,"
        f" {_classes(rows)}, and the printed cell. The printed figures come with a graph that"
        " knows every label."
    )
    header = ("dataset", "noise", "method", "measured", "printed", "difference", "doubt")
    return Table("Printed and measured", caption, header, 3, tuple(lines))


def leak_table(rows: Any, metric: str = "acc", scope: str = "unlabelled") -> Table:
    """Return every method on the honest graph and on the graph of the released code, side by side.

    Parameters
    ----------
    rows : DataFrame
        Tidy rows of both, such as those of ``plans/leak.toml``; the only table that mixes them.
    metric, scope : str
        What is compared.
    """
    column = metric_column(metric, scope)
    if "leak" not in rows:
        raise ValueError("rows lack the column leak; read them with read_rows.")
    good = rows[rows["status"] == "ok"]
    if set(good["leak"]) != {"none", "authors"}:
        raise ValueError('rows with and without the leak are needed; run "plans/leak.toml".')
    settings = [name for name in names_of("subject", "condition") if name in good]
    if len(good[settings].drop_duplicates()) > len(good[["dataset", "method"]].drop_duplicates()):
        raise ValueError("the rows differ in more than the leak; give those of one setting.")
    pairs = good.groupby(["dataset", "method", "seed"])["leak"].transform("nunique")
    good = good[pairs == 2]  # draws on which both ended well
    lines = []
    parts = dict(list(good.groupby(["dataset", "method"])))
    for dataset, method in ordered(["dataset", "method"], list(parts)):
        part = parts[dataset, method]
        values = [part.loc[part["leak"] == leak, column] for leak in ("none", "authors")]
        texts = [f"{v.mean():.3f} ± {v.std(ddof=0):.3f}" for v in values]
        lines.append(tuple(Cell(text) for text in (dataset, method, *texts)))
    caption = (
        f"Mean ± standard deviation over {good['seed'].nunique()} seeds of {metric} on {scope}"
        " samples, on the same draws. In the graph of the released code every edge stays inside a"
        " true class, hidden or not."
    )
    header = ("dataset", "method", "honest graph", "graph of the released code")
    return Table("What the leak does", caption, header, 2, tuple(lines))


def _classes(rows: Any) -> str:
    numbers = sorted(set(rows["n_classes"].dropna()))
    return f"{' or '.join(f'{number:g}' for number in numbers) or 'all'} classes"
