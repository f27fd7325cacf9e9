"""All results in one HTML file that needs nothing else: who won, tables, figures, statistics."""

import hashlib
import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any

import pandas as pd
from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from ...metrics import METRICS
from ...system.files import whole_file, writable
from ..running.settings import SETTINGS
from . import selection
from .figures import FIGURES, pictures_of
from .page import plain
from .page.dots import dot_plot
from .page.switched import SwitchedTable
from .reference import Reference
from .tables import TABLES
from .verdict import give_verdict

__all__ = ["Part", "build_report"]


_CAPTIONS = {
    "boxes": "Spread over seeds on clean data: quartiles, median, and runs beyond the whiskers.",
    "critical_difference": (
        "Average ranks over datasets on clean data; a bar joins methods that Nemenyi's test does"
        " not tell apart."
    ),
    "classes": "Against the number of classes: mean over seeds and a band of one deviation.",
    "noise": "Against the level of each noise: mean over seeds and a band of one deviation.",
    "ablation": "The method unchanged and its variants: mean over seeds and one deviation.",
    "time": (
        "Against run time on clean data; the grey line joins methods that none beats in both."
    ),
}


@dataclass(frozen=True)
class Part:
    """One thing of the report under its own heading.

    Attributes
    ----------
    section, anchor, title : str
        The heading it belongs to, its anchor and its own heading.
    make : callable
        Returns what it shows: a SwitchedTable, a Table, Pictures or a text; None for nothing.
    folded : bool
        Whether a reader must open it to see it.
    content : object
        What was made; or why it could not be.
    """

    section: str
    anchor: str
    title: str
    make: Callable[[], Any]
    folded: bool = False
    content: Any = None

    @property
    def kind(self) -> str:
        """The name of the content's kind, for the template."""
        return type(self.content).__name__

    @property
    def stage(self) -> str:
        """What stage of the work it belongs to."""
        return "figures" if self.anchor.startswith("figure") else "tables"


def build_report(
    rows: pd.DataFrame,
    path: str | Path,
    title: str = "Results",
    *,
    reference: Reference | None = None,
    more: Sequence[Part] = (),
    report: Callable[[str, int, int], None] | None = None,
) -> None:
    """Write a report of tidy rows.

    It opens with who won, by how much and how sure that is. Tables and figures follow; what the
    rows do not allow is listed at the end, with what to run. The same rows give the same file.

    Parameters
    ----------
    rows : DataFrame
        Tidy rows, failed runs too.
    path : str or Path
        HTML file to write or replace; it is put in place whole or not at all.
    title : str, default="Results"
        Title of the report.
    reference : Reference, default=None
        Results from elsewhere, which tables can show beside ours.
    more : sequence of Part, default=()
        Further parts, which stand before the account of the runs.
    report : callable, default=None
        Receives how far the work is: ``report(stage, done, most)``.
    """
    path = writable(path)
    selection.comparable(rows)  # says what is wrong with rows that no table or figure could use
    parts = list(_make(_parts(rows, reference, more), report or (lambda *_: None)))
    sections: dict[str, list[Part]] = {}
    for part in parts:
        if part.content is not None and not isinstance(part.content, ValueError):
            sections.setdefault(part.section, []).append(part)
    opening = give_verdict(rows)
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["breakable"] = _breakable
    environment.filters["slug"] = lambda name: name.lower().replace(" ", "-")
    script = _read("report.js")
    page = environment.from_string(_read("report.html.jinja")).render(
        title=title,
        verdict=opening,
        picture=dot_plot(opening.contest) if opening.contest else None,
        sections=sections,
        missing=[part for part in parts if isinstance(part.content, ValueError)],
        numbers=reference.numbers if reference else {},
        versions=_versions(rows),
        leaks=int((rows["leak"] != "none").sum()),
        style=Markup(_read("report.css")),
        script=Markup(script),
        # by which the page allows its own script, and no other
        script_hash=b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii"),
    )
    with whole_file(path) as file:
        file.write_text(page, encoding="utf-8")


def _parts(rows: pd.DataFrame, reference: Reference | None, more: Sequence[Part]) -> list[Part]:
    def table(
        select: Callable[..., pd.DataFrame], *arguments: Any, across: Sequence[str], **facts: Any
    ) -> Callable[[], SwitchedTable]:
        facts = {"down": ["method"], **facts}
        return lambda: SwitchedTable(select(rows, *arguments), across=across, **facts)

    def over(setting: str, select: Callable[..., pd.DataFrame], *arguments: str) -> Any:
        words = f"Columns: {SETTINGS[setting].heading}"
        return table(select, *arguments, across=[setting], more=words, paged=True)

    def figure(name: str) -> Callable[[], Any]:
        return lambda: pictures_of(FIGURES[name](rows), _CAPTIONS[name])

    by_dataset, levels = ["dataset"], ["noise", "noise_level"]
    return [
        Part("Clean data", "table-clean", "Scores",
             table(selection.clean, across=by_dataset, reference=reference)),
        Part("Clean data", "figure-time", "Accuracy and run time", figure("time")),
        Part("Clean data", "table-time", "Run time",
             table(selection.clean, across=by_dataset, metrics=["seconds"])),
        Part("Number of classes", "figure-classes", "Curves", figure("classes")),
        Part("Number of classes", "table-classes", "Scores by number of classes",
             over("n_classes", selection.varied, "n_classes")),
        Part("Noise", "figure-noise", "Curves by level", figure("noise")),
        Part("Noise", "table-noise", "Scores under noise",
             table(selection.noisy, across=levels, paged=True, reference=reference)),
        Part("Labels and weights", "table-label_rate", "Scores by share of labels",
             over("label_rate", selection.varied, "label_rate")),
        Part("Labels and weights", "table-labels_per_class", "Scores by labels of each class",
             over("labels_per_class", selection.few_labels)),
        Part("Ranks over datasets", "figure-critical_difference", "Critical difference",
             figure("critical_difference")),
        *(Part("Ranks over datasets", f"table-ranks-{metric}",
               f"Ranks by {METRICS[metric].short}, and what may be concluded",
               partial(TABLES["ranks"], rows, metric), metric != "acc")
          for metric in METRICS if f"{metric}_unlabelled" in rows),
        Part("What each part is worth", "table-ablation", "Scores of variants",
             table(selection.variants, across=by_dataset, down=["method", "variant"])),
        Part("What each part is worth", "figure-ablation", "Accuracy of variants",
             figure("ablation")),
        Part("Spread over draws", "figure-boxes", "Box plots", figure("boxes")),
        *more,
        Part("The runs", "runs-overview", "Overview", partial(plain.overview, rows)),
        Part("The runs", "runs-failed", "Failed runs", partial(plain.failed_table, rows)),
        Part("The runs", "runs-experiments", "Experiments",
             partial(plain.experiments_table, rows), True),
        Part("The runs", "runs-counts", "Runs by method and dataset",
             partial(plain.runs_table, rows), True),
    ]  # fmt: skip


def _make(parts: Sequence[Part], report: Callable[[str, int, int], None]) -> Iterable[Part]:
    """Yield the parts with what they show; what the rows do not allow is a ValueError."""
    for part in parts:
        same = [other for other in parts if other.stage == part.stage]
        report(part.stage, same.index(part), len(same))
        try:
            content = part.make()
        except ValueError as error:
            content = error
        yield replace(part, content=content)
        report(part.stage, same.index(part) + 1, len(same))


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
