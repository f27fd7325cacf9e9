"""What methods found in the data, laid out in the plane: a figure that rows cannot give."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from sklearn.pipeline import Pipeline
from threadpoolctl import threadpool_limits

from ...datasets import Dataset
from ...numerics.arrays import to_numpy
from ..running.protocol import draw_case
from ..running.settings import PAPER
from ..running.worker import make_estimator
from .figures import embed, tsne

__all__ = ["fit_embeddings", "tsne_figure"]

# Few enough for legible panels, and one of each kind
_METHODS = ("NMF", "GNMF", "RSNMF", "LpCNMF", "HarmonicLabelPropagation", "RONMF-M")
_PER_CLASS = 60  # points of a class; more would only lie on each other


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


def tsne_figure(dataset: Dataset, methods: Sequence[str] = _METHODS, *, seed: int = 0) -> Figure:
    """Draw what :func:`fit_embeddings` returns, a panel for each method.

    Parameters
    ----------
    dataset, methods, seed
        As in :func:`fit_embeddings`.

    Returns
    -------
    Figure
        Colours and markers are the true classes.
    """
    return tsne(fit_embeddings(dataset, methods, seed=seed))


def _features(model: Any, X: np.ndarray) -> np.ndarray | None:
    """Return memberships or coefficients of the training samples; None if a method has neither."""
    for name in ("membership_", "coefficients_"):
        if hasattr(model, name):
            return to_numpy(getattr(model, name))
    return model[:-1].transform(X) if isinstance(model, Pipeline) else None
