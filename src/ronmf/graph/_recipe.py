"""How to make a neighbour graph: which features, which coordinates, how many neighbours."""

from dataclasses import dataclass
from numbers import Integral, Real
from pickle import PicklingError
from typing import Any

import joblib
import numpy as np
from sklearn.pipeline import Pipeline, make_pipeline

from ..features import HOG, GaussianBlur, MedianFilter, UnitNorm, picture_shape

__all__ = ["GraphRecipe", "default_recipes"]

_AXES = ("pca", "lda", "propagated lda")
# Side of a picture, in pixels, at which the widths below are meant.
_SIDE = 32.0


@dataclass(frozen=True)
class GraphRecipe:
    """A candidate for the neighbour graph of some data.

    Parameters
    ----------
    features : transformer, default=None
        Makes features of samples without looking at labels, such as those of
        :mod:`ronmf.features`; None takes samples as they are.
    axes : {"pca", "lda", "propagated lda"}, default="pca"
        Coordinates in which neighbours are near: principal axes of the features, discriminant axes
        of the given labels, or those of labels propagated over the graphs chosen without them.
    n_components : int, default=100
        Number of principal axes. Discriminant axes are made within these.
    shrinkage : float, default=0.5
        Of discriminant analysis: 0 trusts the labelled samples' scatter, 1 calls it a ball.
    n_neighbors : int, default=None
        Neighbours of each sample; None leaves it to the estimator.

    Examples
    --------
    >>> from ronmf.features import HOG
    >>> print(GraphRecipe(HOG(cell=3.0, image_shape=(32, 32)), "lda", shrinkage=0.1))
    HOG(cell=3), LDA 0.1
    """

    features: Any = None
    axes: str = "pca"
    n_components: int = 100
    shrinkage: float = 0.5
    n_neighbors: int | None = None

    def __post_init__(self) -> None:
        if self.axes not in _AXES:
            raise ValueError(f"axes={self.axes!r} is not known; use one of {', '.join(_AXES)}.")
        for name in ("n_components", "n_neighbors"):
            count = getattr(self, name)
            missing = count is None and name == "n_neighbors"
            if not missing and not (isinstance(count, Integral) and int(count) >= 1):
                raise ValueError(f"{name}={count!r} is not a whole number from 1; change it.")
        if not (isinstance(self.shrinkage, Real) and 0 <= self.shrinkage <= 1):
            raise ValueError(f"shrinkage={self.shrinkage!r} is not between 0 and 1; change it.")
        if self.features is not None and (
            isinstance(self.features, type) or not hasattr(self.features, "fit_transform")
        ):
            raise ValueError(
                f"features={self.features!r} is no transformer; give an object with fit_transform"
                " and transform, or None for samples as they are."
            )

    @property
    def uses_labels(self) -> bool:
        """Whether the graph depends on the given labels."""
        return self.axes != "pca"

    @property
    def kind(self) -> str:
        """What the features are: the same for recipes whose features have equal parameters."""
        try:  # their ``repr`` leaves out the middle of long parameters
            return str(joblib.hash(self.features))
        except (AttributeError, TypeError, PicklingError):  # a lambda has only its place in memory
            return repr(self.features)

    @property
    def key(self) -> tuple:
        """All that the graph depends on, to compare recipes by."""
        return self.kind, self.axes, self.n_components, self.shrinkage, self.n_neighbors

    def __str__(self) -> str:
        coordinates = {
            "pca": f"PCA {self.n_components}",
            "lda": f"LDA {self.shrinkage:g}",
            "propagated lda": f"LDA {self.shrinkage:g} of propagated labels",
        }[self.axes]
        neighbors = "" if self.n_neighbors is None else f", {self.n_neighbors} neighbours"
        return f"{_short(self.features)}, {coordinates}{neighbors}"


def _short(features: Any) -> str:
    """Return the name of a transformer with its changed parameters, the picture's shape left out.

    Examples
    --------
    >>> _short(make_pipeline(MedianFilter(image_shape=(8, 8)), UnitNorm()))
    'MedianFilter'
    """
    if features is None:
        return "as is"
    if isinstance(features, Pipeline):
        steps = [step for _, step in features.steps if not isinstance(step, UnitNorm)]
        return " + ".join(map(_short, steps)) or "UnitNorm"
    name = type(features).__name__
    try:
        defaults = type(features)().get_params(deep=False)
    except (AttributeError, TypeError):  # no such method, or parameters without defaults
        return name
    changed = [
        f"{key}={value:.3g}" if isinstance(value, float) else f"{key}={value}"
        for key, value in features.get_params(deep=False).items()
        if key != "image_shape" and repr(value) != repr(defaults[key])
    ]
    return name + (f"({', '.join(changed)})" if changed else "")


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
