"""What methods found in the data, laid out in the plane by t-SNE."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from sklearn.manifold import TSNE
from sklearn.pipeline import Pipeline
from threadpoolctl import threadpool_limits

from ronmf.bench import draw_case
from ronmf.bench.reporting.figures import panels, styled
from ronmf.bench.running.settings import PAPER
from ronmf.bench.running.worker import make_estimator
from ronmf.datasets import CATALOG, Dataset, find, load
from ronmf.numerics.arrays import to_numpy

_COLOURS = ["#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#000000", "#8A7500"]
_MARKERS = ["o", "^", "s", "X", "D"]
_STEPS = 500  # of 1000, the second half moves points by hardly a pixel

# Few enough for legible panels, and one of each kind
_METHODS = ("NMF", "GNMF", "RSNMF", "LpCNMF", "HarmonicLabelPropagation", "RONMF-M")
_PER_CLASS = 60  # points of a class; more would only lie on each other


def embed(features: np.ndarray, seed: int) -> np.ndarray:
    """Return t-SNE coordinates in the plane.

    Parameters
    ----------
    features : ndarray of shape (n_samples, n_features)
        One row per sample: data, or the memberships of a method.
    seed : int
        Seed.

    Returns
    -------
    ndarray of shape (n_samples, 2)

    References
    ----------
    .. [1] van der Maaten and Hinton (2008). Visualizing data using t-SNE. JMLR 9.

    Examples
    --------
    >>> embed(np.eye(12), seed=0).shape
    (12, 2)
    """
    features = np.asarray(features, dtype=float)
    if features.ndim != 2 or len(features) < 4:
        raise ValueError(
            f"features has shape {features.shape}; give at least 4 samples, one per row."
        )
    # A perplexity is a number of neighbours: 30 is usual, and a third of the samples the most.
    perplexity = min(30.0, (len(features) - 1) / 3)
    start = "pca" if min(features.shape) >= 2 else "random"
    model = TSNE(2, perplexity=perplexity, init=start, max_iter=_STEPS, random_state=seed)
    return model.fit_transform(features)


@styled
def tsne(embeddings: Sequence[tuple[str, np.ndarray, np.ndarray]]) -> Figure:
    """Draw embeddings side by side, coloured by the true class.

    Parameters
    ----------
    embeddings : sequence of (title, ndarray of shape (n, 2), ndarray of int of shape (n,))
        Title, coordinates and true class of every panel. Classes are colours and markers, the
        same in every panel.
    """
    if not embeddings:
        raise ValueError("embeddings is empty; give a (title, coordinates, classes) a panel.")
    for title, points, truth in embeddings:
        if np.ndim(points) != 2 or np.shape(points) != (len(truth), 2):
            raise ValueError(
                f"the embedding {title!r} has shape {np.shape(points)}; it must be"
                f" ({len(truth)}, 2), a point for each class."
            )
    figure, axes = panels(len(embeddings), (2.9, 2.9))
    for ax, (title, points, truth) in zip(axes, embeddings, strict=True):
        points, truth = np.asarray(points), np.asarray(truth)
        for code in np.unique(truth):
            own = points[truth == code]
            turn = int(code) // len(_COLOURS)
            ax.scatter(
                own[:, 0],
                own[:, 1],
                s=float(np.clip(6000 / len(points), 5, 22)),
                color=_COLOURS[int(code) % len(_COLOURS)],
                marker=_MARKERS[turn % len(_MARKERS)],
                linewidths=0,
                alpha=0.85,
                label=str(code),
            )
        ax.set_title(title)
        ax.set_xticks([])
        ax.set_yticks([])
        ax.set_aspect("equal", adjustable="datalim")
        for side in ax.spines.values():
            side.set(visible=True, color="#bbbbbb")
    return figure


def dataset_of(rows: pd.DataFrame, name: str | None, data: Path | None) -> Dataset:
    """Return the named dataset; else the commonest that is here: none may start a download.

    Nor may a path be opened because a file of results names it.
    """
    if name is None:
        names = [str(each) for each in rows["dataset"].value_counts().index]
        here = [n for n in names if n in CATALOG and (CATALOG[n].bundled or find(n, data))]
        if not here:
            raise ValueError(f"{names[0]} is not opened unasked; name it with --dataset.")
        name = here[0]
    return load(name, data)


def fit_embeddings(
    dataset: Dataset,
    methods: Sequence[str] = _METHODS,
    *,
    seed: int = 0,
    report: Callable[[str, int, int], None] | None = None,
) -> list[tuple[str, np.ndarray, np.ndarray]]:
    """Fit methods on one draw of a dataset and lay out what each found, by t-SNE in the plane.

    Parameters
    ----------
    dataset : Dataset
        The data; six classes are drawn, as in the paper, or all where there are fewer, and at most
        60 samples of each.
    methods : sequence of str, default=("NMF", "GNMF", "RSNMF", "LpCNMF", \
            "HarmonicLabelPropagation", "RONMF-M")
        Names of the registry.
    seed : int, default=0
        Seed of the draw and of the methods.
    report : callable, default=None
        Told how far the work is: ``report(stage, done, most)``.

    Returns
    -------
    list of (title, ndarray of shape (n, 2), ndarray of int of shape (n,))
        Title, coordinates and true classes, for each method that has memberships or coefficients;
        the pixels themselves come first.
    """
    count = min(int(PAPER["n_classes"]), len(dataset.classes))
    case = draw_case(dataset, n_classes=count, seed=seed, samples_per_class=_PER_CLASS)
    view, found = case.view, []
    for done, name in enumerate(("pixels", *methods)):
        if report is not None:
            report("t-SNE", done, len(methods) + 1)
        # Steps are so short that threads would wait for each other most of the time.
        with threadpool_limits(1):
            features: np.ndarray | None = view.X
            if name != "pixels":
                model = make_estimator(name, view.n_clusters, seed, {}).fit(view.X, view.y)
                features = _features(model, view.X)
            if features is not None:
                found.append((name, embed(features, seed), case.truth_for_pictures))
    if report is not None:
        report("t-SNE", len(methods) + 1, len(methods) + 1)
    return found


def _features(model: Any, X: np.ndarray) -> np.ndarray | None:
    """Return memberships or coefficients of the training samples; None if a method has neither."""
    for name in ("membership_", "coefficients_"):
        if hasattr(model, name):
            return to_numpy(getattr(model, name))
    return model[:-1].transform(X) if isinstance(model, Pipeline) else None
