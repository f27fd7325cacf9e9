"""From summaries to a table: numbers as text, the best of a row, averages."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from .published import PrintedCell
from .summaries import COSTS, Summary
from .table_formats import Cell, Table

__all__ = [
    "MISSING",
    "Line",
    "average_line",
    "heading_of",
    "line_cells",
    "make_table",
    "marks",
    "spread",
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


def decimals(mean: float, metric: str) -> int:
    """Return three decimals for a score, as the paper has, and about three digits for a cost."""
    if metric not in COSTS:
        return 3
    return 0 if mean >= 100 else 1 if mean >= 10 else 2 if mean >= 1 else 3


def marks(values: Sequence[str | None], *, lowest: bool = False) -> list[str]:
    """Return "best", "second" or "" for each number of a row, as it is printed.

    Equal text ties: all with the best number are best, all with the next number second. None
    takes no part, and a row with fewer than two numbers has no best.

    Examples
    --------
    >>> marks(["0.91", "0.91", None, "0.90", "0.80"])
    ['best', 'best', '', 'second', '']
    """
    present = [float(value) for value in values if value is not None]
    if len(present) < 2:
        return [""] * len(values)
    places = sorted(set(present), reverse=not lowest)[:2]
    names = dict(zip(places, ("best", "second"), strict=False))
    return ["" if value is None else names.get(float(value), "") for value in values]


def line_cells(
    line: Line, columns: Sequence[tuple[Any, ...]], metric: str, rank: bool
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
        cells.append(Cell(spread(ours, metric), below))
        whole = ours.n and not ours.failed and not ours.missing
        values.append(f"{ours.mean:.{decimals(ours.mean, metric)}f}" if whole else None)
    if rank:
        found = marks(values, lowest=metric in COSTS)
        names = len(line.labels)
        cells[names:] = [replace(c, mark=m) for c, m in zip(cells[names:], found, strict=True)]
    return cells


def spread(summary: Summary, metric: str = "acc") -> str:
    """Return mean ± deviation, and how many runs failed or were not measured.

    Examples
    --------
    >>> spread(Summary(0.5, 0.1, 2, 1, frozenset({0, 1, 2})))
    '0.500 ± 0.100, failed (1 of 3)'
    """
    total = summary.n + summary.failed + summary.missing
    holes = {"failed": summary.failed, "missing": summary.missing}
    said = [f"{word} ({count} of {total})" for word, count in holes.items() if count]
    if summary.n == 0:
        return ", ".join(said)
    digits = decimals(summary.mean, metric)
    text = f"{summary.mean:.{digits}f}"
    if not math.isnan(summary.std):  # a single run has no spread
        text += f" ± {summary.std:.{digits}f}"
    return ", ".join([text, *said])


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
            ours[column] = Summary(
                mean=math.fsum(cell.mean for cell in cells) / len(cells),
                std=math.fsum(cell.std for cell in cells) / len(cells),
                n=sum(cell.n for cell in cells) // repeats,
                failed=sum(cell.failed for cell in cells) // repeats,
                seeds=frozenset(),
            )
        theirs = [line.printed[column] for line in lines if column in line.printed]
        if len(theirs) == len(lines):
            mean = math.fsum(cell.mean for cell in theirs) / len(theirs)
            std = math.fsum(cell.std for cell in theirs) / len(theirs)
            doubt = next((cell.doubt for cell in theirs if cell.doubt), "")
            printed[column] = PrintedCell(mean, std, doubt)
    return Line(labels, "Average", ours, printed)


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
