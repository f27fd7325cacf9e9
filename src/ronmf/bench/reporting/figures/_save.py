"""Figures as files, whole or not at all."""

from io import BytesIO
from pathlib import Path

import matplotlib
from matplotlib.figure import Figure

from ....system.files import whole_file, writable

__all__ = ["render", "save_figure"]

_KINDS = ("png", "svg", "pdf")


def render(figure: Figure, kind: str, dpi: float = 150.0) -> bytes:
    """Return a figure as the content of a file; the same figure gives the same bytes.

    Parameters
    ----------
    figure : Figure
        What to draw.
    kind : {"png", "svg", "pdf"}
        Kind of file.
    dpi : float, default=150
        Dots an inch, of png.
    """
    buffer = BytesIO()
    date = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind, {})
    with matplotlib.rc_context({"svg.hashsalt": "ronmf", "svg.fonttype": "path"}):
        figure.savefig(buffer, format=kind, dpi=dpi, metadata=date)
    return buffer.getvalue()


def save_figure(figure: Figure, path: str | Path, dpi: float = 150.0) -> None:
    """Write a figure as png, svg or pdf, by the suffix of `path`.

    Parameters
    ----------
    figure : Figure
        What to write.
    path : str or Path
        File to write or replace.
    dpi : float, default=150
        Dots an inch, of png.
    """
    kind = Path(path).suffix.removeprefix(".").lower()
    if kind not in _KINDS:
        raise ValueError(f"path={str(path)!r} does not end in .png, .svg or .pdf; use one of them.")
    content = render(figure, kind, dpi)
    with whole_file(writable(path)) as part:
        part.write_bytes(content)
