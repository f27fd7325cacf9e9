"""A report of a fit: one page with everything in it."""

from __future__ import annotations

import html
import os
import platform
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from ..labels.uncertainty import strangers
from ..system.files import user_path, whole_file, writable
from ..system.plain_text import counted, short_name
from ._contents import DOUBTFUL, class_hints, cluster_list, picture_urls
from ._curves import curve
from ._gallery import Gallery, ReportRequest, Tile

__all__ = ["Report", "ReportRequest", "build_report"]

_SHOWN = 24  # samples to label next, doubted labels, outliers
_MOST_PARTS = 60
_GROUPS = 12  # near-duplicates
_ODD = 2.0  # times as odd as the median sample
_WRONG = 0.5  # probability of a label below which it is doubted
_SHORT = 44  # characters of a name under a picture


@dataclass(frozen=True)
class Report:
    """A page about a fit, as text; a notebook shows it.

    Attributes
    ----------
    html : str
        The whole page.
    """

    html: str

    def save(self, path: str | os.PathLike) -> Path:
        """Write the page to a file, whole or not at all, and return where."""
        target = writable(user_path(path))
        with whole_file(target) as part:
            part.write_text(self.html, encoding="utf-8")
        return target

    def _repr_html_(self) -> str:
        # In a frame of its own: styles of the page must not reach the notebook's.
        page = html.escape(self.html, quote=True)
        return (
            f'<iframe srcdoc="{page}" title="Report of a fit" sandbox=""'
            ' style="width: 100%; height: 36rem; border: 1px solid #888"></iframe>'
        )


def build_report(
    model: Any,
    request: ReportRequest,
    callback: Callable[[int, int], Any] = lambda done, total: None,
) -> Report:
    """Make the report of a fitted estimator.

    Parameters
    ----------
    model : estimator
        A fitted one, with probabilities and a graph.
    request : ReportRequest
        What else is shown.
    callback : callable
        ``callback(done, total)`` is called after every cluster.
    """
    gallery = Gallery(model, request)
    hints = class_hints(model) if request.hints is None else request.hints
    name = str if gallery.files is None else gallery.name

    def say(trouble: Any) -> str:
        return str(trouble.sentence(request.sentences, name))

    n, n_labels, scores = len(model.labels_), int((gallery.given >= 0).sum()), model.outlier_score_
    clusters = counted(len(model.classes_), "cluster")
    odd = [i for i in np.argsort(-scores)[:_SHOWN] if scores[i] >= _ODD]
    novelty, new = model.novelty_, strangers(model)
    new = new[np.argsort(-novelty[new], kind="stable")]
    history, copies = model.history_, request.duplicates or []
    curves = (
        curve("Objective", objective=list(history.objective)),
        curve("Residuals", log=True, primal=history.primal, dual=history.dual),
    )
    weights = np.asarray(model.group_weights_, dtype=float)
    page = _template().render(
        title=request.title or f"{counted(n, 'picture')} in {clusters}",
        n_samples=n,
        n_labels=n_labels,
        n_doubtful=int((gallery.certainty < DOUBTFUL).sum()),
        doubtful=DOUBTFUL,
        accuracy=_accuracy(gallery),
        troubles=[say(trouble) for trouble in model.diagnose()],
        hints=[*map(say, hints), *request.notes],
        clusters=cluster_list(gallery, callback),
        to_label=gallery.tiles(model.query(min(_SHOWN, n))) if n_labels < n else [],
        issues=_issues(gallery, model.label_issues() if request.issues is None else request.issues),
        duplicates=[gallery.tiles(group[:_SHOWN]) for group in copies[:_GROUPS]],
        looked_for_duplicates=request.duplicates is not None,
        n_duplicates=len(copies),
        strangers=[gallery.tile(i, f"{novelty[i]:.0%}") for i in new[:_SHOWN]],
        n_strangers=len(new),
        odd=[gallery.tile(i, f"{scores[i]:.1f}") for i in odd],
        parts=picture_urls(model, model.components_[:_MOST_PARTS]),
        set_aside=int((weights <= 0).sum()),
        n_groups=len(weights),
        groups="samples" if model.groups == "samples" else "features",
        curves=[plot for plot in curves if plot is not None],
        skipped=request.skipped,
        facts={**_facts(model), **(request.facts or {})},
    )
    return Report(page)


def _accuracy(gallery: Gallery) -> float | None:
    """Return the share of unlabelled samples that are right, if the truth is given."""
    if gallery.truth is None:
        return None
    judged = (gallery.given < 0) & (gallery.truth != "")
    right = gallery.names[gallery.model.labels_] == gallery.truth
    return float(right[judged].mean()) if judged.any() else None


def _issues(gallery: Gallery, issues: Any) -> list[Tile]:
    """Return the given labels that look wrong, with what the others suggest."""
    names = dict(zip(gallery.model.classes_.tolist(), gallery.names, strict=True))
    wrong = np.flatnonzero((issues.quality < _WRONG) & (issues.suggested != issues.given))
    return [
        gallery.tile(
            issues.samples[i], f"{names[issues.given[i]]}? rather {names[issues.suggested[i]]}"
        )
        for i in wrong[:_SHOWN]
    ]


def _facts(model: Any) -> dict[str, str]:
    graph = model.graph_summary_
    report = getattr(model, "graph_report_", None)
    chosen = {}
    if report is not None:
        used = [f"{c.recipe} ({c.share:.2f})" for c in report.candidates if c.share > 0]
        chosen = {"Graphs chosen, with their shares": "; ".join(used)}
    settings = ", ".join(
        f"{name}={value!r}"
        for name, value in sorted(model.get_params(deep=False).items())
        if value is not None and name not in ("checkpoint", "verbose")
    )
    versions = []
    for package in ("ronmf", "numpy", "scipy", "scikit-learn", "onnxruntime", "torch"):
        with suppress(PackageNotFoundError):
            versions.append(f"{package} {version(package)}")
    versions.append(f"Python {platform.python_version()}")
    return {
        **chosen,
        "Neighbour graph": f"{graph['edges']} edges, {graph['components']} connected components",
        "Sweeps": f"{model.n_iter_}; {model.stop_reason_}",
        "Settings": f"{type(model).__name__}({settings})",
        "Versions": ", ".join(versions),
    }


def _template() -> Any:
    try:
        import PIL  # noqa: F401
        from jinja2 import Environment, PackageLoader, StrictUndefined
    except ImportError as error:
        raise ImportError(f"a report needs {error.name}: pip install 'ronmf[images]'") from error
    environment = Environment(
        loader=PackageLoader("ronmf", "displays"),
        autoescape=True,  # names of files and classes may hold anything
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"counted": counted, "short": lambda name: short_name(name, _SHORT)}
    return environment.get_template("report.html")
