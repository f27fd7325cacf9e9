"""How many of the paper's 672 printed cells are met, and which are not."""

from collections.abc import Iterable, Sequence

import pandas as pd

from ...metrics import METRICS
from .captions import features_sentences
from .met_cells import COMPARISONS, Measured, MetCell, compare_cells, measured_cells
from .number_texts import spread
from .published import OWN_METHODS
from .table_formats import Cell, Table

__all__ = ["PAPER_TABLES", "met_tables"]

PAPER_TABLES = {
    "tabclean1": "Table 4",
    "tabclean2": "Table 5",
    "tabclean3": "Table 6",
    "tabclean4": "Table 7",
    "tabnoise1": "Table 8",
}
"""The number that each of the paper's tables of results has in print."""


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
        groups.setdefault((cell.table, cell.noise), []).append(cell)
    body = [
        _count_line(PAPER_TABLES[table], f"{_noise(noise, measured)}: {_datasets(group)}", group)
        for (table, noise), group in groups.items()
    ]
    footer = [_count_line("All", "", cells)]
    for metric in dict.fromkeys(cell.metric for cell in cells):
        same = [cell for cell in cells if cell.metric == metric]
        footer.append(_count_line(METRICS[metric].short, "of all tables", same))
    own = [cell for cell in cells if cell.method in OWN_METHODS]
    footer.append(_count_line("RONMF", "printed for a variant of RONMF", own))
    doubtful = [cell for cell in cells if cell.theirs.doubt]
    footer.append(_count_line("Doubtful", "marked †", doubtful))
    doubts = dict.fromkeys(cell.theirs.doubt for cell in cells if cell.theirs.doubt)
    features = [f"{sentence}." for sentence in features_sentences(measured.rows)]
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
    return Table(title, " ".join(said), header, 2, tuple(body), tuple(footer))


def _count_line(table: str, what: str, cells: Sequence[MetCell]) -> tuple[Cell, ...]:
    """Return how many of some cells each comparison meets, of those that have rows."""
    counts = []
    for who in COMPARISONS:
        verdicts = [cell.met(who) for cell in cells]
        known = [verdict for verdict in verdicts if verdict is not None]
        lost = len(verdicts) - len(known)
        below = f"{lost} without rows" if lost and known else ""
        counts.append(Cell(f"{sum(known)} of {len(known)}" if known else "no rows", below))
    return (Cell(table), Cell(what), Cell(str(len(cells))), *counts)


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
    return Table(title, caption, header, 5, tuple(tuple(map(Cell, line)) for line in lines))


def _not_met_by_the_same(cells: Sequence[MetCell], measured: Measured) -> Table:
    lines = []
    for cell in cells:
        ours = cell.ours["same method"][1]
        gap = f"{round(ours.mean, 3) - cell.theirs.mean:+.3f}" if ours.n else ""
        lines.append((*_place(cell, measured), spread(ours), gap))
    header = (
        *("table", "noise", "dataset", "metric", "method"),
        *("printed", "measured", "difference"),
    )
    caption = (
        "Mean ± standard deviation over all samples of the same method. † Doubtful, see the counts."
    )
    title = f"{len(cells)} printed cells that the same method does not meet"
    return Table(title, caption, header, 5, tuple(tuple(map(Cell, line)) for line in lines))


def _place(cell: MetCell, measured: Measured) -> tuple[str, ...]:
    """Return where a cell is printed, and what."""
    mark = "†" * bool(cell.theirs.doubt)
    return (
        PAPER_TABLES[cell.table],
        _noise(cell.noise, measured),
        cell.dataset,
        METRICS[cell.metric].short,
        cell.method,
        f"{cell.theirs.mean:.3f} ± {cell.theirs.std:.3f}{mark}",
    )


def _named(cell: MetCell, who: str) -> tuple[str, str]:
    method, summary = cell.ours[who]
    return method, spread(summary)


def _noise(noise: str, measured: Measured) -> str:
    if noise == "none":
        return "clean"
    return f"{noise} {measured.levels[noise]:g}" if noise in measured.levels else noise


def _datasets(cells: Iterable[MetCell]) -> str:
    return ", ".join(dict.fromkeys(cell.dataset for cell in cells))


def _levels_said(measured: Measured) -> list[str]:
    if not measured.levels:
        return []
    levels = " and ".join(f"{noise} {level:g}" for noise, level in measured.levels.items())
    return [f"The paper gives no noise levels; {levels} stand for them."]
