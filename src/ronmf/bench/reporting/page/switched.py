"""A table of which the reader switches metric, samples, spread and dataset.

Methods are its rows, so that the first of them stay in sight on a phone. All views are in the page
as data; without scripts it shows the first one.
"""

import json
from dataclasses import dataclass

from markupsafe import Markup

from ..table_lines import MISSING

__all__ = ["SPREADS", "Entry", "Switch", "SwitchedTable"]

SPREADS = {
    "std": "± standard deviation",
    "interval": "95 % interval of the mean",
    "printed": "printed in the paper",
}
"""What may stand beside a mean."""


@dataclass(frozen=True)
class Entry:
    """The texts of one cell.

    Attributes
    ----------
    mean, std, low, high : str
        Mean, deviation and the 95 % interval of the mean; "" where there is none.
    mark : {"", "best", "second"}
        Place in its column.
    note : str
        What is missing.
    printed : str
        What the paper has in that place.
    """

    mean: str = ""
    std: str = ""
    low: str = ""
    high: str = ""
    mark: str = ""
    note: str = ""
    printed: str = ""

    @property
    def shown(self) -> str:
        """What the first view shows: mean ± deviation, and what is missing."""
        value = f"{self.mean} ± {self.std}" if self.std else self.mean
        return ", ".join(text for text in (value, self.note) if text) or MISSING

    @property
    def packed(self) -> list[str]:
        """All texts, without the empty ones at the end."""
        texts = [self.mean, self.std, self.low, self.high, self.mark, self.note, self.printed]
        while texts and not texts[-1]:
            texts.pop()
        return texts


@dataclass(frozen=True)
class Switch:
    """A choice of the reader: its label, and the choices with their words, the first one first."""

    label: str
    choices: dict[str, str]


@dataclass(frozen=True)
class SwitchedTable:
    """A table in all its views.

    Attributes
    ----------
    corner : str
        What the rows are: methods, or methods and variants.
    columns, rows : tuple of str
        Headings.
    own : tuple of bool
        Which rows are the project's own method.
    switches : tuple of Switch
        What the reader chooses; every combination is a view.
    views : dict
        The cells of each view, row by row, by its choices joined with "/".
    spreads : tuple of str
        Keys of ``SPREADS`` that can be shown.
    lowest : bool
        Whether the lowest number is the best.
    caption : str
        What a reader must know in every view.
    """

    corner: str
    columns: tuple[str, ...]
    rows: tuple[str, ...]
    own: tuple[bool, ...]
    switches: tuple[Switch, ...]
    views: dict[str, tuple[tuple[Entry, ...], ...]]
    spreads: tuple[str, ...]
    lowest: bool
    caption: str

    @property
    def first(self) -> tuple[tuple[Entry, ...], ...]:
        """The view that is shown first."""
        return next(iter(self.views.values()))

    @property
    def first_words(self) -> str:
        """What the first view shows."""
        words = [next(iter(switch.choices.values())) for switch in self.switches]
        return f"{', '.join(words)}: mean {SPREADS[self.spreads[0]]}"

    @property
    def data(self) -> Markup:
        """All views as JSON that may stand inside a script element."""
        views = {
            key: [[entry.packed for entry in line] for line in view]
            for key, view in self.views.items()
        }
        facts = {"views": views, "lowest": self.lowest, "missing": MISSING}
        text = json.dumps(facts, separators=(",", ":"))
        for character in "<>&":
            text = text.replace(character, f"\\u{ord(character):04x}")
        return Markup(text)
