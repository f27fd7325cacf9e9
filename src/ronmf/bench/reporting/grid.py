"""Means over seeds by row and column of a table, in reading order."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from ...datasets import CATALOG
from ...metrics import METRICS, SCOPES
from .._registry import METHODS
from ..running.settings import SETTINGS, names_of
from .summary import COSTS, Summary, average_of, half_width

__all__ = ["Grid", "Key", "heading_of", "metric_column", "ordered", "summarise"]

Key = tuple[Any, ...]
"""The values of some settings: a row or a column of a table."""


@dataclass(frozen=True)
class Grid:
    """Summaries by row and column, both in reading order.

    Attributes
    ----------
    rows, columns : list of Key
        What stands along the two sides.
    cells : dict
        The summaries by row and column; where nothing ran there is none.
    """

    rows: list[Key]
    columns: list[Key]
    cells: dict[tuple[Key, Key], Summary]

    def row(self, key: Key) -> dict[Key, Summary]:
        """Return the cells of a row by column."""
        return {c: self.cells[key, c] for c in self.columns if (key, c) in self.cells}

    def averaged(self, group: Callable[[Key], Key]) -> dict[Key, tuple[int, dict[Key, Summary]]]:
        """Return by group of rows how many rows it has, and the averages of its columns.

        A column has one only if every row of the group has a mean there: all averages are over
        the same rows.
        """
        groups: dict[Key, list[Key]] = {}
        for key in self.rows:
            groups.setdefault(group(key), []).append(key)
        found = {}
        for name, keys in groups.items():
            whole = {}
            for column in self.columns:
                cells = [self.cells.get((key, column)) for key in keys]
                if all(cell is not None and cell.n for cell in cells):
                    whole[column] = average_of([cell for cell in cells if cell is not None])
            found[name] = len(keys), whole
        return found


def metric_column(metric: str, scope: str) -> str:
    """Return the column that holds a metric.

    Parameters
    ----------
    metric : str
        A key of :data:`ronmf.metrics.METRICS`, or "seconds"; a cost has no scope.
    scope : {"unlabelled", "all"}
        Samples that are scored.

    Examples
    --------
    >>> metric_column("acc", "unlabelled"), metric_column("seconds", "all")
    ('acc_unlabelled', 'seconds')
    """
    for name, value, known in (("scope", scope, SCOPES), ("metric", metric, [*METRICS, *COSTS])):
        if value not in known:
            raise ValueError(f"{name}={value!r} is not known; use one of {', '.join(known)}.")
    return metric if metric in COSTS else f"{metric}_{scope}"


def summarise(
    rows: pd.DataFrame,
    index: Sequence[str],
    columns: Sequence[str],
    measures: Sequence[tuple[str, str]],
) -> dict[tuple[str, str], Grid]:
    """Return mean, deviation and counts of every cell, a grid for each metric and scope.

    Parameters
    ----------
    rows : DataFrame
        Comparable rows, selected: a cell must not mix two settings, nor may the methods of a row
        differ in what they were run on.
    index, columns : sequence of str
        Settings along the two sides of the table.
    measures : sequence of (metric, scope)
        See :func:`metric_column`.
    """
    keys = [*index, *columns]
    _refuse_mixtures(rows, list(index), keys)
    values = {measure: _values(rows, metric_column(*measure)) for measure in measures}
    seeds, fine = rows["seed"].to_numpy(), (rows["status"] == "ok").to_numpy()
    cells: dict[tuple[str, str], dict[Any, Summary]] = {measure: {} for measure in measures}
    groups = _named(rows)[keys].groupby(keys, sort=False).indices
    for parts, places in sorted(groups.items(), key=lambda group: group[1][0]):  # as they came
        parts = parts if isinstance(parts, tuple) else (parts,)
        key = parts[: len(index)], parts[len(index) :]
        good = places[fine[places]]
        for measure, numbers in values.items():
            found = numbers[good]
            std = float(found.std()) if len(found) > 1 else math.nan
            cells[measure][key] = Summary(
                mean=float(found.mean()) if len(found) else math.nan,
                std=std,
                n=len(found),
                failed=len(places) - len(good),
                seeds=frozenset(map(int, seeds[places])),
                half=half_width([std], [len(found)]),
            )
    sides = next(iter(cells.values()))
    left, top = (
        ordered(index, [key for key, _ in sides]),
        ordered(columns, [key for _, key in sides]),
    )
    return {measure: Grid(left, top, found) for measure, found in cells.items()}


def _refuse_mixtures(rows: pd.DataFrame, index: list[str], cell: list[str]) -> None:
    conditions = names_of("condition")
    for name in names_of("subject", "condition"):
        if name in rows and name not in cell:
            groups = rows.groupby(index if name in conditions else cell, dropna=False)[name]
            mixed = groups.nunique(dropna=False)
            if len(mixed) and mixed.max() > 1:
                place = mixed.idxmax()
                where = heading_of(place if isinstance(place, tuple) else (place,))
                raise ValueError(f"rows mixes several {name} at {where}; choose one experiment.")


def _values(rows: pd.DataFrame, column: str) -> np.ndarray:
    """Return a column of numbers; one may be missing only where the run failed."""
    if column not in rows or rows.loc[rows["status"] == "ok", column].isna().any():
        raise ValueError(
            f"{column} is missing in runs that did not fail; choose another metric or scope, or"
            " leave these runs out."
        )
    return rows[column].to_numpy(dtype=float, na_value=np.nan)


def _named(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows with "all" for an open number of classes or of samples per class."""
    counts = {
        name: rows[name].astype(object).where(np.isfinite(rows[name].astype(float)), word)
        for name, word in ((each.name, each.open_word) for each in SETTINGS.values())
        if word and name in rows
    }
    return rows.assign(**counts)


def heading_of(key: Sequence[Any]) -> str:
    """Return a key as a heading, without its empty parts."""
    parts = [f"{part:g}" if isinstance(part, float) else str(part) for part in key]
    return ", ".join(part for part in parts if part) or "unchanged"


def ordered(names: Sequence[str], keys: Sequence[Key]) -> list[Key]:
    """Return distinct keys in reading order.

    Methods follow the registry, datasets the catalog, numbers their size; anything else comes after
    those, as it came.

    Examples
    --------
    >>> ordered(["dataset", "label_rate"], [("yale", 0.3), ("yale", 0.1), ("umist", 0.1)])
    [('umist', 0.1), ('yale', 0.1), ('yale', 0.3)]
    """
    known = {"method": list(METHODS), "dataset": list(CATALOG)}
    seen: list[dict[Any, int]] = [
        {part: place for place, part in enumerate(dict.fromkeys(column))}
        for column in zip(*keys, strict=True)
    ]

    def place(name: str, part: Any, came: dict[Any, int]) -> tuple[int, float]:
        if part in known.get(name, ()):
            return -1, known[name].index(part)
        return (1, came[part]) if isinstance(part, str) else (0, float(part))

    return sorted(dict.fromkeys(keys), key=lambda key: [*map(place, names, key, seen)])
