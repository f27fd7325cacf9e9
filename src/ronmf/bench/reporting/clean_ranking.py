"""Ranks over datasets on clean data: of the methods that are opponents and ran everywhere."""

import pandas as pd

from .contestants import contestants
from .selection import clean, complete, metric_label
from .statistics import Ranking, rank_methods
from .summaries import summarise
from .table_formats import Cell, Table
from .table_lines import average_of

__all__ = ["clean_ranking", "left_out_sentences", "rank_table"]


def clean_ranking(rows: pd.DataFrame, metric: str = "acc_unlabelled") -> tuple[Ranking, list[str]]:
    """Return the ranking of methods over datasets on clean data, and what it leaves out.

    Parameters
    ----------
    rows : DataFrame
        Tidy rows. A method or dataset on which too little ran to compare is left out, and so are
        changes of a method that is there itself.
    metric : str, default="acc_unlabelled"
        Column to rank by.
    """
    metric_label(metric)
    kept, left_out = _opponents(rows)
    name, _, samples = metric.partition("_")
    return rank_methods(kept, name, samples), left_out


def rank_table(rows: pd.DataFrame, metric: str = "acc", scope: str = "unlabelled") -> Table:
    """Return methods by average rank over datasets, and which the tests tell from the first.

    Parameters
    ----------
    rows : DataFrame
        Tidy rows, as in :func:`clean_ranking`.
    metric : str, default="acc"
        A key of :data:`ronmf.metrics.METRICS`.
    scope : {"unlabelled", "all"}, default="unlabelled"
        Samples that are scored.
    """
    label = metric_label(f"{metric}_{scope}")
    kept, left_out = _opponents(rows)
    ranking = rank_methods(kept, metric, scope)
    cells = summarise(kept, ["dataset"], ["method"], metric, scope)
    best = ranking.average_ranks[0]
    body = []
    for method, rank in zip(ranking.methods, ranking.average_ranks, strict=True):
        mean = average_of([cell for (_, (name,)), cell in cells.items() if name == method]).mean
        told = "yes" if rank - best >= ranking.critical_difference else "no"
        line = (method, f"{rank:.2f}", f"{mean:.3f}", told if method != ranking.methods[0] else "")
        body.append(tuple(map(Cell, line)))
    header = ("method", "average rank", "mean score", f"told from {ranking.methods[0]}")
    said = [ranking.describe(), *left_out_sentences(left_out)]
    title = f"Ranks by {label} over {ranking.n_datasets} clean datasets"
    return Table(title, " ".join(said), header, 1, tuple(body))


def left_out_sentences(left_out: list[str]) -> list[str]:
    """Return what a ranking leaves out, in a sentence, or nothing."""
    names = ", ".join(left_out)
    return [f"Left out, changes of another method or not run everywhere: {names}."] * bool(names)


def _opponents(rows: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """Return clean rows of opponents that all met, and the names of those left out."""
    found = clean(rows)
    names = list(found["method"].unique())
    opponents = contestants(names)
    kept = found[found["method"].isin(opponents)]
    if kept["dataset"].nunique() < 2 or len(opponents) < 3:
        raise ValueError(
            "too few clean rows to rank; run a plan of at least 3 methods on 2 datasets."
        )
    kept, left_out = complete(kept)
    return kept, [*(name for name in names if name not in opponents), *left_out]
