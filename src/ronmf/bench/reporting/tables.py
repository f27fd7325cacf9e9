"""Every table by name, from all the rows of a folder: each takes those that it can show."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd

from ...metrics import METRICS
from ..running.settings import SETTINGS
from .captions import caption
from .grid import Key, heading_of, summarise
from .ranking import rank_methods
from .reference import Reference
from .selection import clean, datasets_of, metric_label, noisy, variants, varied
from .summary import COSTS, Summary, marks
from .table import Cell, Table

__all__ = ["MISSING", "TABLES", "line_of"]

MISSING = "–"


@dataclass(frozen=True)
class _Layout:
    """What a table shows.

    Attributes
    ----------
    select : callable
        Takes the rows that it can show.
    index, columns : tuple of str
        Settings along the two sides.
    title : str
        Its title after the metric; "{datasets}" are their names. By default the settings.
    group : callable or None
        The labels of the average that a row, by its key, takes part in.
    averages_only : bool
        Whether the averages are the rows of the table, not its footer.
    cost : str
        A cost that is shown whatever metric is chosen.
    beside : bool
        Whether a reference can stand beside it.
    """

    select: Callable[[pd.DataFrame], pd.DataFrame]
    index: tuple[str, ...]
    columns: tuple[str, ...] = ("method",)
    title: str = ""
    group: Callable[[Key], Key] | None = None
    averages_only: bool = False
    cost: str = ""
    beside: bool = False


def _make(
    layout: _Layout,
    rows: pd.DataFrame,
    metric: str = "acc",
    scope: str = "unlabelled",
    *,
    interval: bool = False,
    reference: Reference | None = None,
) -> Table:
    rows, metric = layout.select(rows), layout.cost or metric
    reference = reference if layout.beside else None
    index, columns, group = layout.index, layout.columns, layout.group
    grid = summarise(rows, index, columns, [(metric, scope)])[metric, scope]
    places = {key: [_place(index, key, metric, c) for c in grid.columns] for key in grid.rows}

    def line(labels: Sequence[str], cells: dict[Key, Summary], keys: list[Key]) -> list[Cell]:
        columns = zip(*(places[key] for key in keys), strict=True)
        below = [reference.below(column) for column in columns] if reference else []
        return line_of(labels, cells, grid.columns, metric, interval=interval, below=below)

    body = [line([heading_of((part,)) for part in key], grid.row(key), [key]) for key in grid.rows]
    footer, names = [], [SETTINGS[part].heading for part in index]
    for labels, (n, cells) in grid.averaged(group).items() if group else ():
        keys = [key for key in grid.rows if group and group(key) == labels]
        if n > 1 or layout.averages_only:
            footer.append(line(labels, cells, keys))
    every, averaged = [place for line in places.values() for place in line], bool(footer)
    beside = reference.sentences(every, averaged=averaged) if reference else []
    samples = "" if metric in COSTS else scope
    text = caption(rows, grid, samples, averaged=averaged, interval=interval, beside=beside)
    if layout.averages_only:
        body, footer, names = footer, [], names[: len(footer[0]) - len(grid.columns)]
    *most, last = (SETTINGS[part].heading for part in (*index, *columns))
    title = layout.title.format(datasets=", ".join(datasets_of(rows)))
    title = title or f"by {', '.join(most)} and {last}"
    short = COSTS[metric] if metric in COSTS else METRICS[metric].short
    header = (*names, *map(heading_of, grid.columns))
    return Table(f"{short} {title}", text, header, len(names), body, footer)


def line_of(
    labels: Sequence[str],
    cells: dict[Key, Summary],
    columns: Sequence[Key],
    metric: str,
    *,
    interval: bool = False,
    below: Sequence[str] = (),
) -> list[Cell]:
    """Return the cells of a row; its best and second best are marked."""
    texts = [cells[c].text(metric, interval) if c in cells else MISSING for c in columns]
    values = [cells[c].competing(metric) if c in cells else None for c in columns]
    found = marks(values, lowest=metric in COSTS)
    below = below or [""] * len(texts)
    return [*map(Cell, labels), *map(Cell, texts, below, found)]


def _place(index: Sequence[str], key: Key, metric: str, column: Key) -> tuple[str, str, str, str]:
    """Return where a cell stands in a reference."""
    known: dict[str, Any] = {"noise": "none", **dict(zip(index, key, strict=True))}
    return known["dataset"], known["noise"], metric, column[0]


def _by(setting: str) -> _Layout:
    return _Layout(partial(varied, setting=setting), ("dataset", setting))


def _ranks(
    rows: pd.DataFrame, metric: str = "acc", scope: str = "unlabelled", **refused: Any
) -> Table:
    """Return methods by average rank over datasets, and which the tests tell from the first.

    Parameters
    ----------
    rows, metric, scope
        As in :func:`rank_methods`.
    **refused
        Of other tables; intervals are refused.
    """
    if refused.get("interval"):
        raise ValueError("the table ranks shows no intervals; leave interval out.")
    ranking = rank_methods(rows, metric, scope)
    kept = clean(rows)
    kept = kept[kept["method"].isin(ranking.methods) & kept["dataset"].isin(ranking.datasets)]
    grid = summarise(kept, ["dataset"], ["method"], [(metric, scope)])[metric, scope]
    ((_, means),) = grid.averaged(lambda _: ()).values()
    first, best = ranking.methods[0], ranking.average_ranks[0]
    body = []
    for method, rank in zip(ranking.methods, ranking.average_ranks, strict=True):
        far = "yes" if rank - best >= ranking.critical_difference else "no"
        texts = (
            method,
            f"{rank:.2f}",
            f"{means[(method,)].mean:.3f}",
            far if method != first else "",
        )
        body.append([*map(Cell, texts)])
    label = metric_label(f"{metric}_{scope}")
    title = f"Ranks by {label} over {len(ranking.datasets)} clean datasets"
    header = ("method", "average rank", "mean score", f"told from {first}")
    return Table(title, ranking.describe(), header, 1, body, [])


_LAYOUTS = {
    "clean": _Layout(
        clean, ("dataset",), title="on clean data", group=lambda _: ("Average",), beside=True
    ),
    "noise": _Layout(
        noisy,
        ("noise", "dataset", "noise_level"),
        title="under noise",
        group=lambda key: (f"Average, {key[0]}", "", ""),
        beside=True,
    ),
    "levels": _Layout(
        noisy,
        ("noise", "noise_level", "dataset"),
        title="under noise, average of {datasets}",
        group=lambda key: tuple(heading_of((part,)) for part in key[:2]),
        averages_only=True,
    ),
    "ablation": _Layout(variants, ("dataset", "method"), ("variant",)),
    "classes": _by("n_classes"),
    "labels": _by("label_rate"),
    "time": _Layout(clean, ("dataset",), cost="seconds"),
}

TABLES: dict[str, Callable[..., Table]] = {
    **{name: partial(_make, layout) for name, layout in _LAYOUTS.items()},
    "ranks": _ranks,
}
"""``TABLES[name](rows, metric="acc", scope="unlabelled", interval=False)`` returns a table."""
