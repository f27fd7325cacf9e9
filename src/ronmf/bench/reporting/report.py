"""All results in one HTML file that needs nothing else: who won, tables, figures, statistics."""

import hashlib
import re
from base64 import b64encode
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pandas as pd
from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup

from ...system.files import whole_file, writable
from .page.dots import dot_plot
from .page.sections import Embeddings, make_sections
from .page.switched import SPREADS
from .selection import comparable
from .verdict import give_verdict

__all__ = ["build_report"]


def build_report(
    rows: pd.DataFrame,
    path: str | Path,
    title: str = "Results",
    *,
    embeddings: Embeddings | None = None,
    report: Callable[[str, int, int], None] | None = None,
) -> None:
    """Write a report of tidy rows.

    It opens with who won, by how much and how sure that is. Tables and figures follow in the order
    of the paper; what the rows do not allow is listed at the end, with what to run. The same rows
    give the same file.

    Parameters
    ----------
    rows : DataFrame
        Tidy rows, failed runs too.
    path : str or Path
        HTML file to write or replace; it is put in place whole or not at all.
    title : str, default="Results"
        Title of the report.
    embeddings : sequence, default=None
        What rows cannot give: t-SNE of what methods found, as
        :func:`~ronmf.bench.fit_embeddings` returns it.
    report : callable, default=None
        Told how far the work is: ``report(stage, done, most)``.
    """
    path = writable(path)
    comparable(rows)  # says what is wrong with rows that no table or figure could use
    verdict = give_verdict(rows)
    sections, missing = make_sections(rows, embeddings, report or (lambda *_: None))
    script = _read("report.js")
    page = _template().render(
        title=title,
        verdict=verdict,
        plot=dot_plot(verdict.contest) if verdict.contest else None,
        sections=sections,
        missing=missing,
        versions=_versions(rows),
        leaks=int((rows["leak"] != "none").sum()),
        spreads=SPREADS,
        style=Markup(_read("report.css")),
        script=Markup(script),
        script_hash=_digest(script),
    )
    with whole_file(path) as part:
        part.write_text(page, encoding="utf-8")


def _versions(rows: pd.DataFrame) -> str:
    """Return which versions of the program's behaviour the rows are of.

    Examples
    --------
    >>> _versions(pd.DataFrame({"behaviour": [2, 1, 2]}))
    'The rows are of behaviour version 1 and 2.'
    """
    if "behaviour" not in rows:
        return ""
    found = [str(version or "unknown") for version in sorted(set(rows["behaviour"]))]
    return f"The rows are of behaviour version {' and '.join(found)}."


def _read(name: str) -> str:
    return files(__package__).joinpath("page", name).read_text(encoding="utf-8")


def _template() -> Template:
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["breakable"] = _breakable
    return environment.from_string(_read("report.html.jinja"))


def _breakable(name: str) -> Markup:
    """Return an escaped name that a narrow column may break before its inner capitals.

    Examples
    --------
    >>> str(_breakable("HarmonicLabelPropagation"))
    'Harmonic<wbr>Label<wbr>Propagation'
    >>> str(_breakable("RONMF-M"))
    'RONMF-M'
    """
    return Markup("<wbr>").join(re.split("(?<=[a-z])(?=[A-Z])", name))


def _digest(script: str) -> str:
    """Return the digest by which the page allows its own script, and no other."""
    return b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")
