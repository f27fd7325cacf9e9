"""Features and principal coordinates of samples, made once for all recipes that share them."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from array_api_compat import array_namespace
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from ...numerics.arrays import is_foreign, on_cpu, row_blocks, to_numpy
from ...numerics.threads import in_threads
from .._axes import Axes, UnitScale, as_rows, principal_axes
from .._recipe import GraphRecipe

__all__ = ["Prepared", "SampleFeatures"]

_MOST_AXES = 100  # principal axes that are kept of any features
_FEW, _ENOUGH, _PER_CLUSTER, _PER_AXIS = 500, 1000, 50, 2  # samples that shape them
_BLOCK = 2**21  # entries of the features that are held at a time
_DEVICE_BLOCK = 2**15  # samples, on an accelerator
_MANY = 3000  # samples from which features are in float32 in any case


@dataclass(frozen=True, eq=False)
class Prepared:
    """Features of one kind, fitted on the compared samples.

    Attributes
    ----------
    features : transformer
        Fitted.
    axes : Axes
        Their principal axes.
    rows : ndarray of shape (n_compared, n_axes)
        Coordinates of the compared samples.
    labelled : ndarray of shape (n_labelled, n_axes)
        Coordinates of the labelled samples that shape discriminant axes.
    """

    features: Any
    axes: Axes
    rows: np.ndarray
    labelled: np.ndarray


class SampleFeatures:
    """Features of all kinds, fitted on the compared samples.

    Parameters
    ----------
    X : array of shape (n_samples, n_features)
        The data, of any array API library.
    rows : ndarray of int
        The compared samples, in order.
    axis_rows : ndarray of int
        The labelled samples that shape discriminant axes.
    n_clusters : int
        How many clusters there are: the axes of many need more samples.
    guided : bool
        Whether hidden labels will tell good graphs from bad. Else clusters must be told apart by
        the graphs alone, and no sample or digit is spared for the sake of time.
    """

    def __init__(
        self, X: Any, rows: np.ndarray, axis_rows: np.ndarray, n_clusters: int, guided: bool
    ) -> None:
        self.X, self.host = X, to_numpy(X)
        self.rows, self.axis_rows = rows, axis_rows
        self.n_shaping, self._many = _ENOUGH, _MANY
        if guided and len(self.host) > _ENOUGH:
            self.n_shaping = min(_ENOUGH, max(_FEW, _PER_CLUSTER * n_clusters))
            self._many = _ENOUGH
        self._prepared: dict[str, Prepared] = {}
        self._kinds: dict[int, tuple[Any, str]] = {}

    def kind(self, recipe: GraphRecipe) -> str:
        """Return what the features of a recipe are; hashed once for all recipes that share them."""
        key = id(recipe.features)
        if key not in self._kinds:  # the object is kept: no other may get its address
            self._kinds[key] = recipe.features, recipe.kind
        return self._kinds[key][1]

    def prepare(self, recipe: GraphRecipe) -> Prepared:
        """Return features of a recipe, fitted once for all recipes that share them."""
        name = self._name(recipe)
        if name not in self._prepared:
            features = UnitScale() if recipe.features is None else clone(recipe.features)
            some = self._samples(features, self.rows)
            F = as_rows(features.fit_transform(some), features, len(self.rows))
            count = max(_MOST_AXES, recipe.n_components)
            axes = principal_axes(F, count, max(self.n_shaping, _PER_AXIS * count))
            rows = axes.coordinates(F)
            labelled = np.empty((len(self.axis_rows), rows.shape[1]), dtype=rows.dtype)
            compared = np.isin(self.axis_rows, self.rows)
            labelled[compared] = rows[np.searchsorted(self.rows, self.axis_rows[compared])]
            others = self.axis_rows[~compared]
            labelled[~compared] = self.coordinates(features, axes, others)
            self._prepared[name] = Prepared(features, axes, rows, labelled)
        return self._prepared[name]

    def coordinates(self, features: Any, axes: Axes, samples: Any = slice(None)) -> Any:
        """Return the principal coordinates of some samples, by default all.

        Of all samples on an accelerator, they are computed and stay there, where the features can.
        """
        if isinstance(samples, slice) and _works_on_device(features, self.X):
            blocks = row_blocks(self.X, _DEVICE_BLOCK)
            each = [axes.coordinates(features.transform(self.X[rows, :])) for rows in blocks]
            return array_namespace(self.X).concat(each)
        chosen = np.arange(len(self.host))[samples]
        found = [np.zeros((0, axes.directions.shape[1]), dtype=axes.directions.dtype)]
        size = -(-_BLOCK // len(axes.directions))
        for start in range(0, len(chosen), size):  # features may be many times the data
            some = self._samples(features, chosen[start : start + size])
            F = as_rows(features.transform(some), features, len(some), len(axes.directions))
            found.append(axes.coordinates(F))
        return np.concatenate(found)

    def _samples(self, features: Any, samples: np.ndarray) -> np.ndarray:
        """Return some samples; of many, in float32 for features: their axes need no more digits."""
        some = self.host[samples]
        exact = isinstance(features, UnitScale) or not self._fits_float32
        return some if exact else some.astype(np.float32, copy=False)

    @cached_property
    def _fits_float32(self) -> bool:
        return len(self.host) > self._many and 1e-9 < self.host.max() < 1e9

    def prepare_all(self, recipes: list[GraphRecipe]) -> None:
        """Prepare the features of recipes, several kinds at a time."""
        in_threads(self.prepare, {self._name(recipe): recipe for recipe in recipes}.values())

    def _name(self, recipe: GraphRecipe) -> str:
        return f"{self.kind(recipe)} {max(_MOST_AXES, recipe.n_components)}"


def _works_on_device(features: Any, X: Any) -> bool:
    """Whether features of samples on an accelerator can be made there."""
    steps = [step for _, step in features.steps] if isinstance(features, Pipeline) else [features]
    able = all(getattr(step, "_any_library", False) for step in steps)
    return able and is_foreign(X) and not on_cpu(X)
