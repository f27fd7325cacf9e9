"""A table of which the reader switches metric, samples, spread and dataset.

Methods are its rows, so that the first of them stay in sight on a phone. All views are in the page
as data; without scripts it shows the first one.
"""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import pandas as pd
from markupsafe import Markup

from ....metrics import METRICS, SCOPES
from ..captions import changes, facts_of
from ..grid import Grid, Key, heading_of, metric_column, ordered, summarise
from ..opponents import CHOSEN_GRAPH, contestants, is_own
from ..reference import Reference
from ..selection import datasets_of
from ..summary import COSTS, Summary, marks
from ..tables import MISSING

__all__ = ["SPREADS", "SwitchedTable"]

SPREADS = {"std": "± standard deviation", "interval": "95 % interval of the mean"}
"""What may stand beside a mean; or what a reference has."""

_AVERAGE = "average"
_Columns = list[tuple[list[tuple[str, str]], dict[Key, Summary]]]
_View = list[list[list[str]]]


@dataclass(frozen=True)
class SwitchedTable:
    """A table in all its views.

    Attributes
    ----------
    rows : DataFrame
        Selected rows.
    down, across : sequence of str
        Settings along the two sides, such as ["method"] and ["dataset"].
    more : str
        What a reader must know beside the settings.
    metrics : sequence of str
        Scores to choose from, or one cost.
    paged : bool, default=False
        Whether the dataset is chosen by a switch, of which the first choice is the mean of all.
    reference : Reference, default=None
        What may stand beside a mean too.
    """

    rows: pd.DataFrame
    down: Sequence[str]
    across: Sequence[str]
    more: str = ""
    metrics: Sequence[str] = tuple(METRICS)
    paged: bool = False
    reference: Reference | None = None

    def __post_init__(self) -> None:
        self.views  # noqa: B018 - rows that do not belong together are refused at once

    @property
    def lowest(self) -> bool:
        """Whether the lowest number is the best."""
        return self.metrics[0] in COSTS

    @property
    def corner(self) -> str:
        """What the rows are: methods, or methods and variants."""
        return " and ".join(self.down)

    @cached_property
    def _measures(self) -> list[tuple[str, str]]:
        """The metrics and samples that every good run has; the first ones in any case."""
        wanted = [(metric, scope) for metric in self.metrics for scope in SCOPES]
        good = self.rows[self.rows["status"] == "ok"]
        columns = {measure: metric_column(*measure) for measure in wanted}
        whole = [m for m, name in columns.items() if name in good and good[name].notna().all()]
        return wanted[:1] if self.lowest else whole or wanted[:1]

    @cached_property
    def _grids(self) -> dict[tuple[str, str], Grid]:
        left = ["dataset", *self.across] if self.paged else self.across
        return summarise(self.rows, left, self.down, self._measures)

    @cached_property
    def _heads(self) -> list[Key]:
        grid = self._grids[self._measures[0]]
        return ordered(self.across, [key[self.paged :] for key in grid.rows])

    @cached_property
    def _datasets(self) -> list[str]:
        return datasets_of(self.rows)

    @property
    def _averaged(self) -> bool:
        """Whether an average over datasets comes first."""
        return len(self._datasets) > 1 and not self.lowest

    @property
    def _pages(self) -> list[str]:
        return [*[_AVERAGE] * self._averaged, *self._datasets] if self.paged else [""]

    @cached_property
    def names(self) -> list[Key]:
        """Keys of the rows: the project's methods, what uses its graph, others, best first."""
        measure = self._measures[0]
        names = self._grids[measure].columns
        if list(self.down) != ["method"]:
            return names
        own = set(filter(is_own, contestants(name for (name,) in names)))
        columns = self._columns(self._grids[measure], self._pages[0])

        def place(name: Key) -> tuple[bool, bool, float]:
            means = [cells[name].mean for _, cells in columns if name in cells and cells[name].n]
            if name[0] in own or self.lowest:  # in reading order
                return name[0] not in own, name[0] != CHOSEN_GRAPH, 0.0
            score = round(math.fsum(means) / len(means), 12) if means else -math.inf
            return True, name[0] != CHOSEN_GRAPH, -score

        return sorted(names, key=place)

    @property
    def lines(self) -> list[tuple[str, bool, list[tuple[str, str]]]]:
        """The first view: heading, whether it is the project's own method, texts and marks."""
        view = next(iter(self.views.values()))
        return [
            (heading_of(name), is_own(name[0]), [(_shown(*cell), cell[4]) for cell in line])
            for name, line in zip(self.names, view, strict=True)
        ]

    @property
    def columns(self) -> list[str]:
        """Headings of the columns."""
        return [*[_AVERAGE] * (self._averaged and not self.paged), *map(_heading, self._heads)]

    @cached_property
    def views(self) -> dict[str, _View]:
        """The cells of each view, row by row, by its choices joined with "/".

        A cell has the texts of mean, deviation, both ends of the interval, mark, what is missing,
        and what the reference has.
        """
        found = {}
        for (metric, scope), grid in self._grids.items():
            for page in self._pages:
                choice = [metric, *[scope] * (not self.lowest), *[page] * self.paged]
                found["/".join(choice)] = self._view(self._columns(grid, page), metric)
        return found

    def _columns(self, grid: Grid, page: str) -> _Columns:
        """Return for every column what is averaged there, datasets and noises, and its cells."""
        if not self.paged:
            columns = [([(head[0], "none")], grid.row(head)) for head in self._heads]
            if self._averaged:
                every = [place for (place,), _ in columns]
                columns.insert(0, (every, grid.averaged(lambda _: ())[()][1]))
            return columns
        if page != _AVERAGE:
            return [([(page, str(h[0]))], grid.row((page, *h))) for h in self._heads]
        averages = grid.averaged(lambda key: key[1:])
        whole = {h: cells for h, (n, cells) in averages.items() if n == len(self._datasets)}
        return [([(d, str(h[0])) for d in self._datasets], whole.get(h, {})) for h in self._heads]

    def _view(self, columns: _Columns, metric: str) -> _View:
        found = []
        for places, cells in columns:
            means = [cells[n].competing(metric) if n in cells else None for n in self.names]
            column = []
            for name, mark in zip(self.names, marks(means, lowest=self.lowest), strict=True):
                texts = _texts(cells.get(name), metric, mark)
                there = [(*place, metric, name[0]) for place in places]
                column.append(
                    [*texts, "".join(self.reference.text(there)) if self.reference else ""]
                )
            found.append(column)
        return [list(line) for line in zip(*found, strict=True)]

    @property
    def spreads(self) -> dict[str, str]:
        """What may stand beside a mean, in words."""
        shown = any(cell[-1] for view in self.views.values() for line in view for cell in line)
        return SPREADS | ({"reference": self.reference.name} if self.reference and shown else {})

    @property
    def switches(self) -> list[tuple[str, dict[str, str]]]:
        """What the reader chooses: a label, and the choices with their words."""
        names = {m: METRICS[m].short if m in METRICS else COSTS[m] for m, _ in self._measures}
        found = [("Metric", names)]
        if not self.lowest:
            found.append(("Samples", {scope: f"{scope} samples" for _, scope in self._measures}))
        if self.paged:
            words = {page: page for page in self._pages}
            average = {_AVERAGE: "average of datasets"} if self._averaged else {}
            found.append(("Dataset", words | average))
        return found

    @property
    def first_words(self) -> str:
        """What the first view shows."""
        words = [next(iter(choices.values())) for _, choices in self.switches]
        return f"{', '.join(words)}: mean {SPREADS['std']}"

    @property
    def caption(self) -> str:
        """What a reader must know in every view."""
        cell = ["dataset", "method", "variant", "n_classes", "label_rate", "labels_per_class"]
        runs = self.rows.groupby([*cell, "noise", "noise_level"], dropna=False).size()
        draws = " to ".join(dict.fromkeys((f"{runs.min()}", f"{runs.max()}")))
        said = [f"Means over {draws} draws", *facts_of(self.rows)]
        said.append("Bold: best of its column, underlined: second, by the digits shown")
        changed = [f"{name}: {json.dumps(values)}" for name, values in changes(self.rows)]
        said += [f"Changed parameters: {'; '.join(changed)}"] if changed else []
        if self.reference:
            metrics, methods = dict(self._measures), [name[0] for name in self.names]
            noises = self.rows["noise"].unique()
            said += self.reference.sentences([*product(self._datasets, noises, metrics, methods)])
        return ". ".join([*said, *([self.more] if self.more else [])]) + "."

    @property
    def data(self) -> Markup:
        """All views as JSON that may stand inside a script element."""
        facts = {"views": self.views, "lowest": self.lowest, "missing": MISSING}
        text = json.dumps(facts, separators=(",", ":"))
        for character in "<>&":
            text = text.replace(character, f"\\u{ord(character):04x}")
        return Markup(text)


def _texts(cell: Summary | None, metric: str, mark: str) -> list[str]:
    if cell is None or not cell.n:
        return ["", "", "", "", mark, cell.failures if cell else ""]
    std = "" if math.isnan(cell.std) else cell.number(cell.std, metric)
    ends = cell.bounds(metric) or ("", "")
    return [cell.number(cell.mean, metric), std, *ends, mark, cell.failures]


def _shown(mean: str, std: str, low: str, high: str, mark: str, note: str, other: str) -> str:
    """Return mean ± deviation, and what is missing."""
    value = f"{mean} ± {std}" if std else mean
    return ", ".join(text for text in (value, note) if text) or MISSING


def _heading(head: Key) -> str:
    """Return a column in words.

    Examples
    --------
    >>> _heading(("none", 0.0)), _heading(("gaussian", 0.1)), _heading((5,))
    ('no noise', 'gaussian 0.1', '5')
    """
    return "no noise" if head[0] == "none" else " ".join(heading_of((part,)) for part in head)
