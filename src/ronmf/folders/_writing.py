"""What is written of a clustered folder: a table, the model, a report, sorted pictures."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..saving import save_model
from ..storage._open import is_stored
from ._recipes import kept_recipe
from ._results import MARK
from ._sorting import sort_pictures, write_table

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
    _write_clusters(result, work / "clusters.csv")
    recipe = result.recipe
    save_model(result.model, work / "model.ronmf", extra={"pictures": kept_recipe(recipe)})
    report("report", 0, 1)
    folder = result.folder
    result.model.report(
        files=folder.paths,
        root=folder.root,
        X=None if is_stored(X) else X,  # to look for copies, all of it must be in memory
        title=f"{folder.root.resolve().name}: {len(folder.files)} pictures in"
        f" {len(result.model.classes_)} clusters",
        facts={"Features": "given in a file" if recipe is None else recipe.describe()},
        skipped=folder.skipped,
    ).save(work / "report.html")
    report("report", 1, 1)
    sorted_pictures = work / "clusters"
    shutil.rmtree(sorted_pictures, ignore_errors=True)  # of a process that was killed here
    if sort is not None:
        names = [str(name) for name in result.model.transduction_]
        sort_pictures(
            folder, names, sorted_pictures, sort, lambda done, most: report("sorting", done, most)
        )
    shutil.rmtree(work / "fit", ignore_errors=True)
    (work / "features.npy").unlink(missing_ok=True)
    (work / MARK).write_text(json.dumps(result.summary(), indent=1) + "\n", encoding="utf-8")


def _write_clusters(result: ClusteredFolder, path: Path) -> None:
    """Write a row per picture; the column label may be filled in and given as labels again."""
    model = result.model
    certainty = model.label_distributions_[np.arange(len(model.labels_)), model.labels_]
    issues = model.label_issues()
    suspicion = dict(zip(issues.samples.tolist(), (1 - issues.quality).tolist(), strict=True))
    rows = (
        (
            file,
            str(model.transduction_[i]),
            float(certainty[i]),
            float(model.outlier_score_[i]),
            str(model.classes_[code]) if code >= 0 else None,
            suspicion.get(i),
        )
        for i, (file, code) in enumerate(zip(result.folder.files, model._given_codes, strict=True))
    )
    write_table(path, _COLUMNS, rows)
