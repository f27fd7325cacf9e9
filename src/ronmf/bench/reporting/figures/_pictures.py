"""Figures on a page: every panel a picture as wide as a phone, which a wide screen puts in rows."""

from base64 import b64encode
from dataclasses import dataclass

from matplotlib.figure import Figure

from ._panels import taken_apart
from ._save import render

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
    wide: Picture | None


def pictures_of(figure: Figure, caption: str) -> Pictures:
    """Return a figure for a page; one with a single panel also has a version for wide screens."""
    wide = _picture(figure, caption) if len(figure.axes) == 1 else None
    return Pictures([_picture(part, caption) for part in taken_apart(figure)], caption, wide)


def _picture(figure: Figure, caption: str) -> Picture:
    titles = [ax.get_title() for ax in figure.axes if ax.get_visible() and ax.get_title()]
    alt = f"{caption} {titles[0]}." if titles else caption if figure.axes else "Legend."
    data = b64encode(render(figure, "svg")).decode("ascii")
    width = round(96 * figure.get_size_inches()[0])
    return Picture(f"data:image/svg+xml;base64,{data}", width, alt)
