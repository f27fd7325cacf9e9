"""The paper's tables from tidy rows, with the printed cells beside ours.

Rows are selected by the caller and then all of them are in the table; a table that would mix two
experiments, or runs that saw hidden labels, is refused.
"""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from ...metrics import METRICS
from ..running.settings import SETTINGS
from .captions import caption
from .published import PrintedCell, printed_cell, printed_metrics
from .reading_order import ordered
from .summaries import COSTS, check_rows, check_score, refuse_variants, summarise, summarise_all
from .table_formats import Table, to_html, to_latex, to_markdown
from .table_lines import Line, average_line, heading_of, line_cells, make_table

__all__ = [
    "Table",
    "clean_table",
    "noise_table",
    "to_html",
    "to_latex",
    "to_markdown",
    "type_table",
    "wide_table",
]


def clean_table(
    rows: pd.DataFrame, metric: str = "acc", scope: str = "unlabelled", *, interval: bool = False
) -> Table:
    """Return datasets by methods on clean data.

    Parameters
    ----------
    rows : DataFrame
        Tidy rows without noise and variants, such as ``rows[rows.experiment == "clean"]``.
    metric : str, default="acc"
        A key of :data:`ronmf.metrics.METRICS`.
    scope : {"unlabelled", "all"}, default="unlabelled"
        Samples that are scored. On all samples, given labels count as found.
    interval : bool, default=False
        Whether the 95 % interval of each mean over draws is shown beside it.

    Returns
    -------
    Table
        A cell is mean ± deviation over seeds, below it the paper's cell; the last row averages.
    """
    title = f"{_title(metric)} on clean data"
    return _score_table(rows, ["dataset"], [metric], scope, title, interval)


def type_table(
    rows: pd.DataFrame,
    datasets: Sequence[str] | None = None,
    scope: str = "unlabelled",
    *,
    interval: bool = False,
) -> Table:
    """Return the paper's arrangement: for each dataset ACC, F1, NMI and PUR, by methods.

    Parameters
    ----------
    rows : DataFrame
        Tidy rows without noise and variants.
    datasets : sequence of str, default=None
        Datasets of the table, such as the paper's Type I ``["umist", "yale"]``; None for all.
    scope : {"unlabelled", "all"}, default="unlabelled"
        Samples that are scored.
    interval : bool, default=False
        As in :func:`clean_table`; the averages over metrics have none.
    """
    if datasets is not None:
        check_rows(rows, ["dataset"], ["method"])
        absent = [each for each in datasets if each not in set(rows["dataset"])]
        if absent:
            raise ValueError(f"datasets names {absent[0]!r}, which has no rows; run it first.")
        rows = rows[rows["dataset"].isin(list(datasets))]
    title = "Four metrics on clean data"
    return _score_table(rows, ["dataset"], printed_metrics(), scope, title, interval)


def noise_table(
    rows: pd.DataFrame, metric: str = "acc", scope: str = "unlabelled", *, interval: bool = False
) -> Table:
    """Return datasets, noises and levels by methods, with an average for each noise.

    Parameters
    ----------
    rows : DataFrame
        Tidy rows without variants, such as ``rows[rows.experiment == "noise"]``.
    metric, scope, interval
        As in :func:`clean_table`. The paper gives no level: a printed cell stands at every level
        of its noise.
    """
    index = ["noise", "dataset", "noise_level"]
    return _score_table(rows, index, [metric], scope, f"{_title(metric)} under noise", interval)


def wide_table(
    rows: pd.DataFrame,
    index: str | Sequence[str],
    columns: str | Sequence[str],
    metric: str = "acc",
    scope: str = "unlabelled",
    *,
    interval: bool = False,
) -> Table:
    """Return a table by any settings: variants, label rates, run time.

    Parameters
    ----------
    rows : DataFrame
        Tidy rows.
    index, columns : str or sequence of str
        Settings along the two sides: fields of :class:`~ronmf.bench.Run` such as "dataset",
        "method", "variant" or "n_classes".
    metric : str, default="acc"
        A key of :data:`ronmf.metrics.METRICS`, or a cost: "seconds", of which the lowest is best.
    scope : {"unlabelled", "all"}, default="unlabelled"
        Samples that are scored; costs have none.
    interval : bool, default=False
        As in :func:`clean_table`.

    Returns
    -------
    Table
        The best of a row is marked where methods or variants stand in the columns. Scores of more
        than one dataset, one per row, are averaged.
    """
    left = [index] if isinstance(index, str) else list(index)
    top = [columns] if isinstance(columns, str) else list(columns)
    if not left or not top or set(left) & set(top):
        raise ValueError("index and columns must each name a setting, and no setting twice.")
    cells = summarise(rows, left, top, metric, scope)
    heads = ordered(top, [key for _, key in cells])
    lines = [
        Line(
            _labels(key),
            heading_of(key),
            {h: cells[key, h] for h in heads if (key, h) in cells},
            {},
        )
        for key in ordered(left, [key for key, _ in cells])
    ]
    rank = bool({"method", "variant"} & set(top))
    averages = []
    if left == ["dataset"] and len(lines) > 1 and metric not in COSTS:
        average = average_line(("Average",), lines, heads)
        averages = [line_cells(average, heads, metric, rank=rank, interval=interval)]
    text = caption(
        rows,
        lines,
        heads,
        scope=None if metric in COSTS else scope,
        rank=rank,
        averaged=bool(averages),
        interval=interval,
    )
    *most, last = (SETTINGS[part].heading for part in [*left, *top])
    title = f"{_title(metric)} by {', '.join(most)} and {last}"
    body = [line_cells(line, heads, metric, rank=rank, interval=interval) for line in lines]
    return make_table(title, text, [SETTINGS[part].heading for part in left], heads, body, averages)


def _score_table(
    rows: pd.DataFrame,
    index: list[str],
    metrics: Sequence[str],
    scope: str,
    title: str,
    interval: bool,
) -> Table:
    """Return rows by `index` (and metric, if several), columns by method, printed cells below."""
    for metric in metrics:
        check_score(metric)
    measures = [(metric, scope) for metric in metrics]
    summaries = summarise_all(rows, index, ["method"], measures)
    found = {metric: summaries[metric, scope] for metric in metrics}
    refuse_variants(rows)
    noisy = "noise" in index
    if not noisy and set(rows["noise"]) != {"none"}:
        raise ValueError(
            "rows holds runs under noise; select rows[rows.noise == 'none'], or use noise_table."
        )
    cells = found[metrics[0]]
    heads = ordered(["method"], [head for _, head in cells])
    lines, groups = [], []
    for key in ordered(index, [key for key, _ in cells]):
        known = dict(zip(index, key, strict=True))
        for metric in metrics:
            ours = {h: found[metric][key, h] for h in heads if (key, h) in cells}
            theirs = _printed(known, metric, heads)
            label = (METRICS[metric].short,) if len(metrics) > 1 else ()
            lines.append(Line((*_labels(key), *label), heading_of(key), ours, theirs))
            groups.append(known.get("noise", ""))
    labels = [SETTINGS[part].heading for part in index] + (["metric"] if len(metrics) > 1 else [])
    footer = []
    for group in dict.fromkeys(groups):
        members = [line for line, at in zip(lines, groups, strict=True) if at == group]
        if len(members) > 1:
            text = f"Average, {group}" if noisy else "Average"
            filled = (text, *[""] * (len(labels) - 1))
            average = average_line(filled, members, heads)
            footer.append(line_cells(average, heads, metrics[0], rank=True, interval=interval))
    text = caption(
        rows, lines, heads, scope=scope, rank=True, averaged=bool(footer), interval=interval
    )
    body = [line_cells(line, heads, metrics[0], rank=True, interval=interval) for line in lines]
    return make_table(title, text, labels, heads, body, footer)


def _printed(
    known: dict[str, Any], metric: str, heads: Sequence[tuple[Any, ...]]
) -> dict[tuple[Any, ...], PrintedCell]:
    cells = {}
    for head in heads:
        cell = printed_cell(known["dataset"], known.get("noise", "none"), metric, head[0])
        if cell is not None:
            cells[head] = cell
    return cells


def _labels(key: tuple[Any, ...]) -> tuple[str, ...]:
    return tuple(heading_of((part,)) for part in key)


def _title(metric: str) -> str:
    return METRICS[metric].short if metric in METRICS else COSTS.get(metric, metric)
