"""A fit of the pictures of a folder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..estimators.progress import fit_listener
from ..system.plain_text import counted
from ._recipes import FeatureRecipe

if TYPE_CHECKING:
    from ..estimators.ronmf import RONMF

__all__ = ["fit_pictures"]

_NO_LABEL = ("", "-1")
_NEIGHBORS = 5  # of each picture in the graph, where there are as many


def fit_pictures(
    X: np.ndarray,
    recipe: FeatureRecipe | None,
    labels: Sequence[str] | None = None,
    *,
    n_clusters: int | str | None = None,
    warm_start: bool = False,
    previous: RONMF | None = None,
    seed: int = 0,
    max_memory: int | str | None = None,
    checkpoint: Path | None = None,
    report: Callable[[str, int, int], Any] = lambda stage, done, most: None,
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
    warm_start : bool, default=False
        Whether the result keeps what a later fit goes on from, which takes memory.
    previous : RONMF, default=None
        An earlier result of this function on the same pictures, from which to go on if it was made
        with `warm_start`: faster. It is fitted again, and returned.
    seed : int, default=0
        Seed of everything random.
    max_memory, checkpoint
        As in :class:`ronmf.RONMF`.
    report : callable
        ``report(stage, done, most)`` is called after every step; what it raises ends the fit.

    Returns
    -------
    RONMF

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from ronmf.sorting import fit_pictures
    >>> from ronmf.sorting import FeatureRecipe
    >>> X, truth = load_digits(return_X_y=True)
    >>> labels = ["" if i % 30 else str(digit) for i, digit in enumerate(truth)]
    >>> model = fit_pictures(X, FeatureRecipe("pixels", (8, 8)), labels)
    >>> bool((model.transduction_ == truth.astype(str)).mean() > 0.95)
    True
    """
    from ..estimators.ronmf import RONMF

    known = None if labels is None else ["" if i.strip() in _NO_LABEL else i for i in labels]
    given = [] if known is None else sorted(set(known) - {""})
    if n_clusters is None and len(given) < 2:
        n_clusters = "auto"
    if isinstance(n_clusters, int) and len(given) > n_clusters:
        raise ValueError(
            f"{counted(n_clusters, 'cluster')} {'is' if n_clusters == 1 else 'are'} asked for, but"
            f" {len(given)} classes have labels; ask for as many or more, or give fewer labels."
        )
    if isinstance(n_clusters, int) and n_clusters > X.shape[0]:
        raise ValueError(f"{n_clusters} clusters are asked for of {X.shape[0]} pictures.")
    settings: dict[str, Any] = {
        "n_clusters": n_clusters,
        "image_shape": None if recipe is None else recipe.image_shape,
        "random_state": seed,
        "max_memory": max_memory,
        "checkpoint": checkpoint,
        "warm_start": warm_start or (previous is not None and previous.warm_start),
    }
    if X.shape[0] < 2:
        raise ValueError("there is one picture that can be read; clusters need two or more.")
    if X.shape[0] <= _NEIGHBORS:
        settings["n_neighbors"] = X.shape[0] - 1
    if n_clusters == "auto" and not given and (X[1:] == X[:1]).all():
        settings["n_clusters"] = 1  # all pictures are the same
    y = None if not given else np.array(known, dtype=object)
    if previous is None:
        with fit_listener(report):
            return RONMF(**settings).fit(X, y)
    before = previous.get_params(deep=False)
    try:
        with fit_listener(report):
            return previous.set_params(**settings).fit(X, y)
    except BaseException:
        previous.set_params(**before)  # of the fit that it still holds
        raise
