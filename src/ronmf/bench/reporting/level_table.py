"""What noise costs on the mean of all datasets, level by level."""

import pandas as pd

from ...metrics import METRICS
from ..running.settings import SETTINGS
from .captions import caption
from .reading_order import ordered
from .summaries import summarise
from .table_formats import Table
from .table_lines import Line, average_line, heading_of, line_cells, make_table

__all__ = ["level_table"]


def level_table(
    rows: pd.DataFrame, metric: str = "acc", scope: str = "unlabelled", *, interval: bool = False
) -> Table:
    """Return noises and levels by methods, each cell the average over all datasets.

    Parameters
    ----------
    rows : DataFrame
        Tidy rows under noise, and without in the same setting.
    metric, scope, interval
        As in :func:`clean_table`.
    """
    index = ["noise", "noise_level", "dataset"]
    cells = summarise(rows, index, ["method"], metric, scope)
    heads = ordered(["method"], [head for _, head in cells])
    lines: dict[tuple, list[Line]] = {}
    for key in ordered(index, [key for key, _ in cells]):
        ours = {head: cells[key, head] for head in heads if (key, head) in cells}
        lines.setdefault(tuple(key[:2]), []).append(Line((), heading_of(key), ours, {}))
    body = [
        line_cells(
            average_line(tuple(heading_of((part,)) for part in level), members, heads),
            heads,
            metric,
            rank=True,
            interval=interval,
        )
        for level, members in lines.items()
    ]
    every = [line for members in lines.values() for line in members]
    text = caption(rows, every, heads, scope=scope, rank=True, averaged=True, interval=interval)
    names = ", ".join(name for (name,) in ordered(["dataset"], [(d,) for d in rows["dataset"]]))
    title = f"{METRICS[metric].short} under noise, average of {names}"
    return make_table(title, text, [SETTINGS[part].heading for part in index[:2]], heads, body, [])
