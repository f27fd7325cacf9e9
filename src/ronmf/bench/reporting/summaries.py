"""Means over seeds, from tidy rows that are checked first: nothing is mixed, nothing is dropped."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from ...metrics import METRICS, SCOPES
from ..running.settings import SETTINGS, names_of
from .intervals import half_width
from .reading_order import named

__all__ = [
    "COSTS",
    "Summary",
    "check_rows",
    "check_score",
    "metric_column",
    "refuse_variants",
    "summarise",
    "summarise_all",
]

COSTS = {"seconds": "Run time in seconds"}
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
    half : float, default=nan
        Half of the 95 % interval of the mean over draws; NaN for a single run.
    """

    mean: float
    std: float
    n: int
    failed: int
    seeds: frozenset[int]
    half: float = float("nan")


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
    return summarise_all(rows, index, columns, [(metric, scope)])[metric, scope]


def summarise_all(
    rows: pd.DataFrame,
    index: Sequence[str],
    columns: Sequence[str],
    measures: Sequence[tuple[str, str]],
) -> dict[tuple[str, str], dict[tuple[tuple[Any, ...], tuple[Any, ...]], Summary]]:
    """Return the same for several metrics and scopes: rows are checked and grouped once.

    Parameters
    ----------
    rows, index, columns
        As in :func:`summarise`.
    measures : sequence of (metric, scope)
        See :func:`metric_column`.
    """
    check_rows(rows, index, columns)
    values = {measure: _values(rows, *measure) for measure in measures}
    keys = [*index, *columns]
    labelled = named(rows)[keys]
    codes = labelled.groupby(keys, sort=False).ngroup().to_numpy()
    order = np.argsort(codes, kind="stable")
    order = order[codes[order] >= 0]
    groups = np.split(order, np.flatnonzero(np.diff(codes[order])) + 1)
    places = labelled.to_numpy(dtype=object)
    seeds, fine = rows["seed"].to_numpy(), (rows["status"] == "ok").to_numpy()
    cells: dict[tuple[str, str], dict[Any, Summary]] = {measure: {} for measure in measures}
    for group in groups:
        parts = tuple(places[group[0]])
        key = parts[: len(index)], parts[len(index) :]
        good, among = group[fine[group]], frozenset(int(seed) for seed in seeds[group])
        for measure, numbers in values.items():
            found = numbers[good]
            std = float(found.std()) if len(found) > 1 else float("nan")
            cells[measure][key] = Summary(
                mean=float(found.mean()) if len(found) else float("nan"),
                std=std,
                n=len(found),
                failed=len(group) - len(good),
                seeds=among,
                half=half_width([std], [len(found)]),
            )
    return cells


def _values(rows: pd.DataFrame, metric: str, scope: str) -> np.ndarray:
    """Return a metric of every row; it may be missing only where the run failed."""
    column = metric_column(metric, scope)
    if column not in rows.columns:
        raise ValueError(f"rows has no column {column!r}; give the rows that read_rows returns.")
    unknown = rows[(rows["status"] == "ok") & rows[column].isna()]
    if len(unknown):
        raise ValueError(
            f"{column} is missing in {len(unknown)} runs that did not fail, the first of"
            f" {unknown.iloc[0]['method']} on {unknown.iloc[0]['dataset']}; choose another metric"
            " or scope, or leave these runs out."
        )
    return rows[column].to_numpy(dtype=float, na_value=np.nan)


def _key(key: Any) -> tuple[Any, ...]:
    return key if isinstance(key, tuple) else (key,)
