"""From summaries to a table: numbers as text, the best of a row, averages, the caption."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from .published import PrintedCell
from .summaries import COSTS, Summary, named, ordered
from .table_formats import Cell, Table

__all__ = ["Line", "assemble", "average", "caption", "finish", "marks", "name"]

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


def assemble(line: Line, columns: Sequence[tuple[Any, ...]], metric: str, rank: bool) -> list[Cell]:
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
        failed = f"failed ({ours.failed} of {ours.n + ours.failed})"
        if ours.n == 0:
            cells.append(Cell(failed, below))
            values.append(None)
            continue
        digits = decimals(ours.mean, metric)
        value = f"{ours.mean:.{digits}f}"
        text = value if math.isnan(ours.std) else f"{value} ± {ours.std:.{digits}f}"
        cells.append(Cell(f"{text}, {failed}" if ours.failed else text, below))
        values.append(None if ours.failed else value)
    if rank:
        found = marks(values, lowest=metric in COSTS)
        names = len(line.labels)
        cells[names:] = [replace(c, mark=m) for c, m in zip(cells[names:], found, strict=True)]
    return cells


def average(
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


def caption(
    rows: pd.DataFrame,
    lines: Sequence[Line],
    columns: Sequence[tuple[Any, ...]],
    *,
    scope: str | None,
    rank: bool,
    averaged: bool,
) -> str:
    """Return what a reader must know: seeds, labels, scope, marks, doubts.

    `scope` is None for a cost.
    """
    said = ["Mean ± standard deviation over seeds (ddof = 0)"]
    if scope:
        said[0] += " on unlabelled samples" if scope == "unlabelled" else " on all samples"
    said += [seeds_sentence(lines, columns)]
    rates = sorted(rows["label_rate"].unique())
    said.append("Label rate " + ", ".join(f"{rate:g}" for rate in rates))
    said.append(classes_sentence(rows))
    if rank:
        said.append(
            "Bold: best of the row, underlined: second; equal printed numbers tie, cells with"
            " failed runs take no part"
        )
    if averaged:
        said.append(f"Averages: of means and of deviations; {MISSING} where a row has no mean")
    cells = [cell for line in lines for cell in line.printed.values()]
    if cells:
        said.append(
            "In brackets: printed in the paper, which does not say which samples it scores"
            + ("; averages computed from its cells" if averaged else "")
        )
    doubts = dict.fromkeys(cell.doubt for cell in cells if cell.doubt)
    said += [f"† Doubtful: {doubt}" for doubt in doubts]
    changed = rows.loc[~rows["params"].isin(["", "{}"]), ["method", "variant", "params"]]
    if len(changed):
        names = changed.drop_duplicates().itertuples(index=False)
        said.append(
            "Changed settings: "
            + "; ".join(f"{name(tuple(key[:2]))} {key.params}" for key in names)
        )
    return ". ".join(said) + "."


def seeds_sentence(lines: Sequence[Line], columns: Sequence[tuple[Any, ...]]) -> str:
    """Return how many runs a cell has, naming the cells with other seeds than most."""
    cells = {
        f"{name(column)} at {line.place}": line.ours[column].seeds
        for line in lines
        for column in columns
        if column in line.ours
    }
    usual = Counter(cells.values()).most_common(1)[0][0]
    said = f"n = {len(usual)} runs a cell"
    other = [
        f"{cell} n = {len(seeds)}{' of other seeds' if len(seeds) == len(usual) else ''}"
        for cell, seeds in cells.items()
        if seeds != usual
    ]
    return f"{said}, but {'; '.join(other)}" if other else said


def classes_sentence(rows: pd.DataFrame) -> str:
    """Return how many classes the runs had."""
    groups = named(rows).groupby("dataset", sort=False)["n_classes"]
    counts = {
        key: name([k for (k,) in ordered(["n_classes"], [(k,) for k in group])])
        for key, group in groups
    }
    if len(set(counts.values())) == 1:
        return f"Classes {next(iter(counts.values()))}"
    return "Classes of " + "; ".join(f"{key} {text}" for key, text in counts.items())


def name(key: Sequence[Any]) -> str:
    """Return a key as a heading, without its empty parts."""
    parts = [f"{part:g}" if isinstance(part, float) else str(part) for part in key]
    return ", ".join(part for part in parts if part) or "unchanged"


def finish(
    title: str,
    text: str,
    labels: Sequence[str],
    columns: Sequence[tuple[Any, ...]],
    rows: Sequence[list[Cell]],
    footer: Sequence[list[Cell]],
) -> Table:
    """Return the table."""
    header = (*labels, *map(name, columns))
    return Table(
        title, text, header, len(labels), tuple(map(tuple, rows)), tuple(map(tuple, footer))
    )
