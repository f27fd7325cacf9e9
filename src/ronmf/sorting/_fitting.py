"""A fit of the pictures of a folder."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..estimators.progress import fit_listener
from ..estimators.ronmf import RONMF
from ..system.plain_text import counted
from ._recipes import FeatureRecipe

__all__ = ["StageReport", "fit_pictures"]

StageReport = Callable[[str, int, int], Any]  # called with a stage, and how much of it is done

_NO_LABEL = ("", "-1")
_NEIGHBORS = 5  # of each picture in the graph, where there are as many


def fit_pictures(
    X: np.ndarray,
    recipe: FeatureRecipe | None,
    labels: Sequence[str] | None = None,
    *,
    n_clusters: int | str | None = None,
    previous: RONMF | None = None,
    earlier: tuple[np.ndarray, int] | None = None,
    seed: int = 0,
    report: StageReport = lambda stage, done, most: None,
    **settings: Any,
) -> RONMF:
    """Cluster pictures whose features are there.

    Parameters
    ----------
    X : ndarray of shape (n_pictures, n_features)
        Features, as :func:`ronmf.sorting.features_of` makes them.
    recipe : FeatureRecipe or None
        How they were made; None if that is not known.
    labels : sequence of str, default=None
        Label of every picture, "" where there is none.
    n_clusters : int, "auto" or None, default=None
        Number of clusters. None: as many as there are labelled classes, or, if fewer than two are
        labelled, an estimate.
    previous : RONMF, default=None
        An earlier result of this function on the same pictures, from which to go on if it was made
        with ``warm_start=True``: faster. It is fitted again, and returned.
    earlier : (ndarray of int, int), default=None
        The cluster of each picture in an earlier result of which no model is there (-1 where that
        is not known), and how many were labelled classes: the first ones. With "auto", clusters
        without a name stay, unless labels name them or contradict them.
    seed : int, default=0
        Seed of everything random.
    report : callable
        ``report(stage, done, most)`` is called after every step; what it raises ends the fit.
    **settings
        Other parameters of :class:`ronmf.RONMF`, such as `max_memory`.

    Returns
    -------
    RONMF

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from ronmf.sorting import FeatureRecipe, fit_pictures
    >>> X, truth = load_digits(return_X_y=True)
    >>> labels = ["" if i % 30 else str(digit) for i, digit in enumerate(truth)]
    >>> model = fit_pictures(X, FeatureRecipe("pixels", (8, 8)), labels)
    >>> bool((model.transduction_ == truth.astype(str)).mean() > 0.95)
    True
    """
    n, y = X.shape[0], None
    given = [] if labels is None else labels
    names = ["" if name.strip() in _NO_LABEL else name for name in given]
    n_classes = len(set(names) - {""})
    if n_classes:
        y = np.array(names, dtype=object)
    if n_clusters is None and n_classes < 2:
        n_clusters = "auto"
    if isinstance(n_clusters, int) and n_classes > n_clusters:
        raise ValueError(
            f"{counted(n_clusters, 'cluster')} {'is' if n_clusters == 1 else 'are'} asked for, but"
            f" {n_classes} classes have labels; ask for as many or more, or give fewer labels."
        )
    if isinstance(n_clusters, int) and n_clusters > n:
        raise ValueError(f"{n_clusters} clusters are asked for of {n} pictures.")
    if n < 2:
        raise ValueError("there is one picture that can be read; clusters need two or more.")
    if n <= _NEIGHBORS:
        settings["n_neighbors"] = n - 1
    if n_clusters == "auto" and y is None and (X[1:] == X[:1]).all():
        n_clusters = 1  # all pictures are the same
    image_shape = None if recipe is None else recipe.image_shape
    settings |= {"n_clusters": n_clusters, "image_shape": image_shape, "random_state": seed}
    model = RONMF() if previous is None else previous
    if earlier is not None and previous is None:
        model._go_on_from(*earlier)
    before = model.get_params(deep=False)
    try:
        with fit_listener(report):
            return model.set_params(**settings).fit(X, y)
    except BaseException:
        model.set_params(**before)  # of the fit that it still holds
        raise
