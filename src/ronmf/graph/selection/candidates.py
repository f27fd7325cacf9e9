"""The graphs that compete unless others are named."""

from typing import Any

import numpy as np
from sklearn.pipeline import make_pipeline

from ...features import HOG, GaussianBlur, MedianFilter, UnitNorm, picture_shape
from .._recipe import GraphRecipe

__all__ = ["default_recipes"]

# Side of a picture, in pixels, at which the widths below are meant.
_SIDE = 32.0


def default_recipes(X: np.ndarray, image_shape: tuple[int, ...] | None) -> list[GraphRecipe]:
    """Return the candidates of ``graph="auto"``, the one to prefer without evidence first.

    Pictures: pixels, two blurs, a median filter, oriented gradients of two widths, and those of the
    median filtered picture, all scaled to unit length; widths grow with the picture. Other data: as
    they are and, where that differs, scaled to unit length. Each with 100 and 30 (and 10, of other
    data) principal axes and with discriminant axes, of given and of propagated labels, at two
    shrinkages.

    Examples
    --------
    >>> recipes = default_recipes(np.eye(64), image_shape=(8, 8))
    >>> print(len(recipes), "candidates; without any label", recipes[0])
    42 candidates; without any label HOG(blur=0.25, cell=1, smoothing=0.5), PCA 100
    >>> len(default_recipes(np.eye(64), image_shape=None))
    7
    """
    kinds: list[Any]
    counts: tuple[int, ...] = (100, 30)
    if image_shape is None:
        X = np.asarray(X)
        kinds = [None]
        counts = tuple(count for count in (100, 30, 10) if count < X.shape[1] or count == 100)
        norms = np.linalg.norm(X, axis=1)
        if X.shape[1] > 1 and not np.allclose(norms, norms[0], atol=0):  # in any unit
            kinds.append(UnitNorm())
    else:
        height, width, _ = picture_shape("default_recipes", image_shape, np.shape(X)[1])
        shape = tuple(image_shape)
        unit = float(np.sqrt(height * width)) / _SIDE
        fine, coarse = (
            HOG(cell=max(1.0, 3 * unit), smoothing=wide * unit, blur=blur * unit, image_shape=shape)
            for wide, blur in ((2, 1), (3, 1.5))
        )
        median = MedianFilter(image_shape=shape)
        chains = [[fine], [coarse], [median, fine], [], [median]]
        chains += [[GaussianBlur(broad * unit, image_shape=shape)] for broad in (1, 2)]
        kinds = [make_pipeline(*chain, UnitNorm()) for chain in chains]
    return [
        recipe
        for features in kinds
        for recipe in (
            *(GraphRecipe(features, n_components=count) for count in counts),
            *(GraphRecipe(features, "lda", shrinkage=shrinkage) for shrinkage in (0.1, 0.5)),
            *(
                GraphRecipe(features, "propagated lda", shrinkage=shrinkage)
                for shrinkage in (0.1, 0.5)
            ),
        )
    ]
