"""Tables of this paper: results with the printed cells beside them, and what they come to.

    python benchmarks/paper/tables.py RESULTS TABLE [-o FILE]

RESULTS is a folder of rows, such as results/paper. The tables of ``ronmf bench table`` have the
printed cells below ours. Further ones:

paper         for each dataset ACC, F1, NMI and PUR, as the paper arranges them
printed       a line for every printed cell: ours, theirs, the difference
met           how many of the 672 printed cells are met, and which are not
leak          every method on the honest graph and on that of the released code
best-printed  one RONMF (-m) beside the best printed cell of any method
noise-gain    beside propagation on the graph of the noisy pixels
few-labels    beside all other methods, by labels of each class
same-graph    beside propagation on the graph that RONMF chose, with tests over seeds
"""

import argparse
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from math import fsum
from pathlib import Path

import pandas as pd
from comparisons import (
    best_printed_table,
    few_labels_table,
    noise_gain_table,
    same_graph_table,
)
from met import met_tables
from published import METRICS_PRINTED, as_reference

from ronmf import bench
from ronmf.bench import TABLES, Table
from ronmf.bench.reporting.grid import metric_column, ordered, summarise
from ronmf.bench.reporting.selection import clean, noisy
from ronmf.bench.reporting.table import Cell
from ronmf.bench.reporting.tables import line_of
from ronmf.bench.running.settings import names_of
from ronmf.metrics import METRICS, SCOPES
from ronmf.system.files import whole_file, writable


def type_table(rows: pd.DataFrame, scope: str = "unlabelled", interval: bool = False) -> Table:
    """Return the paper's arrangement: for each dataset ACC, F1, NMI and PUR, by methods."""
    parts = {
        metric: TABLES["clean"](rows, metric, scope, interval=interval, reference=as_reference())
        for metric in METRICS_PRINTED
    }
    first = parts["acc"]
    body = [
        [line[0], Cell(METRICS[metric].short), *line[1:]]
        for lines in zip(*(part.rows for part in parts.values()), strict=True)
        for metric, line in zip(parts, lines, strict=True)
    ]
    measures = [(metric, scope) for metric in parts]
    grids = summarise(clean(rows), ["dataset"], ["method"], measures)
    averages = [grid.averaged(lambda _: ())[()][1] for grid in grids.values()]
    heads, keys = grids["acc", scope].columns, grids["acc", scope].rows
    total = {
        head: replace(
            cell,  # runs count once, however many metrics they have
            mean=fsum(cells[head].mean for cells in averages) / len(averages),
            std=fsum(cells[head].std for cells in averages) / len(averages),
        )
        for head, cell in averages[0].items()
    }
    below = [
        as_reference().below([(key, "none", m, head[0]) for (key,) in keys for m in parts])
        for head in heads
    ]
    footer = [line_of(("Average", ""), total, heads, "acc", below=below)]
    header = (first.header[0], "metric", *first.header[1:])
    return Table("Four metrics on clean data", first.caption, header, 2, body, footer)


def printed_table(rows: pd.DataFrame, metric: str = "acc", scope: str = "all") -> Table:
    """Return a line for every printed cell that the rows measure: ours, theirs, the difference.

    The paper scores all samples, or does not say.
    """
    index = ["dataset", "noise", "noise_level"]
    grid = summarise(rows, index, ["method"], [(metric, scope)])[metric, scope]
    cells, lines = as_reference().cells, []
    for (dataset, noise, level), (method,) in product(grid.rows, grid.columns):
        ours = grid.cells.get(((dataset, noise, level), (method,)))
        theirs = cells.get((dataset, noise, metric, method))
        if ours is None or theirs is None:
            continue
        mean, std, doubt = theirs
        where = noise if noise == "none" else f"{noise} {level:g}"
        measured, difference = "failed", ""
        if ours.n:
            measured = f"{ours.mean:.3f} ± {ours.std:.3f}"
            difference = f"{ours.mean - mean:+.3f}"
        value = f"{mean:.3f} ± {std:.3f}"
        lines.append([*map(Cell, (dataset, where, method, measured, value, difference, doubt))])
    if not lines:
        raise ValueError(f"no row has a printed {metric}; run a plan with the paper's datasets.")
    numbers = sorted(k for k in set(rows["n_classes"]) if k < float("inf"))
    classes = f"{' or '.join(f'{number:g}' for number in numbers) or 'all'} classes"
    caption = (
        f"Mean ± standard deviation over seeds of {metric} on {scope} samples, {classes}, and the"
        " printed cell. The printed figures come with a graph that knows every label."
    )
    header = ("dataset", "noise", "method", "measured", "printed", "difference", "doubt")
    return Table("Printed and measured", caption, header, 3, lines, [])


def leak_table(rows: pd.DataFrame, metric: str = "acc", scope: str = "unlabelled") -> Table:
    """Return every method on the honest graph and on the graph of the released code, side by side.

    It takes rows of both, such as those of ``plans/leak.toml``: the only table that mixes them.
    """
    column = metric_column(metric, scope)
    good = rows[rows["status"] == "ok"]
    if set(good["leak"]) != {"none", "authors"}:
        raise ValueError('rows with and without the leak are needed; run "plans/leak.toml".')
    settings = [name for name in names_of("subject", "condition") if name in good]
    if len(good[settings].drop_duplicates()) > len(good[["dataset", "method"]].drop_duplicates()):
        raise ValueError("the rows differ in more than the leak; give those of one setting.")
    pairs = good.groupby(["dataset", "method", "seed"])["leak"].transform("nunique")
    good = good[pairs == 2]  # draws on which both ended well
    parts, lines = dict(list(good.groupby(["dataset", "method"]))), []
    for place in ordered(["dataset", "method"], list(parts)):
        part = parts[place]
        values = [part.loc[part["leak"] == leak, column] for leak in ("none", "authors")]
        texts = [f"{v.mean():.3f} ± {v.std(ddof=0):.3f}" for v in values]
        lines.append([*map(Cell, (*place, *texts))])
    caption = (
        f"Mean ± standard deviation over {good['seed'].nunique()} seeds of {metric} on {scope}"
        " samples, on the same draws. In the graph of the released code every edge stays inside a"
        " true class, hidden or not."
    )
    header = ("dataset", "method", "honest graph", "graph of the released code")
    return Table("What the leak does", caption, header, 2, lines, [])


def _printed(rows: pd.DataFrame, metric: str, scope: str) -> list[Table]:
    parts = [clean(rows)] + ([noisy(rows)] if (rows["noise"] != "none").any() else [])
    return [printed_table(part, metric, scope) for part in parts]


SCORES: dict[str, Callable[..., list[Table]]] = {
    "printed": _printed,
    "met": lambda rows, *_: met_tables(rows),
    "leak": lambda *scored: [leak_table(*scored)],
}
"""Tables of all methods, without intervals."""

OF_ONE: dict[str, Callable[..., Table]] = {
    "best-printed": best_printed_table,
    "noise-gain": noise_gain_table,
    "few-labels": few_labels_table,
    "same-graph": same_graph_table,
}
"""Tables of one RONMF."""

TABLE_NAMES = [*TABLES, "paper", *SCORES, *OF_ONE]


def make(rows: pd.DataFrame, name: str, asked: argparse.Namespace) -> list[Table]:
    """Return what a table consists of."""
    if name in OF_ONE:
        return [OF_ONE[name](rows, asked.method)]
    if name in SCORES:
        return SCORES[name](rows, asked.metric, asked.scope)
    if name == "paper":
        return [type_table(rows, asked.scope, asked.interval)]
    facts = {"interval": asked.interval, "reference": as_reference()}
    return [TABLES[name](rows, asked.metric, asked.scope, **facts)]


def main() -> None:
    text, _, names = (__doc__ or "").partition("\n\n")
    parser = argparse.ArgumentParser(
        description=text, epilog=names, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("results", type=Path, help="folder of rows")
    parser.add_argument("table", choices=TABLE_NAMES)
    parser.add_argument("--metric", default="acc", choices=METRICS)
    parser.add_argument("--scope", default="unlabelled", choices=SCOPES)
    parser.add_argument("-e", "--experiment", action="append", help="only this; may be repeated")
    parser.add_argument("-d", "--dataset", action="append", help="only this; may be repeated")
    parser.add_argument("-m", "--method", default="RONMF-M", help="of tables of one RONMF")
    parser.add_argument("--interval", action="store_true", help="the 95 %% interval of each mean")
    parser.add_argument("--format", default="markdown", choices=["markdown", "latex", "html"])
    parser.add_argument("-o", "--out", type=Path, help="write here")
    asked = parser.parse_args()
    try:
        rows = bench.read_rows(asked.results)
        for column in ("experiment", "dataset"):
            for name in getattr(asked, column) or ():
                if name not in set(rows[column]):
                    there = ", ".join(sorted(set(rows[column])))
                    raise ValueError(f"--{column} {name!r} has no rows; there are {there}.")
            if chosen := getattr(asked, column):
                rows = rows[rows[column].isin(chosen)]
        tables = make(rows, asked.table, asked)
        text = "\n\n".join(getattr(table, f"to_{asked.format}")() for table in tables)
        if asked.out is None:
            print(text)
        else:
            with whole_file(writable(asked.out)) as part:
                part.write_text(f"{text}\n", encoding="utf-8")
            print(f"Wrote {asked.out}.")
    except (ValueError, OSError) as error:
        parser.exit(2, f"Error: {error}\n")


if __name__ == "__main__":
    main()
