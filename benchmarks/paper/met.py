"""How many of the paper's 672 printed cells are met, and which are not.

A cell is met if the measured mean over all samples, in the three digits that are printed, is at
least the printed one. Only rows of the paper's setting count: six classes, 30 % labels, methods as
they come. The paper gives no level for its noises, so one level of each kind stands for it.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from published import METRICS_PRINTED, OWN_METHODS, printed

from ronmf.bench.reporting.captions import facts_of
from ronmf.bench.reporting.grid import summarise
from ronmf.bench.reporting.selection import typical, unchanged
from ronmf.bench.reporting.summary import Summary
from ronmf.bench.reporting.table import Cell, Table
from ronmf.bench.running.settings import PAPER
from ronmf.metrics import METRICS

PAPER_TABLES = {
    "tabclean1": "Table 4",
    "tabclean2": "Table 5",
    "tabclean3": "Table 6",
    "tabclean4": "Table 7",
    "tabnoise1": "Table 8",
}
"""The number that each of the paper's tables of results has in print."""

DEFAULT_METHOD = "RONMF-M"
COMPARISONS = ("RONMF", "best RONMF", "same method", "any method")
"""Who may meet a cell; the first is the variant it is printed for, RONMF-M for other methods."""

# The level that stands for a kind of noise: what common tools add unless told otherwise, and the
# photons of an 8-bit picture.
_USUAL = {"salt_pepper": 0.05, "poisson": 255.0}


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
    cells: dict[tuple[str, str, str], dict[str, Summary]]


@dataclass(frozen=True)
class MetCell:
    """A printed cell, and what was measured for it.

    Attributes
    ----------
    theirs : tuple
        A row of ``printed()``.
    ours : dict
        By comparison: the method that stands for it, and its result.
    """

    theirs: tuple
    ours: dict[str, tuple[str, Summary]]

    def met(self, who: str) -> bool | None:
        """Return whether the cell is met; None where nothing was measured."""
        return shown_mean(self.ours[who][1]) >= self.theirs.mean if who in self.ours else None


def shown_mean(summary: Summary) -> float:
    """Return a mean as it is printed; that of runs some of which failed counts for nothing."""
    mean = summary.competing("acc")
    return -math.inf if mean is None else mean


def pixels_first(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of pixels; of a dataset without such, those of a network's features."""
    pixels = rows["features"] == ""
    return rows[pixels | ~rows["dataset"].isin(rows.loc[pixels, "dataset"])]


def measured_cells(rows: pd.DataFrame) -> Measured:
    """Return what the rows have in the paper's setting, on datasets and under noises it prints.

    Pixels count where a dataset ran as pixels and as features of a network.
    """
    table = printed()
    kept = unchanged(rows)
    same = [kept[name] == value for name, value in PAPER.items()]
    same += [kept["dataset"].isin(table["dataset"]), kept["noise"].isin(table["noise"])]
    kept = pixels_first(kept[np.logical_and.reduce(same)])
    if kept.empty:
        raise ValueError(
            "no rows of a dataset that the paper prints, with six classes and 30 % labels; run"
            " plans/paper.toml."
        )
    parts, levels, cells = [], {}, {}
    for noise, part in kept.groupby("noise", sort=False):
        if noise != "none":
            levels[noise] = _nearest(part["noise_level"], _USUAL[noise])
            part = part[part["noise_level"] == levels[noise]]
        parts.append(typical(part, "noise", "noise_level"))
        measures = [(metric, "all") for metric in METRICS_PRINTED]
        for (metric, _), grid in summarise(parts[-1], ["dataset"], ["method"], measures).items():
            for ((dataset,), (method,)), summary in grid.cells.items():
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
        yield MetCell(cell, ours)


def met_tables(rows: pd.DataFrame) -> list[Table]:
    """Return how many printed cells are met and by whom, and lists of those that are not.

    Parameters
    ----------
    rows : DataFrame
        Tidy rows; those of the paper's setting count.

    Returns
    -------
    list of Table
        The counts; the cells that no RONMF meets; those that the same method does not meet. A list
        that would be empty is left out.
    """
    measured = measured_cells(rows)
    cells = list(compare_cells(measured))
    below = [cell for cell in cells if cell.met("best RONMF") is False]
    differ = [cell for cell in cells if cell.met("same method") is False]
    found = [_counts(cells, measured)]
    if below:
        found.append(_not_met_by_ronmf(below, measured))
    if differ:
        found.append(_not_met_by_the_same(differ, measured))
    return found


def _counts(cells: Sequence[MetCell], measured: Measured) -> Table:
    groups: dict[tuple[str, str], list[MetCell]] = {}
    for cell in cells:
        groups.setdefault((cell.theirs.table, cell.theirs.noise), []).append(cell)
    body = [
        _count_line(PAPER_TABLES[table], f"{_noise(noise, measured)}: {_datasets(group)}", group)
        for (table, noise), group in groups.items()
    ]
    footer = [_count_line("All", "", cells)]
    for metric in dict.fromkeys(cell.theirs.metric for cell in cells):
        same = [cell for cell in cells if cell.theirs.metric == metric]
        footer.append(_count_line(METRICS[metric].short, "of all tables", same))
    own = [cell for cell in cells if cell.theirs.method in OWN_METHODS]
    footer.append(_count_line("RONMF", "printed for a variant of RONMF", own))
    doubtful = [cell for cell in cells if cell.theirs.doubt]
    footer.append(_count_line("Doubtful", "marked †", doubtful))
    doubts = dict.fromkeys(cell.theirs.doubt for cell in cells if cell.theirs.doubt)
    features = [f"{sentence}." for sentence in facts_of(measured.rows)[2:]]
    said = [
        "A printed cell is met if the measured mean over all samples is at least the printed mean,"
        " in the three digits printed; a cell with failed runs is not met.",
        "RONMF: the variant the cell is printed for, RONMF-M for cells of other methods. Best"
        " RONMF: the best of RONMF-M, RONMF-S and RONMF-E. Any method: the best of all in the"
        " rows.",
        "Six classes, 30 % labels, methods as they come.",
        *features,
        *_levels_said(measured),
        "The printed figures come with a graph that knows every label.",
        *(f"† Doubtful, measured in one of two places at most: {doubt}." for doubt in doubts),
    ]
    header = ("table", "cells", "printed", *(f"met by {who}" for who in COMPARISONS))
    verdicts = [cell.met("best RONMF") for cell in cells]
    known = [verdict for verdict in verdicts if verdict is not None]
    title = f"RONMF meets {sum(known)} of {len(cells)} printed cells"
    if len(known) < len(cells):
        title += f", of which {len(cells) - len(known)} have no rows"
    return Table(title, " ".join(said), header, 2, body, footer)


def _count_line(table: str, what: str, cells: Sequence[MetCell]) -> list[Cell]:
    """Return how many of some cells each comparison meets, of those that have rows."""
    counts = []
    for who in COMPARISONS:
        verdicts = [cell.met(who) for cell in cells]
        known = [verdict for verdict in verdicts if verdict is not None]
        lost = len(verdicts) - len(known)
        below = f"{lost} without rows" if lost and known else ""
        counts.append(Cell(f"{sum(known)} of {len(known)}" if known else "no rows", below))
    return [Cell(table), Cell(what), Cell(str(len(cells))), *counts]


def _not_met_by_ronmf(cells: Sequence[MetCell], measured: Measured) -> Table:
    lines = [
        (*_place(cell, measured), *_named(cell, "best RONMF"), *_named(cell, "any method"))
        for cell in cells
    ]
    header = (
        *("table", "noise", "dataset", "metric", "printed for", "printed"),
        *("best RONMF", "measured", "best of any", "measured there"),
    )
    caption = (
        "Means ± standard deviations over all samples: what is printed, the best variant of RONMF,"
        " and the best method of all in the rows. † Doubtful, see the counts."
    )
    title = f"{len(cells)} printed cells that no variant of RONMF meets"
    return Table(title, caption, header, 5, [[*map(Cell, line)] for line in lines], [])


def _not_met_by_the_same(cells: Sequence[MetCell], measured: Measured) -> Table:
    lines = []
    for cell in cells:
        ours = cell.ours["same method"][1]
        gap = f"{round(ours.mean, 3) - cell.theirs.mean:+.3f}" if ours.n else ""
        lines.append((*_place(cell, measured), ours.text(), gap))
    header = (
        *("table", "noise", "dataset", "metric", "method"),
        *("printed", "measured", "difference"),
    )
    caption = (
        "Mean ± standard deviation over all samples of the same method. † Doubtful, see the counts."
    )
    title = f"{len(cells)} printed cells that the same method does not meet"
    return Table(title, caption, header, 5, [[*map(Cell, line)] for line in lines], [])


def _place(cell: MetCell, measured: Measured) -> tuple[str, ...]:
    """Return where a cell is printed, and what."""
    mark = "†" * bool(cell.theirs.doubt)
    return (
        PAPER_TABLES[cell.theirs.table],
        _noise(cell.theirs.noise, measured),
        cell.theirs.dataset,
        METRICS[cell.theirs.metric].short,
        cell.theirs.method,
        f"{cell.theirs.mean:.3f} ± {cell.theirs.std:.3f}{mark}",
    )


def _named(cell: MetCell, who: str) -> tuple[str, str]:
    method, summary = cell.ours[who]
    return method, summary.text()


def _noise(noise: str, measured: Measured) -> str:
    if noise == "none":
        return "clean"
    return f"{noise} {measured.levels[noise]:g}" if noise in measured.levels else noise


def _datasets(cells: Iterable[MetCell]) -> str:
    return ", ".join(dict.fromkeys(cell.theirs.dataset for cell in cells))


def _levels_said(measured: Measured) -> list[str]:
    if not measured.levels:
        return []
    levels = " and ".join(f"{noise} {level:g}" for noise, level in measured.levels.items())
    return [f"The paper gives no noise levels; {levels} stand for them."]
