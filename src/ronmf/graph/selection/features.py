"""Principal coordinates of samples for each kind of features, made once for all its candidates."""

from collections.abc import Iterable
from functools import cached_property
from typing import Any

import numpy as np
from array_api_compat import array_namespace
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from ...numerics.arrays import is_foreign, on_cpu, row_blocks, to_numpy
from ...numerics.threads import in_threads
from ...storage._checkpoint import content_name, remembered
from ...storage._products import take
from ...storage._rows import StoredRows
from .._axes import Axes, UnitScale, as_rows, principal_axes
from .._linear_view import LinearView
from .._recipe import GraphRecipe
from . import tuning

__all__ = ["FeatureKind", "coordinates_of_all", "feature_kinds"]

_BLOCK = 2**21  # entries of the features that are held at a time
_MUCH = 2**26  # entries of the fitted samples, from which one kind at a time is fitted
_DEVICE_BLOCK = 2**15  # samples, on an accelerator


class FeatureKind:
    """Features of one kind, shared by all candidates that ask for them.

    Parameters
    ----------
    X : array of shape (n_samples, n_features)
        The data, of any array API library, or stored.
    rows : ndarray of int
        The samples to fit on, in order.
    features : transformer or None
        What makes the features; None takes samples as they are.
    n_axes : int
        How many principal axes are kept.

    Attributes
    ----------
    features : transformer
        Fitted.
    axes : Axes
        Their principal axes.
    points : ndarray of shape (n_fitted, n_axes)
        Coordinates of the samples that they were fitted on.
    """

    axes: Axes
    points: np.ndarray

    def __init__(self, X: Any, rows: np.ndarray, features: Any, n_axes: int) -> None:
        self.X, self.rows, self.n_axes = X, rows, n_axes
        self.features = UnitScale() if features is None else clone(features)

    def fit(self) -> None:
        """Fit features and axes."""
        some = to_numpy(take(self.X, self.rows))
        F = as_rows(self.features.fit_transform(some), self.features, len(some))
        self.axes = principal_axes(F, self.n_axes, max(tuning.AXES_SAMPLES, 2 * self.n_axes))
        self.points = self.axes.coordinates(F)

    @cached_property
    def view(self) -> LinearView:
        """A linear view of all samples, along more axes."""
        some = to_numpy(take(self.X, self.rows))
        F = as_rows(self.features.transform(some), self.features, len(some)).astype(np.float32)
        axes = principal_axes(F, tuning.VIEW_AXES, max(tuning.AXES_SAMPLES, 2 * tuning.VIEW_AXES))
        if len(self.rows) == self.X.shape[0]:
            points = axes.coordinates(F)
        else:
            points = to_numpy(coordinates_of_all(self.X, self.features, [axes])[0])
        points = points.astype(np.float32, copy=False)
        return LinearView(self.features, axes, points, tuning.VIEW_WEIGHT)

    @cached_property
    def everywhere(self) -> Any:
        """The principal coordinates of all samples.

        They are on the accelerator where the data are, if the features can be made there.
        """
        if len(self.rows) == self.X.shape[0]:
            return self.points
        return coordinates_of_all(self.X, self.features, [self.axes])[0]


def feature_kinds(
    X: Any, rows: np.ndarray, recipes: list[GraphRecipe]
) -> dict[GraphRecipe, FeatureKind]:
    """Return the features of each candidate, fitted: the same for equal parameters."""
    names = {id(recipe.features): recipe.kind for recipe in recipes}  # each is hashed once
    n_axes = max(tuning.AXES, *(recipe.n_components for recipe in recipes))
    kinds = {names[id(r.features)]: FeatureKind(X, rows, r.features, n_axes) for r in recipes}
    fit_each = map if len(rows) * X.shape[1] > _MUCH else in_threads
    list(fit_each(FeatureKind.fit, kinds.values()))
    return {recipe: kinds[names[id(recipe.features)]] for recipe in recipes}


def coordinates_of_all(X: Any, features: Any, axes: list[Axes]) -> list[Any]:
    """Return coordinates of all samples along several sets of axes, an array for each."""
    if _made_on_device(features, X):
        blocks = (X[rows, :] for rows in row_blocks(X, _DEVICE_BLOCK))
        return _stacked(_along(axes, features.transform(block)) for block in blocks)
    if not isinstance(X, StoredRows):
        return _by_blocks(X, features, axes)

    def make() -> list[np.ndarray]:
        return _stacked(X.map(_by_blocks, shared=(features, axes, X.dtype), steady=False))

    maps = [part for each in axes for part in (each.centre, each.directions)]
    depends_on = content_name(features), *maps
    return list(remembered("coordinates", lambda: (X.digest(), *depends_on), make))


def _by_blocks(X: Any, features: Any, axes: list[Axes], dtype: Any = None) -> list[np.ndarray]:
    """Return coordinates along several sets of axes; features may be many times the data."""
    n_columns = len(axes[0].directions)

    def some(rows: slice) -> list[np.ndarray]:
        block = to_numpy(X[rows, :])
        F = features.transform(block.astype(dtype or block.dtype, copy=False))
        return _along(axes, as_rows(F, features, len(block), n_columns))

    return _stacked(some(rows) for rows in row_blocks(X, -(-_BLOCK // n_columns)))


def _along(axes: list[Axes], F: Any) -> list[Any]:
    return [each.coordinates(F) for each in axes]


def _stacked(blocks: Iterable[list[Any]]) -> list[Any]:
    """Put blocks of rows below each other."""
    return [array_namespace(*each).concat(each) for each in zip(*blocks, strict=True)]


def _made_on_device(features: Any, X: Any) -> bool:
    """Whether features of samples on an accelerator can be made there."""
    steps = [step for _, step in features.steps] if isinstance(features, Pipeline) else [features]
    able = all(getattr(step, "_any_library", False) for step in steps)
    return able and is_foreign(X) and not on_cpu(X)
