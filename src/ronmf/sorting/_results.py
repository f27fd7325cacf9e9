"""What came of a folder: clusters with names, in a few numbers, and the files written of them."""

import json
import shutil
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from .. import __version__
from ..datasets import PictureFolder
from ..datasets._listing import Skipped
from ..displays._report import ReportRequest, build_report
from ..estimators.ronmf import RONMF
from ..estimators.trouble import Trouble
from ..storage._open import is_stored
from ..system.plain_text import counted, short_name, shown_name
from ..system.writing import open_to_write
from ._exports import copy_pictures, write_table
from ._fitting import StageReport
from ._mark import MARK, list_written
from ._recipes import FeatureRecipe

__all__ = ["ClusteredFolder", "cluster_names", "write_results"]

# What `diagnose()` and `hints()` find, in words for who runs ``ronmf cluster``, by the kind of a
# `Trouble`, which says what stands in braces.
_SENTENCES: dict[str, str] = {
    "one class": "only the class {cluster!r} has labels, so every picture is put into it; label"
    " pictures of others, or give --clusters.",
    "one cluster": "all pictures but labelled ones are in the cluster {cluster!r}; try other"
    " --features, or label more.",
    "empty clusters": "{empty} of {clusters} clusters have no pictures; lower --clusters, or label"
    " pictures of them.",
    "no structure": "looking again with part of what is known of the pictures finds other clusters"
    " (agreement {stability:.2f} of 1): there may be none; try other --features, or label two or"
    " more pictures of each class.",
    "strangers": "about {count} of {samples} pictures look like no labelled class: see “Strangers”"
    " in the report, and label some.",
    "doubted labels": "{count} picture{s} ({names}) seem to have wrong labels, which were set"
    " aside: look again.",
    "overruled labels": "{count} picture{s} ({names}) ended up in another cluster than labelled:"
    " look again.",
    "chance": "of {hidden} labels that were hidden {right} were predicted, about what guessing"
    " would do: try other --features, or label more.",
    "unreached": "{count} picture{s} ({names}) are like no labelled one, so their clusters are"
    " guesses: label some of them.",
    "no labels": "there are no labels, so nothing tells whether these are the clusters you want;"
    " label two or more pictures of each class.",
    "no evidence": "no label could be hidden, so nothing tells whether the clusters suit the"
    " classes; label two or more pictures of each class.",
    "little evidence": "of {hidden} labels that could be hidden {right} were predicted, too few to"
    " tell whether the clusters suit the classes; label two or more pictures of each class.",
    "not converged": "the fit {reason}: the clusters may still change a little.",
    "class of two": "the class {cluster!r} looks like two clusters, one of {count} picture{s}"
    " ({names}); should it be two classes?",
    "unnamed class": "{count} picture{s} without a label ({names}) look like a class of their own;"
    " label some, or raise --clusters.",
}


def cluster_names(model: Any) -> list[str]:
    """Return the names of the classes, and ``cluster 1`` and so on for clusters without a label.

    The attributes of the model have other names for those: numbers, or ``cluster_5``, which are
    made to be told from classes of any type.

    Parameters
    ----------
    model : estimator
        A fitted one.

    Examples
    --------
    >>> from ronmf import RONMF
    >>> X = [[1.0, 0.0], [0.9, 0.1], [0.1, 0.9], [0.0, 1.0]]
    >>> model = RONMF(2, n_neighbors=1, random_state=0)
    >>> cluster_names(model.fit(X, ["owl", "", "", ""])), cluster_names(model.fit(X))
    (['owl', 'cluster 1'], ['cluster 1', 'cluster 2'])
    """
    n_labelled = int(np.max(model._known.given, initial=-1)) + 1  # they come first
    names = [str(name) for name in model.classes_[:n_labelled]]
    for number in range(1, len(model.classes_) - n_labelled + 1):
        name = f"cluster {number}"
        while name in names:
            name += "'"
        names.append(name)
    return names


@dataclass(frozen=True, eq=False, repr=False)
class ClusteredFolder:
    """What came of a folder of pictures.

    Attributes
    ----------
    model : RONMF
        The fit.
    folder : PictureFolder
        The pictures, in the order of the model's samples.
    recipe : FeatureRecipe or None
        How they became features; None for features from a file.
    out : Path
        Where the results are: ``clusters.csv``, ``model.ronmf``, ``report.html``, ``ronmf.json``,
        and ``clusters/`` with the sorted pictures if these were asked for.
    advice : tuple of str
        Sentences that the user should read.
    hints : tuple of Trouble
        What :meth:`ronmf.RONMF.hints` finds; nothing if classes are many.
    seconds : dict
        Time of every stage.
    """

    model: RONMF
    folder: PictureFolder
    recipe: FeatureRecipe | None
    out: Path
    advice: tuple[str, ...] = ()
    hints: tuple[Trouble, ...] = ()
    seconds: dict[str, float] = field(default_factory=dict)

    def __repr__(self) -> str:
        pictures = counted(len(self.folder.files), "picture")
        clusters = counted(len(self.model.classes_), "cluster")
        return f"ClusteredFolder({pictures} in {clusters}, out={shown_name(self.out)!r})"

    @property
    def skipped(self) -> tuple[Skipped, ...]:
        """Files that were passed over, and why."""
        return self.folder.skipped

    def summary(self) -> dict[str, Any]:
        """Return the result in a few numbers, as JSON can hold them."""
        clusters, certainty = [], self.model.certainty_
        for j, name in enumerate(cluster_names(self.model)):
            own = certainty[self.model.labels_ == j]
            mean = round(float(own.mean()), 4) if len(own) else None
            clusters.append({"class": name, "pictures": len(own), "certainty": mean})
        return {
            "ronmf": __version__,
            "made": datetime.now(UTC).isoformat(timespec="seconds"),
            "pictures": len(self.folder.files),
            "features": "a file" if self.recipe is None else self.recipe.describe(),
            "labels": int((self.model._known.given >= 0).sum()),
            "clusters": clusters,
            "troubles": list(map(self._sentence, self.model.diagnose())),
            "hints": list(map(self._sentence, self.hints)),
            "advice": list(self.advice),
            "skipped": list(map(asdict, self.skipped)),
            "seconds": {name: round(value, 2) for name, value in self.seconds.items()},
        }

    def _sentence(self, trouble: Trouble) -> str:
        return trouble.sentence(_SENTENCES, lambda i: short_name(self.folder.files[i]))


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
    issues, certainty = model.label_issues(), model.certainty_
    # A cluster without a name has no strangers.
    novelty = np.where(model.labels_ < model._known.n_named, model.novelty_, 0.0)
    suspicion = dict(zip(issues.samples.tolist(), (1 - issues.quality).tolist(), strict=True))
    rows = [
        {
            "path": file,
            "class": names[model.labels_[i]],
            "certainty": float(certainty[i]),
            "novelty": float(novelty[i]),
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
        sentences=_SENTENCES,
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
