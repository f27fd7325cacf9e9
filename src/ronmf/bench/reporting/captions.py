"""What stands over a table: seeds, labels, classes, features, marks, changes."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ..running.settings import LABELS, SETTINGS
from .grid import Grid, heading_of

__all__ = ["caption", "changes", "facts_of", "labels_text"]


def caption(
    rows: pd.DataFrame,
    grid: Grid,
    scope: str = "",
    *,
    rank: bool = True,
    averaged: bool = False,
    interval: bool = False,
    beside: Sequence[str] = (),
) -> str:
    """Return what a reader must know: seeds, labels, scope, marks.

    Parameters
    ----------
    rows : DataFrame
        The rows of the table.
    grid : Grid
        Its cells.
    scope : str
        Samples that are scored; "" for a cost.
    rank, averaged, interval : bool
        Whether the best are marked, averages are shown, intervals are shown.
    beside : sequence of str
        What to know of what stands beside the means.
    """
    said = [
        "Mean ± standard deviation over seeds (ddof = 0)" + f" on {scope} samples" * bool(scope)
    ]
    if interval:
        said.append(
            "In square brackets: 95 % interval of the mean over draws (Student's t), cut where no"
            " mean can be"
        )
    said += [_seeds(grid), *facts_of(rows)]
    if rank:
        said.append(
            "Bold: best of the row, underlined: second; equal printed numbers tie, cells with"
            " failed runs take no part"
        )
    if averaged:
        said.append("Averages: of means and of deviations; – where a row has no mean")
    changed = [
        f"{name} ({', '.join(f'{key}={value!r}' for key, value in values.items())})"
        for name, values in changes(rows)
    ]
    said += [*beside, *([f"Changed settings: {'; '.join(changed)}"] if changed else [])]
    return ". ".join(said) + "."


def changes(rows: pd.DataFrame) -> Iterable[tuple[str, dict[str, Any]]]:
    """Yield which parameters of which methods and variants were changed.

    Examples
    --------
    >>> rows = pd.DataFrame({"method": ["M", "E"], "variant": "without graph"})
    >>> list(changes(rows.assign(params='{"graph_weight": 0.0}')))
    [('without graph', {'graph_weight': 0.0})]
    """
    changed = rows[~rows["params"].isin(("", "{}"))]
    for (variant, text), part in changed.groupby(["variant", "params"], sort=False):
        shared = variant and set(part["method"]) == set(rows["method"])
        for method in [""] if shared else part["method"].unique():
            yield heading_of((method, variant)), json.loads(text)


def _seeds(grid: Grid) -> str:
    """Return how many runs a cell has, naming lines and cells with other seeds than most."""
    usual = _commonest(cell.seeds for cell in grid.cells.values())
    whole: dict[str, list[str]] = {}
    single: dict[tuple[str, str], list[str]] = {}
    for key in grid.rows:
        place, seeds = heading_of(key), {c: cell.seeds for c, cell in grid.row(key).items()}
        most = _commonest(seeds.values()) if len(seeds) > 1 else usual
        if most != usual:  # a line of its own kind
            whole.setdefault(_runs(most, usual), []).append(_one(place))
        for column, own in seeds.items():
            if own != most:
                single.setdefault((heading_of(column), _runs(own, usual)), []).append(_one(place))
    alike: dict[tuple[str, str], list[str]] = {}  # columns that differ in the same way
    for (head, count), places in single.items():
        alike.setdefault((", ".join(places), count), []).append(_one(head))
    other = [f"{count} at {', '.join(places)}" for count, places in whole.items()]
    other += [f"{', '.join(heads)} at {where} {count}" for (where, count), heads in alike.items()]
    return f"n = {len(usual)} runs per cell" + f", but {'; '.join(other)}" * bool(other)


def _commonest(seeds: Iterable[frozenset[int]]) -> frozenset[int]:
    return Counter(seeds).most_common(1)[0][0]


def _one(name: str) -> str:
    """Return a name such that several of them can be told apart in a list."""
    return f"({name})" if ", " in name else name


def _runs(seeds: frozenset[int], usual: frozenset[int]) -> str:
    other = len(seeds) == len(usual) and seeds != usual
    return f"n = {len(seeds)}{' of other seeds' * other}"


def facts_of(rows: pd.DataFrame) -> list[str]:
    """Return labels, classes and features of the runs in sentences."""
    labels, words = labels_text(rows), SETTINGS["n_classes"].phrase
    counts = {
        name: ", ".join("all" if np.isinf(k) else f"{k:g}" for k in sorted(set(part)))
        for name, part in rows.groupby("dataset", sort=False)["n_classes"]
    }
    classes = next(iter(counts.values()))
    if len(set(counts.values())) > 1:
        classes = f"of {'; '.join(f'{name} {text}' for name, text in counts.items())}"
    deep = rows.loc[rows["features"] != "", ["dataset", "features"]].drop_duplicates()
    network = SETTINGS["features"].phrase
    return [
        labels[:1].upper() + labels[1:],
        words[:1].upper() + words[1:].format(classes),
        *(f"{each.dataset} as {network.format(each.features)}" for each in deep.itertuples()),
    ]


def labels_text(rows: pd.DataFrame) -> str:
    """Return the shares and the numbers of labels of each class.

    Examples
    --------
    >>> labels_text(pd.DataFrame({"label_rate": [0.3, None], "labels_per_class": [None, 5]}))
    'label rate 0.3, 5 labels of each class'
    """
    said = []
    for column in LABELS:
        given = rows[column].astype(float) if column in rows else pd.Series(dtype=float)
        values = sorted(set(given[np.isfinite(given)]))
        if values:
            said.append(SETTINGS[column].phrase.format(", ".join(f"{v:g}" for v in values)))
    return ", ".join(said)
