"""Results from elsewhere, to stand beside ours."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import fsum

__all__ = ["Place", "Reference"]

Place = tuple[str, str, str, str]
"""Dataset, noise, metric and method."""


@dataclass(frozen=True)
class Reference:
    """Results from elsewhere.

    Attributes
    ----------
    name, note : str
        Where they come from, such as "printed in the paper", and what to know of them.
    cells : dict
        Mean, deviation and a doubt ("" for none) by dataset, noise, metric and method.
    numbers : dict
        What the parts of a report correspond to there, by anchor.
    """

    name: str
    note: str
    cells: dict[Place, tuple[float, float, str]]
    numbers: dict[str, str] = field(default_factory=dict)

    def text(self, places: Sequence[Place]) -> tuple[str, str]:
        """Return a cell, or the average of several, and a dagger for a doubt; "" where one lacks.

        Examples
        --------
        >>> printed = Reference("printed", "", {("yale", "none", "acc", "NMF"): (0.5, 0.1, "")})
        >>> printed.text([("yale", "none", "acc", "NMF")])
        ('0.500 ± 0.100', '')
        """
        found = [self.cells[place] for place in places if place in self.cells]
        if not found or len(found) < len(places):
            return "", ""
        mean = fsum(mean for mean, _, _ in found) / len(found)
        std = fsum(std for _, std, _ in found) / len(found)
        return f"{mean:.3f} ± {std:.3f}", "†" * any(cell[2] for cell in found)

    def below(self, places: Sequence[Place]) -> str:
        """Return the same in brackets."""
        text, doubt = self.text(places)
        return f"({text}){doubt}" if text else ""

    def sentences(self, places: Sequence[Place], *, averaged: bool = False) -> list[str]:
        """Return what to know of the cells in these places; nothing where there are none."""
        found = [self.cells[place] for place in places if place in self.cells]
        doubts = dict.fromkeys(doubt for *_, doubt in found if doubt)
        averages = "; averages computed from its cells" * averaged
        said = f"In brackets: {self.name}, {self.note}{averages}"
        return [said, *(f"† Doubtful: {doubt}" for doubt in doubts)] if found else []
