"""A figure as a sheet of panels: all in one picture, or each a picture of its own.

On paper and on a wide screen panels stand side by side and share axes and a legend. A page that
phones show too takes them apart: each panel then has its own axes and the width of a phone, and the
legend is one more picture.
"""

import functools
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import matplotlib
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from ._style import TEXT

__all__ = ["PANEL", "Sheet", "drawn_apart", "panels", "styled", "taken_apart"]

PANEL = (3.2, 2.6)
_PHONE = 3.7  # inches: where a page has 355 pixels, texts of 8.5 points keep their 11
_MOST_COLUMNS = 3
_apart: ContextVar[bool] = ContextVar("_apart", default=False)


def drawn_apart() -> bool:
    """Return whether panels are to be figures of their own."""
    return _apart.get()


@dataclass
class Sheet:
    """Panels of one figure.

    Attributes
    ----------
    figures : list of Figure
        One, or one for each panel and last the legend.
    axes : list of Axes
        The panels, row by row.
    columns : int
        Panels in a row.
    shared : tuple of {"x", "y"}
        Axes with the same limits in all panels.
    apart : bool
        Whether every panel is a figure of its own.
    """

    figures: list[Figure]
    axes: list[Axes]
    columns: int
    shared: tuple[str, ...] = ()
    apart: bool = field(default_factory=drawn_apart)

    @property
    def leaders(self) -> list[Axes]:
        """The panels on which to set what all share."""
        return self.axes if self.apart else self.axes[:1]

    def is_lowest(self, i: int) -> bool:
        """Return whether no panel stands below this one in its column."""
        return self.apart or i + self.columns >= len(self.axes)

    def label(self, x: str, y: str) -> None:
        """Name the axes once per row and once per column of panels."""
        for i, ax in enumerate(self.axes):
            if self.apart or i % self.columns == 0:
                ax.set_ylabel(y)
            if self.is_lowest(i):
                ax.set_xlabel(x)

    def legend(self, handles: Sequence[Artist]) -> None:
        """Put a legend under the panels, as wide as fits, in the height it needs."""
        if self.apart:
            self.figures.append(_new_figure(_PHONE, 0.1))
        figure = self.figures[-1]
        width, height = figure.get_size_inches()
        for columns in range(len(handles), 0, -1):
            drawn = figure.legend(
                handles=handles,
                loc="center" if self.apart else "outside lower center",
                ncols=columns,
                frameon=False,
            )
            box = drawn.get_window_extent()
            if box.width <= figure.bbox.width or columns == 1:
                break
            drawn.remove()
        needed = box.width / figure.dpi + 0.1
        figure.set_size_inches(max(width, needed), height + box.height / figure.dpi)

    def agree(self) -> None:
        """Give panels that are apart the limits they would share."""
        for name in self.shared if self.apart else ():
            limits = [getattr(ax, f"get_{name}lim")() for ax in self.axes]
            ends = min(map(min, limits)), max(map(max, limits))
            turned = limits[0][0] > limits[0][1]
            for ax in self.axes:
                getattr(ax, f"set_{name}lim")(ends[::-1] if turned else ends)


def panels(
    count: int, size: tuple[float, float] = PANEL, columns: int = _MOST_COLUMNS, **share: Any
) -> Sheet:
    """Return equal panels, at most three per row, that need no screen."""
    shared = tuple(name.removeprefix("share") for name, kind in share.items() if kind is True)
    if drawn_apart():
        width = _PHONE / max(1, int(_PHONE / size[0]))
        figures = [_new_figure(width, size[1]) for _ in range(count)]
        return Sheet(figures, [figure.subplots() for figure in figures], 1, shared)
    columns = 2 if count == 4 and columns == _MOST_COLUMNS else min(count, columns)
    lines = -(-count // columns)
    if count == 1 and size == PANEL:
        size = (1.5 * size[0], 1.3 * size[1])
    figure = _new_figure(size[0] * columns, size[1] * lines)
    axes = list(figure.subplots(lines, columns, squeeze=False, **share).flat)
    for ax in axes[count:]:
        ax.remove()
    sheet = Sheet([figure], axes[:count], columns, shared)
    for i, ax in enumerate(sheet.axes):
        if sheet.is_lowest(i):  # also where the last row is not full
            ax.tick_params(labelbottom=True)
    return sheet


def _new_figure(width: float, height: float) -> Figure:
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def styled(draw: Callable[..., Sheet]) -> Callable[..., Figure]:
    """Draw one figure under the package's text sizes, whatever the caller has set."""

    @functools.wraps(draw)
    def wrapper(*args: Any, **kwargs: Any) -> Figure:
        with matplotlib.rc_context(TEXT):
            return draw(*args, **kwargs).figures[0]

    return wrapper


def taken_apart(draw: Callable[..., Figure], *args: Any) -> Sheet:
    """Return what a styled function draws as panels of their own, each as wide as a phone.

    Parameters
    ----------
    draw : callable
        A function of ``FIGURES``, or ``tsne``.
    *args
        What it draws.
    """
    plain: Callable[..., Sheet] = draw.__wrapped__  # type: ignore[attr-defined]
    token = _apart.set(True)
    try:
        with matplotlib.rc_context(TEXT):
            sheet = plain(*args)
            sheet.agree()
            return sheet
    finally:
        _apart.reset(token)
