"""One look for all figures: colours, markers, panels and legends.

A method keeps its colour, marker and line in every figure, whichever others are shown. Colours are
those of Okabe and Ito (2008), told apart with the common colour blindnesses; marker and line tell
methods of one colour apart. RONMF has the strong colours and thick lines.
"""

import functools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from ....registry import METHODS
from ..summaries import ordered

__all__ = ["Look", "datasets_of", "in_order", "label_outer", "legend", "looks", "panels", "styled"]

_TEXT: Any = {
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
_STRONG = {"RONMF-E": ("#D55E00", "o"), "RONMF-S": ("#000000", "s"), "RONMF-M": ("#0072B2", "D")}
_COLOURS = ["#E69F00", "#56B4E9", "#009E73", "#CC79A7", "#7A7A7A", "#882255"]
_MARKERS = ["^", "v", "<", ">", "P", "X", "*", "h", "p", "d", "8", "H"]
_LINES: list[Any] = ["-", (0, (5, 2)), (0, (1, 1.5)), (0, (5, 1.5, 1, 1.5))]
PANEL = (3.2, 2.6)
_MOST_COLUMNS = 3


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


def in_order(methods: Iterable[str]) -> list[str]:
    """Return method names once each: those of the registry in its order, then others.

    Examples
    --------
    >>> in_order(["RONMF-E", "mine", "NMF", "NMF"])
    ['NMF', 'RONMF-E', 'mine']
    """
    return [key[0] for key in ordered(["method"], [(name,) for name in methods])]


def datasets_of(rows: Any) -> list[str]:
    """Return the datasets of tidy rows, those of the catalog first and in its order."""
    return [key[0] for key in ordered(["dataset"], [(name,) for name in rows["dataset"]])]


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
        marker = marker if change in ("", "printed") else "p"
        return Look(color, marker, "--" if change else "-", not change, not change)
    i = others.index(method)
    turn = i // len(_COLOURS)
    # Markers come round with the colours: one step further each time makes every pair new.
    return Look(
        _COLOURS[i % len(_COLOURS)],
        _MARKERS[(i + i // len(_MARKERS)) % len(_MARKERS)],
        _LINES[turn % len(_LINES)],
        False,
    )


def styled(draw: Callable[..., Figure]) -> Callable[..., Figure]:
    """Draw under the package's text sizes, whatever the caller has set."""

    @functools.wraps(draw)
    def wrapper(*args: Any, **kwargs: Any) -> Figure:
        with matplotlib.rc_context(_TEXT):
            return draw(*args, **kwargs)

    return wrapper


def panels(
    count: int, size: tuple[float, float] = PANEL, columns: int = _MOST_COLUMNS, **share: Any
) -> tuple[Figure, list[Axes]]:
    """Return a figure of equal panels, at most three per row, that needs no screen."""
    columns = 2 if count == 4 and columns == _MOST_COLUMNS else min(count, columns)
    lines = -(-count // columns)
    if count == 1 and size == PANEL:
        size = (1.5 * size[0], 1.3 * size[1])
    figure = Figure(figsize=(size[0] * columns, size[1] * lines), layout="constrained")
    FigureCanvasAgg(figure)
    axes = list(figure.subplots(lines, columns, squeeze=False, **share).flat)
    for ax in axes[count:]:
        ax.remove()
    for ax in _bottom(axes[:count], columns):
        ax.tick_params(labelbottom=True)
    return figure, axes[:count]


def _bottom(axes: list[Axes], columns: int) -> list[Axes]:
    """Return the lowest panel of every column, also where the last row is not full."""
    return axes[-columns:]


def label_outer(axes: list[Axes], x: str, y: str) -> None:
    """Name the axes once per row and once per column of panels."""
    grid = axes[0].get_gridspec()
    columns = grid.ncols if grid else 1
    for ax in axes[::columns]:
        ax.set_ylabel(y)
    for ax in _bottom(axes, columns):
        ax.set_xlabel(x)


def legend(figure: Figure, handles: Sequence[Artist]) -> None:
    """Put a legend under the panels, as wide as fits, and give the figure the height it needs."""
    width, height = figure.get_size_inches()
    for columns in range(len(handles), 0, -1):
        drawn = figure.legend(
            handles=handles, loc="outside lower center", ncols=columns, frameon=False
        )
        box = drawn.get_window_extent()
        if box.width <= figure.bbox.width or columns == 1:
            break
        drawn.remove()
    needed = box.width / figure.dpi + 0.1
    figure.set_size_inches(max(width, needed), height + box.height / figure.dpi)
