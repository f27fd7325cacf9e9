"""From rows to all the views of a table: means over draws, marks, averages, printed cells."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from ....metrics import METRICS, SCOPES
from ..contestants import CHOSEN_GRAPH, contestants, is_own
from ..number_texts import bounds, decimals, failures, marks, ranked
from ..published import printed_cell
from ..reading_order import ordered
from ..summaries import COSTS, Summary, metric_column, summarise_all
from ..table_lines import average_of, heading_of
from .switched import SPREADS, Entry, Switch, SwitchedTable

__all__ = ["switched_table"]

_AVERAGE = "average"
_Key = tuple[Any, ...]
_Summaries = dict[tuple[_Key, _Key], Summary]


@dataclass(frozen=True)
class _Sides:
    """What stands along the two sides of a table.

    Attributes
    ----------
    down, across : list of keys
        Rows and columns.
    datasets : list of str
        All datasets, in reading order.
    paged : bool
        Whether a switch chooses the dataset; else datasets are the columns.
    averaged : bool
        Whether an average over datasets comes first.
    """

    down: list[_Key]
    across: list[_Key]
    datasets: list[str]
    paged: bool
    averaged: bool

    @property
    def pages(self) -> list[str]:
        """Choices of the dataset."""
        if not self.paged:
            return [""]
        return [*([_AVERAGE] if self.averaged else []), *self.datasets]

    def cells(self, found: _Summaries, name: _Key, page: str) -> list[Summary | None]:
        """Return the results of a row."""
        if self.paged and page != _AVERAGE:
            return [found.get(((page, *head), name)) for head in self.across]
        if self.paged:
            return [self._average(found, name, head) for head in self.across]
        cells = [found.get((head, name)) for head in self.across]
        return [self._average(found, name, ()), *cells] if self.averaged else cells

    def _average(self, found: _Summaries, name: _Key, head: _Key) -> Summary | None:
        """Return the average over all datasets; None unless each of them has a mean."""
        cells = [found.get(((dataset, *head), name)) for dataset in self.datasets]
        whole = [cell for cell in cells if cell is not None and cell.n]
        return average_of(whole) if len(whole) == len(cells) else None


def switched_table(
    rows: pd.DataFrame,
    down: Sequence[str],
    across: Sequence[str],
    caption: str,
    *,
    metrics: Sequence[str] = tuple(METRICS),
    paged: bool = False,
    paper: bool = False,
) -> SwitchedTable:
    """Return means over draws by what stands `down` and `across`.

    Parameters
    ----------
    rows : DataFrame
        Tidy rows, selected.
    down, across : sequence of str
        Settings along the two sides, such as ["method"] and ["dataset"].
    caption : str
        What a reader must know.
    metrics : sequence of str
        Scores to choose from, or one cost.
    paged : bool, default=False
        Whether the dataset is chosen by a switch, of which the first choice is the mean of all.
    paper : bool, default=False
        Whether the paper prints such cells.
    """
    measures = _measures(rows, metrics)
    found = summarise_all(rows, ["dataset", *across] if paged else across, down, measures)
    keys = list(found[measures[0]])
    datasets = [name for (name,) in ordered(["dataset"], [(name,) for name in rows["dataset"]])]
    averaged = len(datasets) > 1 and measures[0][0] not in COSTS
    heads = ordered(across, [left[paged:] for left, _ in keys])
    sides = _Sides(ordered(down, [top for _, top in keys]), heads, datasets, paged, averaged)
    if list(down) == ["method"]:
        lines = [sides.cells(found[measures[0]], name, sides.pages[0]) for name in sides.down]
        sides.down[:] = _own_first(sides.down, lines, measures[0][0])
    columns = [_heading(head) for head in heads]
    views = {}
    for metric, scope in measures:
        for page in sides.pages:
            choice = "/".join([metric, *([] if metric in COSTS else [scope]), *([page] * paged)])
            grid = [sides.cells(found[metric, scope], name, page) for name in sides.down]
            texts = _marked(grid, metric)
            views[choice] = _beside_print(texts, sides, page, metric) if paper else texts
    shows_print = any(entry.printed for view in views.values() for line in view for entry in line)
    return SwitchedTable(
        corner=" and ".join(down),
        columns=tuple([_AVERAGE, *columns] if averaged and not paged else columns),
        rows=tuple(heading_of(name) for name in sides.down),
        own=tuple(is_own(name[0]) for name in sides.down),
        switches=_switches(measures, sides),
        views=views,
        spreads=tuple(SPREADS) if shows_print else tuple(SPREADS)[:2],
        lowest=measures[0][0] in COSTS,
        caption=caption,
    )


def _measures(rows: pd.DataFrame, metrics: Sequence[str]) -> list[tuple[str, str]]:
    """Return the metrics and samples that every good run has; the first ones in any case."""
    wanted = [(metric, scope) for metric in metrics for scope in SCOPES]
    if metrics[0] in COSTS:
        return wanted[:1]
    good = rows[rows["status"] == "ok"]
    columns = {measure: metric_column(*measure) for measure in wanted}
    whole = [m for m, column in columns.items() if column in good and good[column].notna().all()]
    return whole or wanted[:1]


def _own_first(
    names: Sequence[_Key], lines: Sequence[Sequence[Summary | None]], metric: str
) -> list[_Key]:
    """Return the methods of the project, what uses its graph, and the others, best first.

    Changes of the project's methods stand among the others.
    """
    own = {method for method in contestants(name for (name,) in names) if is_own(method)}

    def place(pair: tuple[_Key, Sequence[Summary | None]]) -> tuple[bool, bool, float]:
        (method,), line = pair
        means = [cell.mean for cell in line if cell is not None and cell.n]
        if method in own or metric in COSTS:  # in reading order
            return method not in own, method != CHOSEN_GRAPH, 0.0
        score = round(math.fsum(means) / len(means), 12) if means else -math.inf
        return True, method != CHOSEN_GRAPH, -score

    return [name for name, _ in sorted(zip(names, lines, strict=True), key=place)]


def _heading(head: _Key) -> str:
    """Return a column in words.

    Examples
    --------
    >>> _heading(("none", 0.0)), _heading(("gaussian", 0.1)), _heading((5,))
    ('no noise', 'gaussian 0.1', '5')
    """
    if head[0] == "none":
        return "no noise"
    return " ".join(heading_of((part,)) for part in head)


def _entry(cell: Summary | None, metric: str) -> Entry:
    if cell is None:
        return Entry()
    note = failures(cell)
    if not cell.n:
        return Entry(note=note)
    digits = decimals(cell.mean, metric)
    std = "" if math.isnan(cell.std) else f"{cell.std:.{digits}f}"
    low, high = bounds(cell, metric) or ("", "")
    return Entry(f"{cell.mean:.{digits}f}", std, low, high, note=note)


def _marked(grid: Sequence[Sequence[Summary | None]], metric: str) -> tuple[tuple[Entry, ...], ...]:
    """Return the texts of all cells; the best and the second of every column are marked."""
    view = [[_entry(cell, metric) for cell in line] for line in grid]
    for j in range(len(view[0])):
        column = [line[j] for line in grid]
        numbers = [None if cell is None else ranked(cell, metric) for cell in column]
        for line, mark in zip(view, marks(numbers, lowest=metric in COSTS), strict=True):
            line[j] = replace(line[j], mark=mark)
    return tuple(map(tuple, view))


def _beside_print(
    view: tuple[tuple[Entry, ...], ...], sides: _Sides, page: str, metric: str
) -> tuple[tuple[Entry, ...], ...]:
    """Add the paper's cells."""
    found = []
    for (method, *_), line in zip(sides.down, view, strict=True):
        if sides.paged:
            places = [[(page, head[0])] for head in sides.across]
            if page == _AVERAGE:
                places = [[(name, head[0]) for name in sides.datasets] for head in sides.across]
        else:
            places = [[(head[0], "none")] for head in sides.across]
            if sides.averaged:
                places.insert(0, [place for (place,) in places])
        texts = [_printed(place, metric, method) for place in places]
        found.append(tuple(replace(e, printed=t) for e, t in zip(line, texts, strict=True)))
    return tuple(found)


def _printed(places: Sequence[tuple[str, str]], metric: str, method: str) -> str:
    """Return the paper's cell, or the average of several; "" where it prints none."""
    cells = [printed_cell(dataset, noise, metric, method) for dataset, noise in places]
    known = [cell for cell in cells if cell is not None]
    if len(known) < len(cells):
        return ""
    mean = math.fsum(cell.mean for cell in known) / len(known)
    std = math.fsum(cell.std for cell in known) / len(known)
    return f"{mean:.3f} ± {std:.3f}{'†' * any(cell.doubt for cell in known)}"


def _switches(measures: Sequence[tuple[str, str]], sides: _Sides) -> tuple[Switch, ...]:
    metric = measures[0][0]
    if metric in COSTS:
        switches = [Switch("Metric", {metric: COSTS[metric]})]
    else:
        names = {metric: METRICS[metric].short for metric, _ in measures}
        scopes = {scope: f"{scope} samples" for _, scope in measures}
        switches = [Switch("Metric", names), Switch("Samples", scopes)]
    if sides.paged:
        words = {page: "average of datasets" if page == _AVERAGE else page for page in sides.pages}
        switches.append(Switch("Dataset", words))
    return tuple(switches)
