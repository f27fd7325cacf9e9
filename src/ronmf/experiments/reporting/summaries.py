"""Means over seeds, from tidy rows that are checked first: nothing is mixed, nothing is dropped."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from ...datasets import CATALOG
from ...metrics import METRICS, SCOPES
from ...registry import METHODS
from ..running.settings import SETTINGS, names_of

__all__ = [
    "COSTS",
    "Summary",
    "check_rows",
    "check_score",
    "metric_column",
    "named",
    "ordered",
    "refuse_variants",
    "summarise",
]

COSTS = {"seconds": "Run time in seconds", "peak_mb": "Peak memory in MB"}
"""Columns of the rows of which less is better, as a title."""

# All of a run's settings but the seed. The conditions must agree along a row of a table, or its
# methods would not compare; the rest must agree in a cell, or its mean would be of two things.
_CONDITIONS = names_of("condition")
_SETTINGS = names_of("subject", "condition")


@dataclass(frozen=True)
class Summary:
    """The runs of one cell.

    Attributes
    ----------
    mean, std : float
        Over the runs that succeeded (deviation with ddof = 0). NaN when none did; the deviation
        of a single run is NaN too, as 0 would claim a spread nobody measured.
    n, failed : int
        Runs that succeeded, runs that failed.
    seeds : frozenset of int
        Seeds of all of them.
    missing : int, default=0
        Runs that succeeded, but whose cost nobody could measure; they are not among the `n`.
    """

    mean: float
    std: float
    n: int
    failed: int
    seeds: frozenset[int]
    missing: int = 0


def metric_column(metric: str, scope: str) -> str:
    """Return the column that holds a metric.

    Parameters
    ----------
    metric : str
        A key of :data:`ronmf.metrics.METRICS`, "seconds" or "peak_mb"; these costs have no scope.
    scope : {"unlabelled", "all"}
        Samples that are scored.

    Examples
    --------
    >>> metric_column("acc", "unlabelled")
    'acc_unlabelled'
    >>> metric_column("seconds", "all")
    'seconds'
    """
    if scope not in SCOPES:
        known = " or ".join(map(repr, SCOPES))
        raise ValueError(f"scope={scope!r} is not known; use {known}.")
    if metric in COSTS:
        return metric
    if metric not in METRICS:
        known = ", ".join([*METRICS, *COSTS])
        raise ValueError(f"metric={metric!r} is not known; use one of {known}.")
    return f"{metric}_{scope}"


def check_rows(rows: pd.DataFrame, index: Sequence[str], columns: Sequence[str]) -> None:
    """Refuse rows that a table over `index` and `columns` would mix or count twice.

    Parameters
    ----------
    rows : DataFrame
        Tidy rows.
    index, columns : sequence of str
        Settings along the two sides of the table.
    """
    settings = [name for name in _SETTINGS if name in rows or not SETTINGS[name].optional]
    missing = [name for name in [*settings, "seed", "leak", "status"] if name not in rows.columns]
    if missing:
        raise ValueError(
            f"rows has no column {missing[0]!r}; give the rows that read_rows returns."
        )
    if rows.empty:
        raise ValueError("rows is empty; select at least one run.")
    for name in [*index, *columns]:
        if name not in settings:
            known = ", ".join(settings)
            raise ValueError(f"{name!r} is not a setting to make a table by; use one of {known}.")
    leaks = sorted(set(rows["leak"]) - {"none"})
    if leaks:
        raise ValueError(
            f"rows holds runs of leak={leaks[0]!r}, which saw hidden labels and compare with"
            " nothing else; select rows[rows.leak == 'none']."
        )
    odd = sorted(set(rows["status"].astype(str)) - {"ok", "failed"})
    if odd:
        raise ValueError(f"rows holds the status {odd[0]!r}; it must be 'ok' or 'failed'.")
    twice = rows[rows.duplicated([*settings, "seed"])]
    if len(twice):
        run = ", ".join(f"{k}={twice.iloc[0][k]}" for k in ("dataset", "method", "seed"))
        raise ValueError(
            f"rows holds {len(twice)} runs twice, the first {run}; select one experiment,"
            " or remove the duplicates."
        )
    cell = [*index, *columns]
    for name in settings:
        if name not in cell:
            _same(rows, list(index) if name in _CONDITIONS else cell, name)


def _same(rows: pd.DataFrame, keys: list[str], name: str) -> None:
    """Refuse a group of rows with two values of a setting."""
    for key, group in rows.groupby(keys, sort=False, dropna=False):
        values = group[name].unique().tolist()
        if len(values) > 1:
            place = ", ".join(f"{k}={v}" for k, v in zip(keys, _key(key), strict=True))
            raise ValueError(
                f"rows mixes {name} {values[0]!r} and {values[1]!r} at {place}; select one of"
                f" them, or make the table by {name} too."
            )


def check_score(metric: str) -> None:
    """Refuse what is not a score: a cost, or nothing at all."""
    if metric not in METRICS:
        raise ValueError(f"metric={metric!r} is not a score; use one of {', '.join(METRICS)}.")


def refuse_variants(rows: pd.DataFrame) -> None:
    """Refuse changed methods where a method's own name stands for it."""
    changed = rows.loc[rows["variant"] != "", "variant"]
    if len(changed):
        raise ValueError(
            f"rows holds the variant {changed.iloc[0]!r}; select rows[rows.variant == ''],"
            " or use wide_table."
        )


def summarise(
    rows: pd.DataFrame,
    index: Sequence[str],
    columns: Sequence[str],
    metric: str,
    scope: str,
) -> dict[tuple[tuple[Any, ...], tuple[Any, ...]], Summary]:
    """Return mean, deviation and counts of every cell, by its keys along the two sides.

    Parameters
    ----------
    rows : DataFrame
        Tidy rows, checked by :func:`check_rows`.
    index, columns : sequence of str
        Settings along the two sides of the table.
    metric, scope : str
        See :func:`metric_column`.
    """
    check_rows(rows, index, columns)
    column = metric_column(metric, scope)
    if column not in rows.columns:
        raise ValueError(f"rows has no column {column!r}; give the rows that read_rows returns.")
    fine = rows["status"] == "ok"
    unknown = rows[fine & rows[column].isna()]
    if len(unknown) and metric not in COSTS:
        raise ValueError(
            f"{column} is missing in {len(unknown)} runs that did not fail, the first of"
            f" {unknown.iloc[0]['method']} on {unknown.iloc[0]['dataset']}; choose another metric"
            " or scope, or leave these runs out."
        )
    cells = {}
    for key, group in named(rows).groupby([*index, *columns], sort=False):
        found = group.loc[group["status"] == "ok", column].astype(float)
        values = found.dropna()
        parts = _key(key)
        cells[parts[: len(index)], parts[len(index) :]] = Summary(
            mean=float(values.mean()),
            std=float(values.std(ddof=0)) if len(values) > 1 else float("nan"),
            n=len(values),
            failed=len(group) - len(found),
            seeds=frozenset(int(seed) for seed in group["seed"]),
            missing=len(found) - len(values),
        )
    return cells


def named(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows with "all" for an open number of classes or of samples per class.

    It is missing, or infinite where rows have been made comparable.
    """
    counts = {
        name: rows[name].astype(object).where(np.isfinite(rows[name].astype(float)), word)
        for name, word in ((each.name, each.open_word) for each in SETTINGS.values())
        if word and name in rows
    }
    return rows.assign(**counts)


def ordered(names: Sequence[str], keys: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Return distinct keys in reading order.

    Methods follow the registry, datasets the catalog, numbers their size; anything else comes after
    those, as it came.

    Examples
    --------
    >>> ordered(["dataset", "label_rate"], [("yale", 0.3), ("yale", 0.1), ("umist", 0.1)])
    [('umist', 0.1), ('yale', 0.1), ('yale', 0.3)]
    """
    known: dict[str, Sequence[str]] = {"method": list(METHODS), "dataset": list(CATALOG)}
    seen: list[dict[Any, int]] = [{} for _ in names]
    for key in keys:
        for places, part in zip(seen, key, strict=True):
            places.setdefault(part, len(places))

    def place(key: tuple[Any, ...]) -> list[tuple[float, float]]:
        result = []
        for name, places, part in zip(names, seen, key, strict=True):
            first = known.get(name, ())
            if part in first:
                result.append((-1.0, float(first.index(part))))
            elif isinstance(part, str):
                result.append((1.0, float(places[part])))
            else:
                result.append((0.0, float(part)))
        return result

    return sorted(dict.fromkeys(keys), key=place)


def _key(key: Any) -> tuple[Any, ...]:
    return key if isinstance(key, tuple) else (key,)
