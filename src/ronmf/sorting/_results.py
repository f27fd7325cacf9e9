"""What is written of a clustered folder beside the model: a table, a report, sorted pictures."""

import json
import shutil
from functools import partial
from pathlib import Path

import numpy as np

from ..displays._report import ReportRequest, build_report
from ..labels.uncertainty import certainty_of
from ..storage._open import is_stored
from ..system.plain_text import counted, shown_name
from ..system.writing import open_to_write
from ._clusters import SENTENCES, ClusteredFolder, cluster_names
from ._exports import copy_pictures, write_table
from ._fitting import StageReport
from ._mark import MARK, list_written

__all__ = ["write_results"]


def write_results(
    result: ClusteredFolder, X: np.ndarray, work: Path, sort: str | None, report: StageReport
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
        ``report(stage, done, most)`` is called after every step.
    """
    folder, model, names = result.folder, result.model, cluster_names(result.model)
    report("report", 0, len(names))  # labels and copies are looked at first
    issues, certainty = model.label_issues(), certainty_of(model)
    suspicion = dict(zip(issues.samples.tolist(), (1 - issues.quality).tolist(), strict=True))
    rows = [
        {
            "path": file,
            "class": names[model.labels_[i]],
            "certainty": float(certainty[i]),
            "outlier_score": float(model.outlier_score_[i]),
            "label": names[code] if code >= 0 else None,  # to be filled in, and given as labels
            "label_suspicion": suspicion.get(i),
        }
        for i, (file, code) in enumerate(zip(folder.files, model._known.given, strict=True))
    ]
    write_table(work / "clusters.csv", rows)
    name, pictures = shown_name(folder.root.resolve().name), counted(len(rows), "picture")
    recipe, stored = result.recipe, is_stored(X)
    facts = {"Features": "given in a file" if recipe is None else recipe.describe()}
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
    build_report(model, request, partial(report, "report")).save(work / "report.html")
    sorted_pictures = work / "clusters"
    shutil.rmtree(sorted_pictures, ignore_errors=True)  # of a process that was killed here
    if sort is not None:
        classes = [names[j] for j in model.labels_]
        copy_pictures(folder, classes, sorted_pictures, sort, partial(report, "sorting"))
    for left in work.glob("fit-*"):
        shutil.rmtree(left, ignore_errors=True)
    mark = {**result.summary(), "written": list_written(work)}
    with open_to_write(work / MARK, "w", encoding="utf-8") as file:
        file.write(json.dumps(mark, indent=1) + "\n")
