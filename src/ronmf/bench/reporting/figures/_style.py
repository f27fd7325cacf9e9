"""One look for all figures: colours, markers, lines and the order of names.

A method keeps its colour, marker and line in every figure, whichever others are shown. Colours are
those of Okabe and Ito (2008), told apart with the common colour blindnesses; marker and line tell
methods of one colour apart. RONMF has the strong colours and thick lines.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ..._registry import METHODS
from ..selection import in_order

__all__ = ["TEXT", "Look", "looks"]

TEXT: Any = {
    "font.family": "DejaVu Sans",
    "font.size": 9.0,
    "axes.titlesize": 10.0,
    "axes.labelsize": 9.0,
    "xtick.labelsize": 8.5,
    "ytick.labelsize": 8.5,
    "legend.fontsize": 9.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": False,
    "axes.axisbelow": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "svg.fonttype": "path",
}
_STRONG = {
    "RONMF": ("#0072B2", "o"),
    "RONMF-E": ("#D55E00", "o"),
    "RONMF-S": ("#000000", "s"),
    "RONMF-M": ("#0072B2", "D"),
}
# Markers of their variants
_CHANGED = {"labels as given": "p", "as released": "v"}
_COLOURS = ["#E69F00", "#56B4E9", "#009E73", "#CC79A7", "#7A7A7A", "#882255"]
_MARKERS = ["^", "v", "<", ">", "P", "X", "*", "h", "p", "d", "8", "H"]
_LINES: list[Any] = ["-", (0, (5, 2)), (0, (1, 1.5)), (0, (5, 1.5, 1, 1.5))]


@dataclass(frozen=True)
class Look:
    """How a method is drawn."""

    color: str
    marker: str
    linestyle: Any
    strong: bool
    filled: bool = True

    @property
    def line(self) -> dict[str, Any]:
        """Arguments of ``Axes.plot`` for a curve."""
        return {
            **self.point,
            "linestyle": self.linestyle,
            "linewidth": 2.2 if self.strong else 1.2,
            "zorder": 3 if self.strong else 2,
        }

    @property
    def point(self) -> dict[str, Any]:
        """Arguments of ``Axes.plot`` for a marker alone."""
        return {
            "color": self.color,
            "marker": self.marker,
            "markersize": 6.5 if self.strong else 5.0,
            "markerfacecolor": self.color if self.filled else "white",
            "linestyle": "none",
            "zorder": 3 if self.strong else 2,
        }


def looks(methods: Iterable[str]) -> dict[str, Look]:
    """Return the look of each method."""
    others = [m for m in METHODS if not m.startswith("RONMF")]
    names = in_order(methods)
    others += [m for m in names if m not in METHODS]
    return {m: _look(m, others) for m in names}


def _look(method: str, others: list[str]) -> Look:
    base, _, change = method.partition(", ")
    if base in _STRONG and method in METHODS:
        color, marker = _STRONG[base]
        return Look(
            color, _CHANGED.get(change, marker), "--" if change else "-", not change, not change
        )
    i = others.index(method)
    turn = i // len(_COLOURS)
    # Markers come round with the colours: one step further each time makes every pair new.
    return Look(
        _COLOURS[i % len(_COLOURS)],
        _MARKERS[(i + i // len(_MARKERS)) % len(_MARKERS)],
        _LINES[turn % len(_LINES)],
        False,
    )
