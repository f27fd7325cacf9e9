"""A warning for every script, style sheet, font or picture that a page would fetch from elsewhere.

With ``sphinx-build -W`` the pages are then known to look the same without a connection.
"""

import re
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.util import logging

FETCHED = re.compile(
    r"""<(?:script|img|iframe|source)\b[^>]*\bsrc(?:set)?=["']((?:https?:)?//[^"']+)"""
    r"""|<link\b[^>]*\bhref=["']((?:https?:)?//[^"']+)"""
    r"""|(?:url\(|@import )["']?((?:https?:)?//[^"')]+)"""
)


def fetched(text: str) -> list[str]:
    """Return the addresses that a browser fetches for a page or a style sheet by itself."""
    return [next(filter(None, found)) for found in FETCHED.findall(text)]


def _look(app: Sphinx, exception: Exception | None) -> None:
    if exception is not None or app.builder.format != "html":
        return
    for file in sorted(Path(app.outdir).rglob("*")):
        if file.suffix in (".html", ".css"):
            for address in fetched(file.read_text(encoding="utf-8")):
                logging.getLogger(__name__).warning("%s fetches %s", file.name, address)


def setup(app: Sphinx) -> dict[str, bool]:
    """Look through the pages when they are written."""
    app.connect("build-finished", _look)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
