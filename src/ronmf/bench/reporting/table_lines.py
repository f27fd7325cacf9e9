"""From summaries to a table: rows, averages, headings."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from .intervals import half_width
from .number_texts import marks, ranked, spread
from .published import PrintedCell
from .summaries import COSTS, Summary
from .table_formats import Cell, Table

__all__ = [
    "MISSING",
    "Line",
    "average_line",
    "average_of",
    "heading_of",
    "line_cells",
    "make_table",
]

MISSING = "–"


@dataclass(frozen=True)
class Line:
    """One row of a table before it is written.

    Attributes
    ----------
    labels : tuple of str
        Texts of its leading cells.
    place : str
        What its runs share; the rows of several metrics of the same runs have one place.
    ours, printed : dict
        What is known, by column.
    """

    labels: tuple[str, ...]
    place: str
    ours: dict[tuple[Any, ...], Summary]
    printed: dict[tuple[Any, ...], PrintedCell]


def line_cells(
    line: Line,
    columns: Sequence[tuple[Any, ...]],
    metric: str,
    *,
    rank: bool,
    interval: bool = False,
) -> list[Cell]:
    """Return the cells of a row; with `rank` its best and second best are marked."""
    cells = [Cell(label) for label in line.labels]
    values: list[str | None] = []
    for column in columns:
        ours, theirs = line.ours.get(column), line.printed.get(column)
        below = ""
        if theirs is not None:
            doubt = "†" if theirs.doubt else ""
            below = f"({theirs.mean:.3f} ± {theirs.std:.3f}){doubt}"
        if ours is None:
            cells.append(Cell(MISSING, below))
            values.append(None)
            continue
        cells.append(Cell(spread(ours, metric, interval), below))
        values.append(ranked(ours, metric))
    if rank:
        found = marks(values, lowest=metric in COSTS)
        names = len(line.labels)
        cells[names:] = [replace(c, mark=m) for c, m in zip(cells[names:], found, strict=True)]
    return cells


def average_line(
    labels: tuple[str, ...], lines: Sequence[Line], columns: Sequence[tuple[Any, ...]]
) -> Line:
    """Return the row of averages of means and of deviations, as the paper has it.

    A column has one only if every row has a mean there, so all averages are over the same rows;
    its runs are added up, each once although it may have several metrics.
    """
    repeats = len(lines) // len({line.place for line in lines})
    ours, printed = {}, {}
    for column in columns:
        cells = [line.ours[column] for line in lines if column in line.ours]
        if len(cells) == len(lines) and all(cell.n for cell in cells):
            ours[column] = average_of(cells, repeats)
        theirs = [line.printed[column] for line in lines if column in line.printed]
        if len(theirs) == len(lines):
            mean = math.fsum(cell.mean for cell in theirs) / len(theirs)
            std = math.fsum(cell.std for cell in theirs) / len(theirs)
            doubt = next((cell.doubt for cell in theirs if cell.doubt), "")
            printed[column] = PrintedCell(mean, std, doubt)
    return Line(labels, "Average", ours, printed)


def average_of(cells: Sequence[Summary], repeats: int = 1) -> Summary:
    """Return the average of means and of deviations of some cells.

    Its interval is that of the average of their means over draws; the cells stay as they are. Of
    several metrics of the same runs (`repeats`) it has none: these do not vary on their own.
    """
    return Summary(
        mean=math.fsum(cell.mean for cell in cells) / len(cells),
        std=math.fsum(cell.std for cell in cells) / len(cells),
        n=sum(cell.n for cell in cells) // repeats,
        failed=sum(cell.failed for cell in cells) // repeats,
        seeds=frozenset(),
        half=half_width([c.std for c in cells], [c.n for c in cells]) if repeats == 1 else math.nan,
    )


def heading_of(key: Sequence[Any]) -> str:
    """Return a key as a heading, without its empty parts."""
    parts = [f"{part:g}" if isinstance(part, float) else str(part) for part in key]
    return ", ".join(part for part in parts if part) or "unchanged"


def make_table(
    title: str,
    text: str,
    labels: Sequence[str],
    columns: Sequence[tuple[Any, ...]],
    rows: Sequence[list[Cell]],
    footer: Sequence[list[Cell]],
) -> Table:
    """Return a table of texts over all its columns and cells under them."""
    header = (*labels, *map(heading_of, columns))
    return Table(
        title, text, header, len(labels), tuple(map(tuple, rows)), tuple(map(tuple, footer))
    )
