"""Figures as files, whole or not at all."""

import os
from io import BytesIO
from pathlib import Path

import matplotlib
from matplotlib.figure import Figure

__all__ = ["folder_exists", "render", "save", "write_whole"]

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


def save(figure: Figure, path: str | Path, dpi: float = 150.0) -> None:
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
    write_whole(path, render(figure, kind, dpi))


def folder_exists(path: str | Path) -> Path:
    """Return `path` if its folder exists: better said before the work than after."""
    path = Path(path)
    if not path.parent.is_dir():
        raise FileNotFoundError(f"the folder {path.parent} of path does not exist; make it first.")
    return path


def write_whole(path: str | Path, content: bytes) -> None:
    """Write a file beside `path`, then put it in place, so that no half of it is ever there."""
    path = folder_exists(path)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        part.write_bytes(content)
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
