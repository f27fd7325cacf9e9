"""Which of the paper's printed cells the rows meet: every cell beside what was measured for it.

A cell is met if the measured mean over all samples, in the three digits that are printed, is at
least the printed one. Only rows of the paper's setting count: six classes, 30 % labels, methods as
they come. The paper gives no level for its noises, so one level of each kind stands for it.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from ..running.settings import PAPER
from .published import OWN_METHODS, PrintedCell, printed, printed_metrics
from .selection import comparable, pixels_first, typical, unchanged
from .summaries import Summary, summarise_all

__all__ = ["COMPARISONS", "Measured", "MetCell", "compare_cells", "measured_cells"]

DEFAULT_METHOD = "RONMF-M"
COMPARISONS = ("RONMF", "best RONMF", "same method", "any method")
"""Who may meet a cell; the first is the variant it is printed for, RONMF-M for other methods."""

# The level that stands for a kind of noise: what common tools add unless told otherwise, and the
# photons of an 8-bit picture.
_USUAL = {"salt_pepper": 0.05, "poisson": 255.0}

_Key = tuple[str, str, str]  # noise, dataset, metric
_Found = tuple[str, Summary]


@dataclass(frozen=True)
class Measured:
    """What the rows have in the paper's setting.

    Attributes
    ----------
    rows : DataFrame
        The rows that count.
    levels : dict
        The level that stands for each kind of noise.
    cells : dict
        By noise, dataset and metric: methods and their results on all samples.
    """

    rows: pd.DataFrame
    levels: dict[str, float]
    cells: dict[_Key, dict[str, Summary]]


@dataclass(frozen=True)
class MetCell:
    """A printed cell, and what was measured for it.

    Attributes
    ----------
    table, noise, dataset, metric, method : str
        Its place in the paper, with our names.
    theirs : PrintedCell
        What is printed.
    ours : dict
        Method and result by the names of ``COMPARISONS``; without those that have no rows.
    """

    table: str
    noise: str
    dataset: str
    metric: str
    method: str
    theirs: PrintedCell
    ours: dict[str, _Found]

    def met(self, who: str) -> bool | None:
        """Return whether a comparison meets the cell; None without rows."""
        if who not in self.ours:
            return None
        return shown_mean(self.ours[who][1]) >= self.theirs.mean


def shown_mean(summary: Summary) -> float:
    """Return a mean as it is printed; that of runs some of which failed counts for nothing."""
    return float(f"{summary.mean:.3f}") if summary.n and not summary.failed else -math.inf


def measured_cells(rows: pd.DataFrame) -> Measured:
    """Return what the rows have in the paper's setting, on datasets and under noises it prints.

    Pixels count where a dataset ran as pixels and as features of a network.
    """
    table = printed()
    kept = unchanged(comparable(rows))
    same = [kept[name] == value for name, value in PAPER.items()]
    same += [kept["dataset"].isin(table["dataset"]), kept["noise"].isin(table["noise"])]
    kept = pixels_first(kept[np.logical_and.reduce(same)])
    if kept.empty:
        raise ValueError(
            "no rows of a dataset that the paper prints, with six classes and 30 % labels; run"
            " plans/paper.toml."
        )
    parts, levels = [], {}
    cells: dict[_Key, dict[str, Summary]] = {}
    for noise, part in kept.groupby("noise", sort=False):
        if noise != "none":
            levels[noise] = _nearest(part["noise_level"], _USUAL[noise])
            part = part[part["noise_level"] == levels[noise]]
        parts.append(typical(part))
        measures = [(metric, "all") for metric in printed_metrics()]
        found = summarise_all(parts[-1], ["dataset"], ["method"], measures)
        for (metric, _), summaries in found.items():
            for ((dataset,), (method,)), summary in summaries.items():
                cells.setdefault((noise, dataset, metric), {})[method] = summary
    return Measured(pd.concat(parts), levels, cells)


def _nearest(levels: pd.Series, usual: float) -> float:
    """Return the level nearest to the usual one, counted in factors."""
    return min(sorted(set(levels)), key=lambda level: abs(math.log(max(level, 1e-9) / usual)))


def compare_cells(measured: Measured) -> Iterator[MetCell]:
    """Yield every printed cell with the measured ones that may meet it."""
    for cell in printed().itertuples():
        found = measured.cells.get((cell.noise, cell.dataset, cell.metric), {})
        wanted = {
            "RONMF": [cell.method if cell.method in OWN_METHODS else DEFAULT_METHOD],
            "best RONMF": list(OWN_METHODS),
            "same method": [cell.method],
            "any method": list(found),
        }
        ours = {}
        for who, methods in wanted.items():
            there = [(method, found[method]) for method in methods if method in found]
            if there:
                ours[who] = max(there, key=lambda pair: shown_mean(pair[1]))
        yield MetCell(
            *(cell.table, cell.noise, cell.dataset, cell.metric, cell.method),
            PrintedCell(cell.mean, cell.std, cell.doubt),
            ours,
        )
