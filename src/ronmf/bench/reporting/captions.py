"""What stands over a table: seeds, labels, classes, features, marks, doubts."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ..running.settings import LABELS, SETTINGS
from .reading_order import named, ordered
from .selection import parameters
from .table_lines import MISSING, Line, heading_of

__all__ = ["caption", "labels_text"]


def caption(
    rows: pd.DataFrame,
    lines: Sequence[Line],
    columns: Sequence[tuple[Any, ...]],
    *,
    scope: str | None,
    rank: bool,
    averaged: bool,
    interval: bool = False,
) -> str:
    """Return what a reader must know: seeds, labels, scope, marks, doubts.

    `scope` is None for a cost.
    """
    said = ["Mean ± standard deviation over seeds (ddof = 0)"]
    if scope:
        said[0] += " on unlabelled samples" if scope == "unlabelled" else " on all samples"
    if interval:
        said.append(
            "In square brackets: 95 % interval of the mean over draws (Student's t), cut where no"
            " mean can be"
        )
    said += [seeds_sentence(lines, columns)]
    labels = labels_text(rows)
    said.append(labels[:1].upper() + labels[1:])
    said.append(classes_sentence(rows))
    said += features_sentences(rows)
    if rank:
        said.append(
            "Bold: best of the row, underlined: second; equal printed numbers tie, cells with"
            " failed runs take no part"
        )
    if averaged:
        said.append(f"Averages: of means and of deviations; {MISSING} where a row has no mean")
    cells = [cell for line in lines for cell in line.printed.values()]
    if cells:
        said.append(
            "In brackets: printed in the paper, which does not say which samples it scores"
            + ("; averages computed from its cells" if averaged else "")
        )
    doubts = dict.fromkeys(cell.doubt for cell in cells if cell.doubt)
    said += [f"† Doubtful: {doubt}" for doubt in doubts]
    said += changes_sentences(rows)
    return ". ".join(said) + "."


def changes_sentences(rows: pd.DataFrame) -> list[str]:
    """Return which parameters of which methods and variants were changed, or nothing.

    Examples
    --------
    >>> rows = pd.DataFrame({"method": ["M", "E"], "variant": "without graph"})
    >>> changes_sentences(rows.assign(params='{"graph_weight": 0.0}'))
    ['Changed settings: without graph (graph_weight=0.0)']
    """
    changed = rows[rows["params"].map(parameters).astype(bool)]
    found = []
    for (variant, text), part in changed.groupby(["variant", "params"], sort=False):
        values = ", ".join(f"{name}={value!r}" for name, value in parameters(text).items())
        shared = variant and set(part["method"]) == set(rows["method"])
        names = (
            [variant]
            if shared
            else [heading_of((m, variant)) for m in dict.fromkeys(part["method"])]
        )
        found += [f"{name} ({values})" for name in names]
    return [f"Changed settings: {'; '.join(found)}"] * bool(found)


def seeds_sentence(lines: Sequence[Line], columns: Sequence[tuple[Any, ...]]) -> str:
    """Return how many runs a cell has, naming lines and cells with other seeds than most."""
    seeds = {
        line.place: {c: line.ours[c].seeds for c in columns if c in line.ours} for line in lines
    }
    usual = _commonest(own for cells in seeds.values() for own in cells.values())
    whole: dict[str, list[str]] = {}
    single: dict[tuple[str, str], list[str]] = {}
    for place, cells in seeds.items():
        most = _commonest(cells.values()) if len(cells) > 1 else usual
        if most != usual:  # a line of its own kind
            whole.setdefault(_runs(most, usual), []).append(_one(place))
        for column, own in cells.items():
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


def features_sentences(rows: pd.DataFrame) -> list[str]:
    """Return which datasets are no pixels but features of a network."""
    if "features" not in rows:
        return []
    deep = rows.loc[rows["features"].fillna("") != "", ["dataset", "features"]].drop_duplicates()
    words = SETTINGS["features"].phrase
    return [f"{each.dataset} as {words.format(each.features)}" for each in deep.itertuples()]


def classes_sentence(rows: pd.DataFrame) -> str:
    """Return how many classes the runs had."""
    groups = named(rows).groupby("dataset", sort=False)["n_classes"]
    counts = {
        key: heading_of([k for (k,) in ordered(["n_classes"], [(k,) for k in group])])
        for key, group in groups
    }
    if len(set(counts.values())) == 1:
        return SETTINGS["n_classes"].phrase.format(next(iter(counts.values()))).capitalize()
    return "Classes of " + "; ".join(f"{key} {text}" for key, text in counts.items())
