"""The graphs that compete unless others are named."""

from itertools import product
from typing import Any

import numpy as np
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from ...features import HOG, GaussianBlur, MedianFilter, SoftBins, UnitNorm
from ...numerics.arrays import to_numpy
from ...numerics.pictures import picture_shape
from ...storage._products import take
from ...storage._rows import StoredRows
from .._recipe import GraphRecipe
from . import tuning

__all__ = ["default_recipes"]

_SIDE = 32.0  # of a picture, in pixels, at which the widths below are meant
_LOOKED_AT = 1000  # rows that tell what columns are like
# Largest spread of a column over the median one. Pixels have 1 to 2.2, principal coordinates of
# digits up to 7, columns of different units 390 (wine) and 7,800 (cells).
_UNITS = 10.0
_CENTRED = 0.1  # median of the columns' means over their spreads; pixels have 0.3 to 3
_UNLIKELY = (
    0.001  # weight of features that seem wrong, before hidden labels say otherwise. A column
)
# that outweighs all others makes clean cuts, which may bring 500 times the weight: with 0.03, one
# label per class of wine has 0.69 instead of 0.89
_SIZES = {100: 1.0, 30: 0.3, 10: 0.03}  # principal axes, with their weights: equal ones lose 0.003


def default_recipes(X: Any, image_shape: tuple[int, ...] | None) -> list[GraphRecipe]:
    """Return the candidates of ``graph="auto"``.

    Pictures: oriented gradients of two widths and those of the median filtered picture, two blurs
    and pixels, all scaled to unit length, and soft bins of pixel values, of their ranks, and of the
    ranks of lightly blurred pixels; widths grow with the picture. Other data: as they are; scaled
    to unit length, unless columns are centred; and with columns of equal spread, if these differ so
    much that they seem to have different units. Each with principal axes, gradients whitened in
    part, and with discriminant axes of given and of propagated labels.

    Parameters
    ----------
    X : ndarray or StoredRows of shape (n_samples, n_features)
        The data.
    image_shape : tuple or None
        How the features of a row lie in the picture.

    Examples
    --------
    >>> recipes = default_recipes(np.eye(64), image_shape=(8, 8))
    >>> print(len(recipes), "candidates; without any label", recipes[0])
    39 candidates; without any label HOG(blur=0.375, cell=1, ...), PCA 100, whitened 0.25
    >>> len(default_recipes(np.eye(64), image_shape=None))
    6
    """
    X = X if isinstance(X, StoredRows) else np.asarray(X)
    if image_shape is None:
        free = _of_rows(X)
    else:
        height, width, _ = picture_shape("default_recipes", image_shape, X.shape[1])
        free = _of_pictures(tuple(image_shape), float(np.sqrt(height * width)) / _SIDE)
    kinds = {id(recipe.features): recipe.features for recipe in free}.values()
    given = [GraphRecipe(features, "lda", shrinkage=tuning.SHRINKAGE) for features in kinds]
    again = product(kinds, tuning.SHRINKAGES)
    return free + given + [GraphRecipe(f, "propagated lda", shrinkage=s) for f, s in again]


def _of_pictures(shape: tuple[int, ...], unit: float) -> list[GraphRecipe]:
    """Return the candidates for pictures; `unit` is their side over 32 pixels."""
    fine, coarse = (
        HOG(cell=max(1.0, 3 * unit), smoothing=wide * unit, blur=blur * unit, image_shape=shape)
        for wide, blur in ((2, 1), (3, 1.5))
    )
    sigmas = unit, 2 * unit, 0.7 * max(1.0, unit)
    light, broad, faint = (GaussianBlur(sigma, image_shape=shape) for sigma in sigmas)
    cell, scales = max(1.0, unit), ("quantile", "value")
    ranks, values = (SoftBins(scale=scale, cell=cell, image_shape=shape) for scale in scales)
    median, norm = MedianFilter(image_shape=shape), UnitNorm()
    gradients, plain = {0.25: 1.0, 0.5: 1.0}, {0.0: 1.0}
    # Features, their weight before any evidence, and whitenings with theirs
    kinds: list[tuple[Any, float, dict[float, float]]] = [
        (make_pipeline(coarse, norm), 1.0, gradients),
        (make_pipeline(fine, norm), 0.7, gradients),
        (make_pipeline(median, fine, norm), 0.3, gradients),
        (make_pipeline(light, norm), 0.3, plain),
        (ranks, 0.3, plain),
        (values, 0.3, plain),
        (make_pipeline(faint, ranks), 0.3, plain),
        (make_pipeline(broad, norm), 0.01, plain),
        (norm, 0.01, plain),
    ]
    return [
        GraphRecipe(features, whitening=power, prior=weight * prior)
        for features, prior, powers in kinds
        for power, weight in powers.items()
    ]


def _of_rows(X: Any) -> list[GraphRecipe]:
    """Return the candidates for data that are no pictures, by what some rows are like."""
    some = to_numpy(
        take(X, np.linspace(0, X.shape[0] - 1, min(X.shape[0], _LOOKED_AT)).astype(int))
    )
    spread, mean = some.std(axis=0), np.abs(some.mean(axis=0))
    varying = spread > 0
    spread, mean = spread[varying], mean[varying]
    centred = bool(len(spread)) and np.median(mean / spread) < _CENTRED
    kinds: list[tuple[Any, float]] = [(None, 1.0)]
    norms = np.linalg.norm(some, axis=1)
    # From the mean of all samples, a direction tells less than a place.
    if some.shape[1] > 1 and not centred and not np.allclose(norms, norms[0], atol=0):
        kinds.append((UnitNorm(), 1.0))
    if len(spread) and spread.max() > _UNITS * np.median(spread):
        standard = StandardScaler(with_mean=False)  # axes are centred anyway
        if centred:  # such as principal coordinates: their spreads are meant
            kinds.append((standard, _UNLIKELY))
        else:
            kinds = [(standard, 1.0), *((features, _UNLIKELY) for features, _ in kinds)]
    return [
        GraphRecipe(features, n_components=size, prior=prior * weight)
        for features, prior in kinds
        for size, weight in _SIZES.items()
        if size < X.shape[1] or size == max(_SIZES)
    ]
