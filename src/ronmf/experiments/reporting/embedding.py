"""What methods found in the data, laid out in the plane: a figure that rows cannot give."""

from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline

from ...datasets import Dataset
from ...numerics.arrays import to_numpy
from ..running.protocol import draw_case
from ..running.worker import build
from .figures import embed

__all__ = ["embeddings"]


def embeddings(
    dataset: Dataset, methods: list[str], *, n_classes: int | None = 6, seed: int = 0
) -> list[tuple[str, np.ndarray, np.ndarray]]:
    """Fit methods on one draw and embed what each found.

    Parameters
    ----------
    dataset : Dataset
        The data.
    methods : list of str
        Names of the registry.
    n_classes, seed : int
        See :func:`~ronmf.experiments.running.protocol.draw_case`.

    Returns
    -------
    list of (str, ndarray of shape (n_samples, 2), ndarray of shape (n_samples,))
        Title, t-SNE embedding and true class, for the figure ``tsne``; the
        pixels themselves come first.
    """
    limit = None if n_classes is None else min(n_classes, len(dataset.classes))
    case = draw_case(dataset, n_classes=limit, seed=seed, samples_per_class=200)
    view = case.view
    found = [("pixels", view.X)]
    for name in methods:
        model = build(name, view.n_clusters, seed, {}).fit(view.X, view.y)
        features = _features(model, view.X)
        if features is not None:
            found.append((name, features))
    return [(name, embed(features, seed), case.truth_for_pictures) for name, features in found]


def _features(model: Any, X: np.ndarray) -> np.ndarray | None:
    """Return memberships or coefficients of the training samples; None if a method has neither."""
    for name in ("membership_", "coefficients_"):
        if hasattr(model, name):
            return to_numpy(getattr(model, name))
    return model[:-1].transform(X) if isinstance(model, Pipeline) else None
