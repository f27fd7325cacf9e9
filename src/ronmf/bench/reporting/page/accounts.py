"""An account of the runs: how many, with which settings, of which methods, and what failed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from ..captions import labels_text
from ..figures import datasets_of, in_order

__all__ = ["PlainTable", "experiments_table", "failed_table", "overview", "plain_table"]
__all__ += ["runs_table"]

_LONG = 25  # letters of a text that needs a wide column
_VERSIONS = ("ronmf", "python", "numpy", "scipy", "sklearn")


@dataclass(frozen=True)
class PlainTable:
    """A table of texts.

    Attributes
    ----------
    caption : str
        What it shows.
    header : tuple of str
        Column names; the first column names the row.
    lines : tuple of tuples of (str, str)
        Each cell's text and kind: "bad" and "part" for failed runs, "long" for a text, or "".
    """

    caption: str
    header: tuple[str, ...]
    lines: tuple[tuple[tuple[str, str], ...], ...]


def plain_table(caption: str, header: Sequence[str], lines: Sequence[Sequence[Any]]) -> PlainTable:
    """Return a table of values as they are written."""
    texts = [[" ".join(str(value).split()) for value in line] for line in lines]
    kinds = tuple(tuple((text, "long" * (len(text) > _LONG)) for text in line) for line in texts)
    return PlainTable(caption, tuple(header), kinds)


def overview(rows: pd.DataFrame) -> PlainTable:
    """Return how many runs there are, and with what they were made."""
    failed = int((rows["status"] != "ok").sum())
    facts = {
        "Runs": f"{len(rows)}, of which {failed} failed",
        "Datasets": ", ".join(datasets_of(rows)),
        "Methods": ", ".join(in_order(rows["method"])),
        "Draws": f"{rows['seed'].nunique()} seeds",
        "Total run time": _duration(float(rows["seconds"].sum())),
        "Versions": "; ".join(
            f"{name} {' and '.join(sorted(set(rows[name].dropna().astype(str))))}"
            for name in _VERSIONS
            if name in rows
        ),
    }
    return plain_table("All runs together.", ("what", "value"), list(facts.items()))


def experiments_table(rows: pd.DataFrame) -> PlainTable:
    """Return the settings of each experiment of the plan."""
    lines = []
    for name, part in rows.groupby("experiment", sort=False):
        kinds = part.groupby("noise", sort=False)["noise_level"]
        noises = [kind if kind == "none" else f"{kind} {_list(levels)}" for kind, levels in kinds]
        lines.append(
            (
                *(name, len(part), int((part["status"] != "ok").sum())),
                ", ".join(datasets_of(part)),
                ", ".join(in_order(part["method"])),
                *(_list(part["n_classes"]), labels_text(part)),
                *("; ".join(noises), _list(part["seed"])),
            )
        )
    header = (
        *("experiment", "runs", "failed", "datasets", "methods"),
        *("classes", "labels", "noise", "seeds"),
    )
    return plain_table("Settings of each experiment of the plan.", header, lines)


def failed_table(rows: pd.DataFrame) -> PlainTable | None:
    """Return the failed runs by reason; None if none failed."""
    failed = rows[rows["status"] != "ok"]
    if failed.empty:
        return None
    same = ["experiment", "dataset", "method", "reason"]
    groups = failed.fillna({"reason": ""}).groupby(same, sort=False)["seed"]
    lines = [(*key, len(seeds), _list(seeds)) for key, seeds in groups]
    return plain_table("Failed runs by reason.", (*same, "runs", "seeds"), lines)


def runs_table(rows: pd.DataFrame) -> PlainTable:
    """Return how many runs each method has on each dataset, and how many of them ended well."""
    datasets = datasets_of(rows)
    good = (rows["status"] == "ok").groupby([rows["method"], rows["dataset"]]).agg(["sum", "size"])
    lines = []
    for method in in_order(rows["method"]):
        cells = [(method, "")]
        for dataset in datasets:
            if (method, dataset) not in good.index:
                cells.append(("–", ""))
                continue
            done, total = good.loc[(method, dataset)]
            kind = "" if done == total else "part" if done else "bad"
            cells.append((f"{total}" if done == total else f"{done} of {total}", kind))
        lines.append(tuple(cells))
    caption = "Runs by method and dataset; where some failed, how many of them ended well."
    return PlainTable(caption, ("method", *datasets), tuple(lines))


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
