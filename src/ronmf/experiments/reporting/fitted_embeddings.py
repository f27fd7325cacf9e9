"""What methods found in the data, laid out in the plane: a figure that rows cannot give."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from sklearn.pipeline import Pipeline

from ...datasets import Dataset
from ...numerics.arrays import to_numpy
from ..running.protocol import draw_case
from ..running.settings import PAPER
from ..running.worker import make_estimator
from .figures import embed, tsne

__all__ = ["tsne_figure"]

# Few enough for legible panels, and one of each kind
_METHODS = ("NMF", "GNMF", "RSNMF", "LpCNMF", "HarmonicLabelPropagation", "RONMF-M")


def tsne_figure(dataset: Dataset, methods: Sequence[str] = _METHODS, *, seed: int = 0) -> Figure:
    """Fit methods on one draw of a dataset and draw what each found, by t-SNE in the plane.

    Parameters
    ----------
    dataset : Dataset
        The data; six classes are drawn, as in the paper, or all where there are fewer.
    methods : sequence of str, default=("NMF", "GNMF", "RSNMF", "LpCNMF", \
            "HarmonicLabelPropagation", "RONMF-M")
        Names of the registry.
    seed : int, default=0
        Seed of the draw and of the methods.

    Returns
    -------
    Figure
        A panel for each method that has memberships or coefficients; the pixels themselves come
        first. Colours are the true classes.
    """
    count = min(int(PAPER["n_classes"]), len(dataset.classes))
    case = draw_case(dataset, n_classes=count, seed=seed, samples_per_class=200)
    view = case.view
    found = [("pixels", view.X)]
    for name in methods:
        model = make_estimator(name, view.n_clusters, seed, {}).fit(view.X, view.y)
        features = _features(model, view.X)
        if features is not None:
            found.append((name, features))
    return tsne([(name, embed(X, seed), case.truth_for_pictures) for name, X in found])


def _features(model: Any, X: np.ndarray) -> np.ndarray | None:
    """Return memberships or coefficients of the training samples; None if a method has neither."""
    for name in ("membership_", "coefficients_"):
        if hasattr(model, name):
            return to_numpy(getattr(model, name))
    return model[:-1].transform(X) if isinstance(model, Pipeline) else None
