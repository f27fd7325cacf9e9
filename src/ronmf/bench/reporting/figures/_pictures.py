"""Figures on a page: every panel a picture as wide as a phone, which a wide screen puts in rows."""

from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from matplotlib.figure import Figure

from ._save import render
from ._sheet import taken_apart

__all__ = ["Pictures", "pictures_of"]


@dataclass(frozen=True)
class Picture:
    """A picture: its address, its width in pixels, and what it shows."""

    source: str
    width: int
    alt: str


@dataclass(frozen=True)
class Pictures:
    """A figure.

    Attributes
    ----------
    panels : list of Picture
        Its legend, if it has one, and its panels.
    caption : str
        The line below them.
    wide : Picture or None
        What a wide screen shows in their place.
    """

    panels: list[Picture]
    caption: str
    wide: Picture | None = None

    @property
    def small(self) -> bool:
        """Whether two panels fit beside each other on a phone."""
        return self.panels[-1].width < 200


def pictures_of(draw: Callable[..., Figure], what: Any, caption: str) -> Pictures:
    """Return a figure for a page.

    Parameters
    ----------
    draw : callable
        What draws it.
    what : DataFrame or sequence
        What it draws.
    caption : str
        The line below it.

    Returns
    -------
    Pictures
        A figure of a single panel also has a version for wide screens.
    """
    sheet = taken_apart(draw, what)
    panels = [_picture(figure, caption) for figure in sheet.figures]
    if len(panels) > len(sheet.axes):
        panels.insert(0, panels.pop())  # who reads curves needs the legend first
    return Pictures(
        panels, caption, _picture(draw(what), caption) if len(sheet.axes) == 1 else None
    )


def _picture(figure: Figure, caption: str) -> Picture:
    titles = [ax.get_title() for ax in figure.axes if ax.get_title()]
    alt = f"{caption} {titles[0]}." if titles else caption if figure.axes else "Legend."
    data = b64encode(render(figure, "svg")).decode("ascii")
    width = round(96 * figure.get_size_inches()[0])
    return Picture(f"data:image/svg+xml;base64,{data}", width, alt)
