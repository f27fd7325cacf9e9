"""The graphs that compete unless others are named."""

from typing import Any

import numpy as np
from sklearn.pipeline import make_pipeline

from ...features import HOG, GaussianBlur, MedianFilter, SoftBins, UnitNorm, picture_shape
from ...storage._products import row_norms
from ...storage._rows import StoredRows
from .._recipe import GraphRecipe

__all__ = ["SMALL", "default_recipes"]

# Side of a picture, in pixels, at which the widths below are meant.
_SIDE = 32.0
# Samples up to which more candidates cost little, and labels are too few to tell the best apart
SMALL = 500


def default_recipes(
    X: Any, image_shape: tuple[int, ...] | None, n_neighbors: int = 5
) -> list[GraphRecipe]:
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
    n_neighbors : int, default=5
        Of graphs that name no other number; some have twice as many.

    Examples
    --------
    >>> recipes = default_recipes(np.eye(64), image_shape=(8, 8))
    >>> print(len(recipes), "candidates; without any label", recipes[0])
    66 candidates; without any label HOG(blur=0.375, cell=1, ...), PCA 100, whitened 0.25
    >>> len(default_recipes(np.eye(64), image_shape=None))
    9
    """
    # Twice the neighbours too, where there are so many others.
    twice = min(2 * n_neighbors, len(X) - 1)
    more = twice if twice > n_neighbors else None
    X = X if isinstance(X, StoredRows) else np.asarray(X)
    if image_shape is None:
        return _of_rows(X.shape[1], row_norms(X), more)
    height, width, _ = picture_shape("default_recipes", image_shape, X.shape[1])
    unit = float(np.sqrt(height * width)) / _SIDE
    return _of_pictures(tuple(image_shape), unit, more, several=len(X) <= SMALL)


def _of_pictures(
    shape: tuple[int, ...], unit: float, more: int | None, several: bool
) -> list[GraphRecipe]:
    """Return the candidates for pictures; `unit` is their side over 32 pixels.

    `several` asks for discriminant axes of several shrinkages.
    """
    fine, coarse = (
        HOG(cell=max(1.0, 3 * unit), smoothing=wide * unit, blur=blur * unit, image_shape=shape)
        for wide, blur in ((2, 1), (3, 1.5))
    )
    median = MedianFilter(image_shape=shape)
    light, broad = (GaussianBlur(sigma * unit, image_shape=shape) for sigma in (1, 2))
    faint = GaussianBlur(0.7 * max(1.0, unit), image_shape=shape)
    cell = max(1.0, unit)
    ranks, values = (SoftBins(scale=s, cell=cell, image_shape=shape) for s in ("quantile", "value"))
    norm = UnitNorm()
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
        recipe
        for features, prior, powers in kinds
        for recipe in (
            *(GraphRecipe(features, whitening=q, prior=w * prior) for q, w in powers.items()),
            *_discriminant(features, more, several),
        )
    ]


def _of_rows(n_features: int, norms: np.ndarray, more: int | None) -> list[GraphRecipe]:
    """Return the candidates for data that are no pictures, given the norms of their rows."""
    sizes = [size for size in (100, 30, 10) if size < n_features or size == 100]
    kinds: list[Any] = [None]
    if n_features > 1 and not np.allclose(norms, norms[0], atol=0):  # in any unit
        kinds.append(UnitNorm())
    return [
        recipe
        for features in kinds
        for recipe in (
            *(GraphRecipe(features, n_components=size) for size in sizes),
            *_discriminant(features, more, several=True),
        )
    ]


def _discriminant(features: Any, more: int | None, several: bool) -> list[GraphRecipe]:
    """Return recipes with axes of labels; of propagated ones also with `more` neighbours."""
    propagated: list[tuple[float, int | None]] = [(0.1, None), (0.5, None)]
    if more is not None:
        propagated += [(shrinkage, more) for shrinkage in ((0.1, 0.5) if several else (0.3,))]
    return [
        *(GraphRecipe(features, "lda", shrinkage=s) for s in ((0.1, 0.5) if several else (0.3,))),
        *(
            GraphRecipe(features, "propagated lda", shrinkage=shrinkage, n_neighbors=count)
            for shrinkage, count in propagated
        ),
    ]
