"""The graphs that compete unless others are named."""

from itertools import product
from typing import Any

import numpy as np
from sklearn.pipeline import make_pipeline

from ...features import HOG, GaussianBlur, MedianFilter, SoftBins, UnitNorm
from ...numerics.pictures import picture_shape
from ...storage._products import row_norms
from ...storage._rows import StoredRows
from .._recipe import GraphRecipe
from . import tuning

__all__ = ["default_recipes"]

_SIDE = 32.0  # of a picture, in pixels, at which the widths below are meant


def default_recipes(X: Any, image_shape: tuple[int, ...] | None) -> list[GraphRecipe]:
    """Return the candidates of ``graph="auto"``.

    Pictures: oriented gradients of two widths and those of the median filtered picture, two blurs
    and pixels, all scaled to unit length, and soft bins of pixel values, of their ranks, and of the
    ranks of lightly blurred pixels; widths grow with the picture. Other data: as they are and,
    where that differs, scaled to unit length. Each with principal axes, gradients whitened in part,
    and with discriminant axes of given and of propagated labels.

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
        free = _of_rows(X.shape[1], row_norms(X))
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
    gradients, plain = {0.25: 1.0, 0.5: 0.6}, {0.0: 1.0}
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


def _of_rows(n_features: int, norms: np.ndarray) -> list[GraphRecipe]:
    """Return the candidates for data that are no pictures, given the norms of their rows."""
    sizes = [size for size in (100, 30, 10) if size < n_features or size == 100]
    kinds: list[Any] = [None]
    if n_features > 1 and not np.allclose(norms, norms[0], atol=0):  # in any unit
        kinds.append(UnitNorm())
    return [GraphRecipe(features, n_components=size) for features in kinds for size in sizes]
