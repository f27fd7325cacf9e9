"""From a folder of pictures to clusters, a model and a report."""

import os
import time
from functools import partial
from pathlib import Path

from ..displays._contents import class_hints
from ..numerics.memory import memory_limit, read_size
from ..storage._open import is_stored
from ._exports import check_how
from ._features import features_of, read_features
from ._fitting import StageReport, fit_pictures
from ._labels import advice_on_unreadable, earlier_clusters, read_labels
from ._listing import list_some_pictures
from ._model_file import checkpoint_folder, finished_fit, run_key, save_fit
from ._recipes import choose_recipe
from ._results import ClusteredFolder, write_results
from ._results_folder import results_folder

__all__ = ["cluster_folder"]

_AGAIN = "Then cluster again with --force (force=True in Python)."


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
    report: StageReport = lambda stage, done, most: None,
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
        Number of clusters. None: as many as there are labelled classes. "auto" or, without labels,
        None: as many as there seem to be; if `labels` is the table of an earlier result, its
        clusters without a name stay, unless labels name or contradict them.
    features : {"auto", "pixels", "deep"} or path, default="auto"
        What pictures are compared by, see :func:`ronmf.sorting.choose_recipe`; or a ``.npy`` file
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
        ``report(stage, done, most)`` is called after every step.

    Returns
    -------
    ClusteredFolder
    """
    stages = _Stages(report)
    if sort is not None:
        check_how("sort", sort)
    stages("listing", 0, 1)
    pictures = list_some_pictures(folder)
    stages("listing", 1, 1)
    given, advice, clusters = read_labels(labels, pictures)
    table = None if labels == "folders" else labels
    with (
        results_folder(out, pictures.root, force=force, labels=table) as (work, scratch),
        memory_limit(None if max_memory is None else read_size(max_memory)),
    ):
        if os.fspath(features).lower().endswith(".npy"):
            rows = read_features(features, pictures)
        else:
            recipe, more = choose_recipe(pictures, features)
            advice += [f"{more} {_AGAIN}"] if more else []
            callback = partial(stages, "features")
            rows = features_of(pictures, recipe, scratch=scratch, callback=callback)
        advice += advice_on_unreadable(given, rows.folder)
        names = [given.get(name, "") for name in rows.folder.files]
        known = clusters if n_clusters == "auto" else {}
        earlier = earlier_clusters(known, rows.folder.files)
        before = [] if earlier is None else [*map(str, earlier[0]), str(earlier[1])]
        key = run_key(rows.digest, [*names, *before], n_clusters, seed)
        model = finished_fit(work, key)
        if model is None:
            model = fit_pictures(
                rows.X,
                rows.recipe,
                names,
                n_clusters=n_clusters,
                earlier=earlier,
                seed=seed,
                report=stages,
                max_memory=max_memory,
                checkpoint=checkpoint_folder(work, key) if is_stored(rows.X) else None,
            )
            save_fit(model, rows.recipe, work, key)
        hints, seconds = tuple(class_hints(model)), stages.seconds
        result = ClusteredFolder(
            model, rows.folder, rows.recipe, Path(out), tuple(advice), hints, seconds
        )
        write_results(result, rows.X, work, sort, stages)
    return result


class _Stages:
    """Passes reports on, and adds up how long each stage took."""

    def __init__(self, report: StageReport) -> None:
        self.report, self.seconds = report, dict[str, float]()
        self.last = time.monotonic()

    def __call__(self, stage: str, done: int, most: int) -> None:
        now = time.monotonic()
        self.seconds[stage] = self.seconds.get(stage, 0.0) + now - self.last
        self.last = now
        self.report(stage, done, most)
