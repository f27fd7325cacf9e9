"""Features and principal coordinates of samples, made once for all recipes that share them."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
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
from .._recipe import GraphRecipe

__all__ = ["Prepared", "SampleFeatures", "coordinates_of", "coordinates_of_all"]
__all__ += ["fits_float32"]

_MOST_AXES = 100  # principal axes that are kept of any features
_FEW, _ENOUGH, _PER_CLUSTER, _PER_AXIS = 500, 1000, 50, 2  # samples that shape them
_BLOCK = 2**21  # entries of the features that are held at a time
_MUCH = 2**26  # entries of the compared samples, from which one kind at a time is prepared
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
        self.X = X
        self.rows, self.axis_rows = rows, axis_rows
        self.n_shaping, self._many = _ENOUGH, _MANY
        if guided and X.shape[0] > _ENOUGH:
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
        if isinstance(samples, slice) and isinstance(self.X, StoredRows):
            dtype = self._dtype(features, self.X.dtype)
            return coordinates_of_all(self.X, features, [axes], dtype)[0]
        if isinstance(samples, slice) and _works_on_device(features, self.X):
            blocks = row_blocks(self.X, _DEVICE_BLOCK)
            each = [axes.coordinates(features.transform(self.X[rows, :])) for rows in blocks]
            return array_namespace(self.X).concat(each)
        chosen = np.arange(self.X.shape[0])[samples]
        found = [np.zeros((0, axes.directions.shape[1]), dtype=axes.directions.dtype)]
        size = _block_size(axes)
        for start in range(0, len(chosen), size):
            some = self._samples(features, chosen[start : start + size])
            found += coordinates_of(some, features, [axes], some.dtype)
        return np.concatenate(found)

    def _samples(self, features: Any, samples: np.ndarray) -> np.ndarray:
        some = to_numpy(take(self.X, samples))
        return some.astype(self._dtype(features, some.dtype), copy=False)

    def _dtype(self, features: Any, given: Any) -> np.dtype:
        """Return the type of samples: of many, float32 for features, whose axes need no more."""
        exact = isinstance(features, UnitScale) or not self._fits_float32
        return np.dtype(given if exact else np.float32)

    @cached_property
    def _fits_float32(self) -> bool:
        return self.X.shape[0] > self._many and fits_float32(self.X)

    def prepare_all(self, recipes: list[GraphRecipe]) -> None:
        """Prepare the features of recipes, several kinds at a time unless they are large."""
        kinds = {self._name(recipe): recipe for recipe in recipes}.values()
        if len(self.rows) * self.X.shape[1] > _MUCH:
            for recipe in kinds:
                self.prepare(recipe)
        else:
            in_threads(self.prepare, kinds)

    def _name(self, recipe: GraphRecipe) -> str:
        return f"{self.kind(recipe)} {max(_MOST_AXES, recipe.n_components)}"


def fits_float32(X: Any) -> bool:
    """Whether features of data can be made in float32 without over- or underflow."""
    largest = X.largest if isinstance(X, StoredRows) else to_numpy(X).max()
    return bool(1e-9 < largest < 1e9)


def coordinates_of(
    block: np.ndarray, features: Any, axes: list[Axes], dtype: np.dtype
) -> list[np.ndarray]:
    """Return coordinates of samples along each of several sets of axes of the same features.

    `dtype` is the type that the features are made of.
    """
    found, size = [], _block_size(axes[0])
    for start in range(0, len(block), size):  # features may be many times the data
        some = block[start : start + size].astype(dtype, copy=False)
        F = as_rows(features.transform(some), features, len(some), len(axes[0].directions))
        found.append([each.coordinates(F) for each in axes])
    return [np.concatenate(each) for each in zip(*found, strict=True)]


def coordinates_of_all(
    X: Any, features: Any, axes: list[Axes], dtype: np.dtype | None
) -> list[np.ndarray]:
    """Return coordinates of all samples along several sets of axes, an array for each.

    `dtype` is the type that the features are made of; None: that of X.
    """
    maps = list(chain(*((each.centre, each.directions) for each in axes)))

    def make() -> list[np.ndarray]:
        blocks: Iterator[list[np.ndarray]]
        if isinstance(X, StoredRows):
            shared = (features, axes, dtype or X.dtype)
            blocks = X.map(coordinates_of, shared=shared, steady=False)
        else:
            some = (to_numpy(X[rows, :]) for rows in row_blocks(X, _block_size(axes[0])))
            blocks = (coordinates_of(each, features, axes, dtype or each.dtype) for each in some)
        return _stacked(blocks, X.shape[0])

    if not isinstance(X, StoredRows):
        return make()

    def of() -> tuple:
        return X.digest(), content_name(features), dtype, *maps

    return list(remembered("coordinates", of, make))


def _stacked(blocks: Iterator[list[np.ndarray]], n: int) -> list[np.ndarray]:
    """Put blocks of rows below each other, without having all of them twice."""
    found: list[np.ndarray] = []
    start = 0
    for block in blocks:
        if not found:
            found = [np.empty((n, each.shape[1]), dtype=each.dtype) for each in block]
        for whole, each in zip(found, block, strict=True):
            whole[start : start + len(each)] = each
        start += len(block[0])
    return found


def _block_size(axes: Axes) -> int:
    """Return how many samples' features are held at a time."""
    return -(-_BLOCK // len(axes.directions))


def _works_on_device(features: Any, X: Any) -> bool:
    """Whether features of samples on an accelerator can be made there."""
    steps = [step for _, step in features.steps] if isinstance(features, Pipeline) else [features]
    able = all(getattr(step, "_any_library", False) for step in steps)
    return able and is_foreign(X) and not on_cpu(X)
