"""Equal panels in one figure, and each of them in a figure of its own.

On paper and on a wide screen panels stand side by side and share axes and a legend. A page that
phones show too takes them apart: each panel then has its own axes and the width of a phone, and the
legend is one more picture.
"""

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.gridspec import GridSpec, GridSpecBase

from ._style import TEXT

__all__ = ["label_panels", "legend", "panels", "styled", "taken_apart"]

_PANEL = (3.2, 2.6)
_PHONE = 3.7  # inches: where a page has 355 pixels, texts of 8.5 points keep their 11
_MOST_COLUMNS = 3


def styled(draw: Callable[..., Figure]) -> Callable[..., Figure]:
    """Draw under the package's text sizes, whatever the caller has set."""

    @functools.wraps(draw)
    def wrapper(*args: Any, **kwargs: Any) -> Figure:
        with matplotlib.rc_context(TEXT):
            return draw(*args, **kwargs)

    return wrapper


def panels(
    count: int, size: tuple[float, float] = _PANEL, columns: int = _MOST_COLUMNS, **share: Any
) -> tuple[Figure, list[Axes]]:
    """Return a figure of equal panels, at most three per row, that needs no screen."""
    columns = 2 if count == 4 and columns == _MOST_COLUMNS else min(count, columns)
    lines = -(-count // columns)
    if count == 1:  # wide enough for the words along its axis
        height = 1.3 * size[1] if size == _PANEL else size[1]
        size = (max(size[0], 1.5 * _PANEL[0]), height)
    figure = _new_figure(size[0] * columns, size[1] * lines)
    axes = list(figure.subplots(lines, columns, squeeze=False, **share).flat)
    for ax in axes[count:]:
        ax.remove()
    for ax in axes[max(0, count - columns) : count]:  # also where the last row is not full
        ax.tick_params(labelbottom=True)
    return figure, axes[:count]


def _new_figure(width: float, height: float) -> Figure:
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def label_panels(axes: Sequence[Axes], x: str, y: str) -> None:
    """Name the axes, to be seen once per row and once per column of panels."""
    columns = _grid(axes[0]).ncols
    for i, ax in enumerate(axes):
        ax.set_ylabel(y, visible=i % columns == 0)
        ax.set_xlabel(x or ax.get_xlabel(), visible=i + columns >= len(axes))


def _grid(ax: Axes) -> GridSpecBase:
    place = ax.get_subplotspec()
    assert place is not None
    return place.get_gridspec()


def legend(figure: Figure, handles: Sequence[Any], loc: Any = "outside lower center") -> None:
    """Put a legend under the panels, as wide as fits, in the height it needs."""
    width, height = figure.get_size_inches()
    for columns in range(len(handles), 0, -1):
        drawn = figure.legend(handles=handles, loc=loc, ncols=columns, frameon=False)
        box = drawn.get_window_extent()
        if box.width <= figure.bbox.width or columns == 1:
            break
        drawn.remove()
    needed = box.width / figure.dpi + 0.1
    figure.set_size_inches(max(width, needed), height + box.height / figure.dpi)


def taken_apart(figure: Figure) -> Iterator[Figure]:
    """Yield the legend of a figure, if it has one, and its panels, each as wide as a phone.

    The figure itself is laid out anew for every panel: draw one before the next.
    """
    height = figure.get_size_inches()[1] / _grid(figure.axes[0]).nrows
    with matplotlib.rc_context(TEXT):
        for each in figure.legends:
            alone = _new_figure(_PHONE, 0.1)
            legend(alone, each.legend_handles, "center")
            yield alone
        scales = [image.colorbar for ax in figure.axes for image in ax.get_images()]
        for scale in filter(None, scales):
            scale.remove()  # its numbers stand in the cells
        figure.set_size_inches(_PHONE, height)
        for other in [*figure.legends, *figure.texts]:
            other.set(visible=False, in_layout=False)
        for ax in [ax for ax in figure.axes if ax.get_title()]:
            ax.set_subplotspec(GridSpec(1, 1, figure)[0])
            for other in figure.axes:
                other.set(visible=other is ax, in_layout=other is ax)
            ax.tick_params(labelleft=True, labelbottom=True)
            for axis in (ax.xaxis, ax.yaxis):
                axis.label.set_visible(True)
            yield figure
