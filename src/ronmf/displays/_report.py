"""A report of a fit: one page with everything in it."""

from __future__ import annotations

import html
import os
import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from ..system.files import user_path, whole_file, writable
from ..system.plain_text import counted
from ._contents import DOUBTFUL, Gallery, class_hints, cluster_list, parts_of
from ._curves import curve
from ._tiles import Tiles

__all__ = ["Report", "ReportRequest", "build_report"]

_SHOWN = 24  # samples to label next, doubted labels, outliers
_MOST_PARTS = 60
_GROUPS = 12  # near-duplicates
_STRANGE = 2.0  # times as strange as the median sample


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


@dataclass(frozen=True, kw_only=True, eq=False)
class ReportRequest:
    """What a report shows beside the fit.

    Attributes
    ----------
    images, files, root, truth, title, facts
        See :meth:`ronmf.RONMF.report`.
    names : sequence of str or None
        What clusters are called; None: as the classes.
    duplicates : list of arrays of int, or None
        Groups of samples that are nearly the same; None if nobody looked.
    issues : LabelIssues or None
        The given labels, ranked; None: they are asked for.
    hints : sequence of Trouble or None
        What :func:`ronmf.displays._contents.class_hints` finds; None: it is called.
    sentences : mapping or None
        What to say of troubles, see :class:`ronmf.estimators.trouble.Trouble`.
    notes : sequence of str
        More sentences that the reader should see.
    skipped : sequence of Skipped
        Files that were passed over.
    """

    images: Any = None
    files: Sequence[str | os.PathLike] | None = None
    root: str | os.PathLike | None = None
    truth: Any = None
    title: str | None = None
    names: Sequence[str] | None = None
    facts: Mapping[str, Any] | None = None
    duplicates: Sequence[np.ndarray] | None = None
    issues: Any = None
    hints: Sequence[Any] | None = None
    sentences: Mapping[str, str] | None = None
    notes: Sequence[str] = ()
    skipped: Sequence[Any] = ()


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
    n, duplicates = len(model.labels_), request.duplicates
    known = None if request.truth is None else _texts(request.truth, model.classes_)
    if known is not None and len(known) != n:
        raise ValueError(f"truth has {len(known)} entries for {n} samples: give one for each.")
    tiles = Tiles(
        n, request.images, request.files, getattr(model, "image_shape_", None), request.root
    )
    gallery = Gallery(model, tiles, known, request.names)
    given = gallery.given >= 0
    strange = np.argsort(-model.outlier_score_)[:_SHOWN]
    strange = strange[model.outlier_score_[strange] >= _STRANGE]
    hints = class_hints(model) if request.hints is None else request.hints
    name = str if tiles.files is None else tiles.name

    def say(trouble: Any) -> str:
        return str(trouble.sentence(request.sentences, name))

    history = model.history_
    weights = np.asarray(model.group_weights_, dtype=float)
    return Report(
        _template().render(
            title=request.title
            or f"{counted(n, 'picture')} in {counted(len(model.classes_), 'cluster')}",
            n_samples=n,
            n_labels=int(given.sum()),
            n_doubtful=int((gallery.certainty < DOUBTFUL).sum()),
            doubtful=DOUBTFUL,
            accuracy=_accuracy(gallery),
            troubles=[say(trouble) for trouble in model.diagnose()],
            hints=[*map(say, hints), *request.notes],
            clusters=cluster_list(gallery, callback),
            to_label=gallery.strip(model.query(min(_SHOWN, n))) if not given.all() else [],
            issues=_issues(
                gallery, model.label_issues() if request.issues is None else request.issues
            ),
            duplicates=None
            if duplicates is None
            else [gallery.strip(group[:_SHOWN]) for group in list(duplicates)[:_GROUPS]],
            n_duplicates=0 if duplicates is None else len(duplicates),
            strange=[gallery.tile(i, f"{model.outlier_score_[i]:.1f}") for i in strange],
            parts=parts_of(
                model,
                model.components_[:_MOST_PARTS],
                [f"part {k + 1}" for k in range(min(_MOST_PARTS, len(model.components_)))],
            ),
            set_aside=int((weights <= 0).sum()),
            n_groups=len(weights),
            groups="samples" if model.groups == "samples" else "features",
            curves=[
                found
                for found in (
                    curve("Objective", objective=list(history.objective)),
                    curve("Residuals", log=True, primal=history.primal, dual=history.dual),
                )
                if found is not None
            ],
            skipped=list(request.skipped),
            facts={**_facts(model), **{k: str(v) for k, v in (request.facts or {}).items()}},
        )
    )


def _texts(truth: Any, classes: np.ndarray) -> np.ndarray:
    """Return true classes as texts, "" for what means unlabelled.

    They are compared as they are: 3.0, as an array with gaps has it, is the class 3.
    """
    texts = {name: str(name) for name in classes.tolist()}
    return np.array(
        [
            "" if name is None or name == -1 or name != name else texts.get(name, str(name))
            for name in np.asarray(truth, dtype=object).tolist()
        ],
        dtype=object,
    )


def _accuracy(gallery: Gallery) -> float | None:
    """Return the share of unlabelled samples that are right, if the truth is given."""
    if gallery.truth is None:
        return None
    judged = (gallery.given < 0) & (gallery.truth != "")
    found = gallery.names[gallery.model.labels_]
    return float((found == gallery.truth)[judged].mean()) if judged.any() else None


def _issues(gallery: Gallery, issues: Any) -> list:
    """Return the given labels that look wrong, with what the others suggest."""
    shown = dict(zip(gallery.model.classes_.tolist(), gallery.names, strict=True))
    return [
        gallery.tile(int(i), f"{shown[given]}? rather {shown[suggested]}")
        for i, given, suggested, quality in zip(
            issues.samples,
            issues.given.tolist(),
            issues.suggested.tolist(),
            issues.quality,
            strict=True,
        )
        if suggested != given and quality < 0.5
    ][:_SHOWN]


def _facts(model: Any) -> dict[str, str]:
    graph = model.graph_summary_
    report = getattr(model, "graph_report_", None)
    chosen = {} if report is None else {"Graph chosen": str(report.candidates[0].recipe)}
    settings = ", ".join(
        f"{name}={value!r}"
        for name, value in sorted(model.get_params(deep=False).items())
        if value is not None and name not in ("checkpoint", "verbose")
    )
    return {
        **chosen,
        "Neighbour graph": f"{graph['edges']} edges, {graph['components']} connected components",
        "Sweeps": f"{model.n_iter_}; {model.stop_reason_}",
        "Settings": f"{type(model).__name__}({settings})",
        "Versions": ", ".join(
            f"{name} {found}"
            for name in ("ronmf", "numpy", "scipy", "scikit-learn", "onnxruntime", "torch")
            if (found := _version(name))
        )
        + f", Python {platform.python_version()}",
    }


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


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
    environment.filters["counted"] = counted
    return environment.get_template("report.html")
