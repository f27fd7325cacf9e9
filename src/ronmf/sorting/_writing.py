"""What is written of a clustered folder beside the model: a table, a report, sorted pictures."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..datasets._listing import shown_name
from ..displays._report import ReportRequest, build_report
from ..labels.uncertainty import certainty_of
from ..storage._open import is_stored
from ..system.plain_text import counted
from ._naming import cluster_names
from ._results import MARK
from ._sentences import SENTENCES
from ._sorting import sort_pictures, write_table
from ._written import list_written

if TYPE_CHECKING:
    from ._cluster import ClusteredFolder

__all__ = ["write_results"]

_COLUMNS = ("path", "class", "certainty", "outlier_score", "label", "label_suspicion")


def write_results(
    result: ClusteredFolder,
    X: np.ndarray,
    work: Path,
    sort: str | None,
    report: Callable[[str, int, int], Any],
) -> None:
    """Write all results into a folder, and remove from it what the work left there.

    Parameters
    ----------
    result : ClusteredFolder
        What came out.
    X : ndarray
        The features, in which near-duplicates are looked for.
    work : Path
        The folder.
    sort : {"copy", "link"} or None
        Whether pictures are sorted into folders too.
    report : callable
        ``report(stage, done, most)`` is told of every step.
    """
    report("report", 0, len(result.model.classes_))  # labels and copies are looked at first
    issues = result.model.label_issues()
    _write_clusters(result, issues, work / "clusters.csv")
    folder, model, names = result.folder, result.model, cluster_names(result.model)
    name, stored = shown_name(folder.root.resolve().name), is_stored(X)
    pictures = counted(len(folder.files), "picture")
    features = "given in a file" if result.recipe is None else result.recipe.describe()
    facts = {"Features": features}
    if stored:  # to look for copies, all of them would have to be in memory
        facts["Near-duplicates"] = "not looked for, since the features are on disk"
    request = ReportRequest(
        files=folder.paths,
        root=folder.root,
        title=f"{name}: {pictures} in {counted(len(names), 'cluster')}",
        names=names,
        facts=facts,
        duplicates=None if stored else model.near_duplicates(X),
        issues=issues,
        hints=result.hints,
        sentences=SENTENCES,
        notes=result.advice,
        skipped=folder.skipped,
    )
    page = build_report(model, request, lambda done, most: report("report", done, most))
    page.save(work / "report.html")
    sorted_pictures = work / "clusters"
    shutil.rmtree(sorted_pictures, ignore_errors=True)  # of a process that was killed here
    if sort is not None:
        sort_pictures(
            folder,
            [names[j] for j in model.labels_],
            sorted_pictures,
            sort,
            lambda done, most: report("sorting", done, most),
        )
    for left in work.glob("fit-*"):
        shutil.rmtree(left, ignore_errors=True)
    told = {**result.summary(), "written": list_written(work)}
    (work / MARK).write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


def _write_clusters(result: ClusteredFolder, issues: Any, path: Path) -> None:
    """Write a row per picture; the column label may be filled in and given as labels again."""
    model = result.model
    names, certainty = cluster_names(model), certainty_of(model)
    suspicion = dict(zip(issues.samples.tolist(), (1 - issues.quality).tolist(), strict=True))
    rows = (
        (
            file,
            names[model.labels_[i]],
            float(certainty[i]),
            float(model.outlier_score_[i]),
            names[code] if code >= 0 else None,
            suspicion.get(i),
        )
        for i, (file, code) in enumerate(zip(result.folder.files, model._known.given, strict=True))
    )
    write_table(path, _COLUMNS, rows)
