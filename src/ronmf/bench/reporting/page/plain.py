"""An account of the runs: how many, with which settings, of which methods, and what failed."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from ..captions import labels_text
from ..selection import datasets_of, in_order
from ..table import Cell, Table

__all__ = ["experiments_table", "failed_table", "overview", "runs_table"]

_VERSIONS = ("ronmf", "python", "numpy", "scipy", "sklearn")


def _plain(caption: str, header: Sequence[str], lines: Sequence[Sequence[Any]]) -> Table:
    """Return a table of values as they are written; the first column names the row."""
    cells = [[Cell(str(value)) for value in line] for line in lines]
    return Table("", caption, tuple(header), 1, cells, [])


def overview(rows: pd.DataFrame) -> Table:
    """Return how many runs there are, and with what they were made."""
    failed = int((rows["status"] != "ok").sum())
    versions = [
        f"{name} {' and '.join(sorted(set(rows[name].dropna().astype(str))))}"
        for name in _VERSIONS
        if name in rows
    ]
    facts = {
        "Runs": f"{len(rows)}, of which {failed} failed",
        "Datasets": ", ".join(datasets_of(rows)),
        "Methods": ", ".join(in_order(rows["method"])),
        "Draws": f"{rows['seed'].nunique()} seeds",
        "Total run time": _duration(float(rows["seconds"].sum())),
        "Versions": "; ".join(versions),
    }
    return _plain("All runs together.", ("what", "value"), list(facts.items()))


def experiments_table(rows: pd.DataFrame) -> Table:
    """Return the settings of each experiment of the plan."""
    lines = []
    for name, part in rows.groupby("experiment", sort=False):
        kinds = part.groupby("noise", sort=False)["noise_level"]
        noises = [kind if kind == "none" else f"{kind} {_list(levels)}" for kind, levels in kinds]
        facts = {
            "experiment": name,
            "runs": len(part),
            "failed": (part["status"] != "ok").sum(),
            "datasets": ", ".join(datasets_of(part)),
            "methods": ", ".join(in_order(part["method"])),
            "classes": _list(part["n_classes"]),
            "labels": labels_text(part),
            "noise": "; ".join(noises),
            "seeds": _list(part["seed"]),
        }
        lines.append(list(facts.values()))
    return _plain("Settings of each experiment of the plan.", list(facts), lines)


def failed_table(rows: pd.DataFrame) -> Table | None:
    """Return the failed runs by reason; None if none failed."""
    failed = rows[rows["status"] != "ok"]
    same = ["experiment", "dataset", "method", "reason"]
    groups = failed.fillna({"reason": ""}).groupby(same, sort=False)["seed"]
    lines = [(*key, len(seeds), _list(seeds)) for key, seeds in groups]
    return _plain("Failed runs by reason.", (*same, "runs", "seeds"), lines) if lines else None


def runs_table(rows: pd.DataFrame) -> Table:
    """Return how many runs each method has on each dataset, and how many of them ended well."""
    datasets = datasets_of(rows)
    good = (rows["status"] == "ok").groupby([rows["method"], rows["dataset"]]).agg(["sum", "size"])
    lines = []
    for method in in_order(rows["method"]):
        cells = [Cell(method)]
        for dataset in datasets:
            done, total = good.loc[(method, dataset)] if (method, dataset) in good.index else (0, 0)
            kind = "" if done == total else "part" if done else "bad"
            text = f"{total or '–'}" if done == total else f"{done} of {total}"
            cells.append(Cell(text, mark=kind))
        lines.append(cells)
    caption = "Runs by method and dataset; where some failed, how many of them ended well."
    return Table("", caption, ("method", *datasets), 1, lines, [])


def _list(values: pd.Series) -> str:
    """Return the distinct numbers in order, many whole ones as a range; a missing one means all.

    Examples
    --------
    >>> _list(pd.Series([3, 2, 4, 4])), _list(pd.Series([0.3, 0.1, None]))
    ('2–4', '0.1, 0.3, all')
    """
    numbers = sorted(set(values.dropna()))
    texts = [f"{value:g}" for value in numbers]
    if len(numbers) > 2 and numbers == list(range(int(numbers[0]), int(numbers[-1]) + 1)):
        texts = [f"{texts[0]}–{texts[-1]}"]
    return ", ".join(texts + ["all"] * bool(values.isna().any()))


def _duration(seconds: float) -> str:
    """Return seconds in words.

    Examples
    --------
    >>> _duration(3725.0)
    '1 h 2 min 5 s'
    """
    hours, rest = divmod(round(seconds), 3600)
    minutes, rest = divmod(rest, 60)
    parts = [f"{hours} h"] * (hours > 0) + [f"{minutes} min"] * (hours + minutes > 0)
    return " ".join([*parts, f"{rest} s"])
