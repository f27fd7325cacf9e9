"""From a folder of pictures to clusters, a model and a report."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import __version__
from ..datasets import PictureFolder, Skipped
from ..datasets._listing import shown_name
from ..displays._contents import class_hints
from ..labels.uncertainty import certainty_of
from ..numerics.memory import memory_limit, read_size
from ..storage._open import is_stored
from ..system.plain_text import counted, short_name
from ._features import FolderFeatures, features_of
from ._fitting import fit_pictures
from ._given_features import given_features
from ._going_on import checkpoint_of, keep_fit, kept_fit, run_key
from ._labels import lost_labels, told_labels
from ._listed import some_pictures
from ._naming import cluster_names
from ._recipes import FeatureRecipe, choose_recipe
from ._results import results_folder, scratch_beside
from ._sentences import SENTENCES
from ._writing import write_results

if TYPE_CHECKING:
    from ..estimators.ronmf import RONMF
    from ..estimators.trouble import Trouble

__all__ = ["ClusteredFolder", "cluster_folder"]

_AGAIN = "Then cluster again with --force (force=True in Python)."

_Report = Callable[[str, int, int], Any]


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
        found = counted(len(self.folder.files), "picture")
        clusters = counted(len(self.model.classes_), "cluster")
        return f"ClusteredFolder({found} in {clusters}, out={shown_name(self.out)!r})"

    @property
    def skipped(self) -> tuple[Skipped, ...]:
        """Files that were passed over, and why."""
        return self.folder.skipped

    def summary(self) -> dict[str, Any]:
        """Return the result in a few numbers, as JSON can hold them."""
        model = self.model
        certainty = certainty_of(model)
        return {
            "ronmf": __version__,
            "made": datetime.now(UTC).isoformat(timespec="seconds"),
            "pictures": len(self.folder.files),
            "features": "a file" if self.recipe is None else self.recipe.describe(),
            "labels": int((model._known.given >= 0).sum()),
            "clusters": [
                {
                    "class": name,
                    "pictures": int((model.labels_ == j).sum()),
                    "certainty": _mean(certainty[model.labels_ == j]),
                }
                for j, name in enumerate(cluster_names(model))
            ],
            "troubles": list(map(self._sentence, model.diagnose())),
            "hints": list(map(self._sentence, self.hints)),
            "advice": list(self.advice),
            "skipped": [{"file": each.file, "reason": each.reason} for each in self.skipped],
            "seconds": {name: round(value, 2) for name, value in self.seconds.items()},
        }

    def _sentence(self, trouble: Trouble) -> str:
        return trouble.sentence(SENTENCES, lambda i: short_name(self.folder.files[i]))


def cluster_folder(
    folder: str | os.PathLike,
    out: str | os.PathLike,
    *,
    labels: str | os.PathLike | None = None,
    n_clusters: int | str | None = None,
    features: str | os.PathLike = "auto",
    sort: str | None = None,
    seed: int = 0,
    max_memory: int | str | None = None,
    force: bool = False,
    report: _Report = lambda stage, done, most: None,
) -> ClusteredFolder:
    """Cluster the pictures of a folder, and write a table, the model and a report.

    Interrupted work goes on when it is started again: features are kept picture by picture, a
    finished fit in a hidden folder beside `out`, which becomes `out` at the end, and of a fit whose
    features are too large for memory every sweep.

    Parameters
    ----------
    folder : path
        The pictures, at any depth.
    out : path
        A folder that is made for the results.
    labels : path or "folders", default=None
        A table of labels, see :func:`ronmf.datasets.read_label_table`, or ``"folders"``: the
        names of sub-folders are classes, and pictures directly in `folder` have no label.
    n_clusters : int, "auto" or None, default=None
        Number of clusters. None: as many as there are labelled classes; "auto" or, without labels,
        None: an estimate.
    features : {"auto", "pixels", "deep"} or path, default="auto"
        What pictures are compared by, see :func:`ronmf.sorting.choose_recipe`; or a network of
        your own in an ``.onnx`` file, see :class:`ronmf.features.DeepFeatures`; or a ``.npy`` file
        with one row per picture, in the sorted order of their names.
    sort : {"copy", "link"} or None, default=None
        Whether to put copies of the pictures, or links to them, into one folder per cluster.
    seed : int, default=0
        Seed of everything random.
    max_memory : int or str, default=None
        As in :class:`ronmf.RONMF`, such as "4GiB".
    force : bool, default=False
        Whether earlier results in `out` may be replaced.
    report : callable
        ``report(stage, done, most)`` is told of every step.

    Returns
    -------
    ClusteredFolder
    """
    clock = _Clock(report)
    listed = _listed(folder, clock)
    given, advice = told_labels(labels, listed)
    table = None if labels == "folders" else labels
    with (
        results_folder(out, listed.root, force=force, read=table) as work,
        scratch_beside(work) as scratch,
        memory_limit(None if max_memory is None else read_size(max_memory)),
    ):
        found, said = _features(listed, features, scratch, clock)
        names = None if given is None else [given.get(name, "") for name in found.folder.files]
        advice += [*said, *lost_labels(given or {}, found.folder)]
        key = run_key(found.digest, names, n_clusters, seed)
        model = kept_fit(work, key)
        if model is None:
            model = fit_pictures(
                found.X,
                found.recipe,
                names,
                n_clusters=n_clusters,
                seed=seed,
                max_memory=max_memory,
                checkpoint=checkpoint_of(work, key) if is_stored(found.X) else None,
                report=clock,
            )
            keep_fit(model, found.recipe, work, key)
        result = ClusteredFolder(
            model,
            found.folder,
            found.recipe,
            Path(out),
            tuple(advice),
            tuple(class_hints(model)),
            clock.seconds,
        )
        write_results(result, found.X, work, sort, clock)
    return result


class _Clock:
    """Passes reports on, and adds up how long each stage took."""

    def __init__(self, report: _Report) -> None:
        self.report, self.seconds = report, dict[str, float]()
        self.last = time.monotonic()

    def __call__(self, stage: str, done: int, most: int) -> None:
        now = time.monotonic()
        self.seconds[stage] = self.seconds.get(stage, 0.0) + now - self.last
        self.last = now
        self.report(stage, done, most)


def _listed(folder: str | os.PathLike, clock: _Clock) -> PictureFolder:
    clock("listing", 0, 1)
    listed = some_pictures(folder)
    clock("listing", 1, 1)
    return listed


def _features(
    listed: PictureFolder, features: str | os.PathLike, scratch: Path, clock: _Clock
) -> tuple[FolderFeatures, list[str]]:
    """Return the features, and what to say of them."""
    kind = os.path.splitext(os.fspath(features))[1].lower()
    if kind == ".npy":
        return given_features(features, listed), []
    if kind == ".onnx":
        recipe, advice = FeatureRecipe("deep", model=os.fspath(features)), ""
    else:
        recipe, advice = choose_recipe(listed, os.fspath(features))
    found = features_of(
        listed,
        recipe,
        scratch=scratch,
        callback=lambda done, total: clock("features", done, total),
    )
    return found, [f"{advice} {_AGAIN}"] if advice else []


def _mean(values: np.ndarray) -> float | None:
    return round(float(values.mean()), 4) if len(values) else None
