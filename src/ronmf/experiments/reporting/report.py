"""All results in one HTML file that needs nothing else: summary, tables, statistics, figures."""

import math
from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any

import pandas as pd
from jinja2 import Environment, StrictUndefined
from markupsafe import Markup
from matplotlib.figure import Figure

from ...metrics import METRICS, SCOPES
from ...system.files import whole_file, writable
from ..running.settings import SETTINGS, names_of
from . import tables
from .captions import labels_text
from .figures import CAPTIONS, FIGURES, clean_ranking, render
from .figures._style import datasets_of, in_order
from .selection import clean, comparable, noisy, variants, varied
from .summaries import COSTS
from .table_formats import Cell, Table, to_html

__all__ = ["build_report"]

_VERSIONS = ("ronmf", "python", "numpy", "scipy", "sklearn")
_SETTINGS = (
    *("experiment", "runs", "failed", "datasets", "methods"),
    *("classes", "labels", "noise", "seeds"),
)
_NO_EMBEDDING = 'rows hold no embeddings; give extra_figures={"tsne": tsne_figure(dataset)}.'


@dataclass(frozen=True)
class Item:
    """One entry of the report: a table, a figure or sentences under a heading.

    Attributes
    ----------
    anchor, title : str
        Its anchor and its heading.
    content : str
        HTML to show, empty where there is none; its texts are escaped already.
    text : str
        Sentences to show; what to run where the rows do not allow the content.
    """

    anchor: str
    title: str
    content: str = ""
    text: str = ""


def build_report(
    rows: pd.DataFrame,
    path: str | Path,
    title: str = "Results",
    extra_figures: Mapping[str, Figure] | None = None,
) -> None:
    """Write a report of tidy rows.

    Every table and figure that the rows allow is in it; where they do not, a sentence says what
    to run. The same rows give the same file.

    Parameters
    ----------
    rows : DataFrame
        Tidy rows, failed runs too.
    path : str or Path
        HTML file to write or replace; it is put in place whole or not at all.
    title : str, default="Results"
        Heading of the report.
    extra_figures : mapping of str to Figure, default=None
        Figures to add that rows cannot give, such as ``{"tsne": tsne(...)}``.
    """
    path = writable(path)
    comparable(rows)  # says what is wrong with rows that no table or figure could use
    sections = {
        "Summary": _summary(rows),
        "Tables": _tables(rows),
        "Statistics": _statistics(rows),
        "Figures": _figures(rows, extra_figures or {}),
    }
    leaks = int((rows["leak"] != "none").sum())
    source = files(__package__).joinpath("report.html.jinja").read_text(encoding="utf-8")
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    page = environment.from_string(source).render(title=title, sections=sections, leaks=leaks)
    with whole_file(path) as part:
        part.write_text(page, encoding="utf-8")


def _summary(rows: pd.DataFrame) -> list[Item]:
    failed = rows[rows["status"] != "ok"]
    methods = in_order(rows["method"])
    facts = {
        "Runs": f"{len(rows)}, of which {len(failed)} failed",
        "Datasets": ", ".join(datasets_of(rows)),
        "Methods": f"{len(methods)}: {', '.join(methods)}",
        "Seeds": str(rows["seed"].nunique()),
        "Total run time": _duration(float(rows["seconds"].sum())),
        "Versions": "; ".join(
            f"{name} {' and '.join(sorted(set(rows[name].dropna().astype(str))))}"
            for name in _VERSIONS
            if name in rows
        ),
    }
    table = _plain_table("All runs together", ("what", "value"), list(facts.items()))
    items = [Item("summary-overview", "Overview", table)]
    sections = [
        (name, len(part), int((part["status"] != "ok").sum()), *_settings(part))
        for name, part in rows.groupby("experiment", sort=False)
    ]
    table = _plain_table("Settings of each experiment of the plan", _SETTINGS, sections)
    items.append(Item("summary-experiments", "Experiments", table))
    if failed.empty:
        return [*items, Item("summary-failures", "Failed runs", text="No run failed.")]
    same = ["experiment", "dataset", "method", "reason"]
    groups = failed.fillna({"reason": ""}).groupby(same, sort=False)["seed"]
    lines = [(*key, len(seeds), _list(seeds)) for key, seeds in groups]
    table = _plain_table("Failed runs by reason", (*same, "runs", "seeds"), lines)
    return [*items, Item("summary-failures", "Failed runs", table)]


def _settings(part: pd.DataFrame) -> tuple[str, ...]:
    kinds = part.groupby("noise", sort=False)["noise_level"]
    noises = [kind if kind == "none" else f"{kind} {_list(levels)}" for kind, levels in kinds]
    return (
        ", ".join(datasets_of(part)),
        ", ".join(in_order(part["method"])),
        _list(part["n_classes"]),
        labels_text(part),
        "; ".join(noises),
        _list(part["seed"]),
    )


def _list(values: pd.Series) -> str:
    """Return the distinct numbers in order, many whole ones as a range; a missing one means all.

    Examples
    --------
    >>> _list(pd.Series([3, 2, 4, 4])), _list(pd.Series([0.3, 0.1, None]))
    ('2–4', '0.1, 0.3, all')
    """
    numbers = sorted(set(values.dropna()))
    texts = [f"{value:g}" for value in numbers]
    if len(numbers) > 2 and numbers == list(range(int(numbers[0]), int(numbers[-1]) + 1)):
        texts = [f"{texts[0]}–{texts[-1]}"]
    return ", ".join(texts + ["all"] * bool(values.isna().any()))


def _duration(seconds: float) -> str:
    """Return seconds in words.

    Examples
    --------
    >>> _duration(3725.0)
    '1 h 2 min 5 s'
    """
    hours, rest = divmod(round(seconds), 3600)
    minutes, rest = divmod(rest, 60)
    parts = [f"{hours} h"] * (hours > 0) + [f"{minutes} min"] * (hours + minutes > 0)
    return " ".join([*parts, f"{rest} s"])


def _plain_table(title: str, header: tuple[str, ...], lines: list[tuple[Any, ...]]) -> str:
    cells = tuple(tuple(Cell(str(value)) for value in line) for line in lines)
    return to_html(Table(title, "", header, 1, cells))


def _tables(rows: pd.DataFrame) -> list[Item]:
    by_variant = (["dataset", "method"], "variant", "acc")
    items = []
    for metric, names in METRICS.items():
        for scope in SCOPES:
            head = (
                f"table-clean-{metric}-{scope}",
                f"{names.short} on clean data, {scope} samples",
            )
            items.append(_table(*head, rows, clean, tables.clean_table, metric, scope))
    for scope in SCOPES:
        head = (f"table-noise-{scope}", f"ACC under noise, {scope} samples")
        items.append(_table(*head, rows, noisy, tables.noise_table, "acc", scope))
    for scope in SCOPES:
        head = (f"table-ablation-{scope}", f"ACC of variants, {scope} samples")
        items.append(_table(*head, rows, variants, tables.wide_table, *by_variant, scope))
    for setting in names_of("condition", listed=True, missing=math.inf):
        head = (f"table-{setting}", f"ACC by {SETTINGS[setting].heading}, unlabelled samples")
        select = partial(varied, setting=setting)
        items.append(_table(*head, rows, select, tables.wide_table, ["dataset", setting], "method"))
    for cost, words in COSTS.items():
        head = (f"table-{cost}", f"{words} on clean data")
        items.append(_table(*head, rows, clean, tables.wide_table, "dataset", "method", cost))
    return items


def _table(
    anchor: str,
    title: str,
    rows: pd.DataFrame,
    select: Callable[[pd.DataFrame], pd.DataFrame],
    make: Callable[..., Table],
    *settings: Any,
) -> Item:
    """Return a table of selected rows, or the sentence that tells why there is none."""
    try:
        return Item(anchor, title, to_html(make(select(rows), *settings)))
    except ValueError as error:
        return Item(anchor, title, text=f"Not shown: {error}")


def _statistics(rows: pd.DataFrame) -> list[Item]:
    items = []
    for metric, names in METRICS.items():
        try:
            ranking, left_out = clean_ranking(rows, f"{metric}_unlabelled")
            text = ranking.describe()
            if left_out:
                text += f" Left out, not run everywhere: {', '.join(left_out)}."
        except ValueError as error:
            text = f"Not shown: {error}"
        items.append(
            Item(f"statistics-{metric}", f"{names.short} on unlabelled samples", text=text)
        )
    return items


def _figures(rows: pd.DataFrame, extra: Mapping[str, Figure]) -> list[Item]:
    items = []
    for name, draw in FIGURES.items():
        try:
            items.append(_figure(name, draw(rows)))
        except ValueError as error:
            items.append(Item(f"figure-{name}", name.replace("_", " "), text=f"Not shown: {error}"))
    if "tsne" not in extra:
        items.append(Item("figure-tsne", "tsne", text=f"Not shown: {_NO_EMBEDDING}"))
    return [*items, *(_figure(name, figure) for name, figure in extra.items())]


def _figure(name: str, figure: Figure) -> Item:
    """Return a figure as a picture in the page: sharp at any size, and apart from its styles."""
    data = b64encode(render(figure, "svg")).decode("ascii")
    width = round(96 * figure.get_size_inches()[0])
    caption = CAPTIONS.get(name, name)
    shown = ", ".join(ax.get_title() for ax in figure.axes if ax.get_title())
    content = Markup(
        '<figure><img alt="{}" width="{}" src="data:image/svg+xml;base64,{}">'
        "<figcaption>{}</figcaption></figure>"
    ).format(f"{caption} Panels: {shown}." if shown else caption, width, data, caption)
    return Item(f"figure-{'-'.join(name.split())}", name.replace("_", " "), content)
