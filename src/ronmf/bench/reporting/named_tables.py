"""Every table by name, from all the rows of a folder: each takes those that it can show."""

from collections.abc import Callable
from functools import partial

import pandas as pd

from .accuracy_tables import best_printed_table, few_labels_table, noise_gain_table
from .clean_ranking import rank_table
from .level_table import level_table
from .met_tables import met_tables
from .printed_tables import leak_table, printed_table
from .same_graph_table import same_graph_table
from .selection import clean, noisy, unchanged, variants, varied
from .table_formats import Table
from .tables import clean_table, noise_table, type_table, wide_table

__all__ = ["METHOD_TABLES", "TABLES"]


def _clean(rows: pd.DataFrame, metric: str, scope: str, interval: bool = False) -> list[Table]:
    return [clean_table(clean(rows), metric, scope, interval=interval)]


def _paper(rows: pd.DataFrame, metric: str, scope: str, interval: bool = False) -> list[Table]:
    return [type_table(clean(rows), scope=scope, interval=interval)]


def _noise(rows: pd.DataFrame, metric: str, scope: str, interval: bool = False) -> list[Table]:
    return [noise_table(noisy(rows), metric, scope, interval=interval)]


def _levels(rows: pd.DataFrame, metric: str, scope: str, interval: bool = False) -> list[Table]:
    return [level_table(noisy(rows), metric, scope, interval=interval)]


def _ablation(rows: pd.DataFrame, metric: str, scope: str, interval: bool = False) -> list[Table]:
    sides = ["dataset", "method"], "variant"
    return [wide_table(variants(rows), *sides, metric, scope, interval=interval)]


def _by(
    setting: str, rows: pd.DataFrame, metric: str, scope: str, interval: bool = False
) -> list[Table]:
    sides = ["dataset", setting], "method"
    return [wide_table(varied(rows, setting), *sides, metric, scope, interval=interval)]


def _time(rows: pd.DataFrame, metric: str, scope: str, interval: bool = False) -> list[Table]:
    return [wide_table(clean(rows), "dataset", "method", "seconds", interval=interval)]


def _printed(rows: pd.DataFrame, metric: str, scope: str, interval: bool = False) -> list[Table]:
    _refuse(interval, "printed")
    parts = [clean(rows)] + ([noisy(rows)] if (rows["noise"] != "none").any() else [])
    return [printed_table(unchanged(part), metric, scope) for part in parts]


def _met(rows: pd.DataFrame, metric: str, scope: str, interval: bool = False) -> list[Table]:
    _refuse(interval, "met")
    return met_tables(rows)


def _leak(rows: pd.DataFrame, metric: str, scope: str, interval: bool = False) -> list[Table]:
    _refuse(interval, "leak")
    return [leak_table(rows, metric, scope)]


def _ranks(rows: pd.DataFrame, metric: str, scope: str, interval: bool = False) -> list[Table]:
    _refuse(interval, "ranks")
    return [rank_table(rows, metric, scope)]


def _refuse(interval: bool, name: str) -> None:
    if interval:
        raise ValueError(f"the table {name} shows no intervals; leave interval out.")


TABLES: dict[str, Callable[..., list[Table]]] = {
    "clean": _clean,
    "paper": _paper,
    "noise": _noise,
    "levels": _levels,
    "ablation": _ablation,
    "classes": partial(_by, "n_classes"),
    "labels": partial(_by, "label_rate"),
    "time": _time,
    "ranks": _ranks,
    "printed": _printed,
    "met": _met,
    "leak": _leak,
}
"""``TABLES[name](rows, metric, scope, interval=False)`` returns tables of all methods."""

METHOD_TABLES: dict[str, Callable[[pd.DataFrame, str], Table]] = {
    "best-printed": best_printed_table,
    "noise-gain": noise_gain_table,
    "few-labels": few_labels_table,
    "same-graph": same_graph_table,
}
"""``METHOD_TABLES[name](rows, method)`` returns one RONMF beside what it should beat."""
