"""How to make a neighbour graph: which features, which coordinates, how many neighbours."""

from pickle import PicklingError
from typing import Any

import joblib
from sklearn.base import BaseEstimator
from sklearn.pipeline import Pipeline
from sklearn.utils._param_validation import StrOptions

from ..features import UnitNorm
from ..system.parameters import COUNT, POSITIVE, SHARE, check_parameters, parameter, parameters

__all__ = ["AXES", "GraphRecipe"]

AXES = ("pca", "lda", "propagated lda")


@parameters
class GraphRecipe(BaseEstimator):
    """A candidate for the neighbour graph of some data.

    Its parameters can be searched: ``graph__n_neighbors`` of an estimator with a recipe as `graph`.

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
        Of discriminant analysis: 0 takes the labelled samples' scatter as it is, 1 takes a ball of
        that size.
    n_neighbors : int, default=None
        Neighbours of each sample; None leaves it to the estimator.
    whitening : float, default=0.0
        Principal coordinates are divided by this power of their standard deviation: 0 leaves them
        as they are, 1 gives all of them the same variance. The first axes of pictures carry light,
        stroke width and size; values of 0.25 to 0.5 keep them from deciding who is near.
    prior : float, default=1.0
        Of principal axes: how much the graph is preferred beside others. It counts in full where no
        label can be hidden, and to the power of 0.3 where some can.

    Examples
    --------
    >>> from ronmf.features import HOG
    >>> print(GraphRecipe(HOG(cell=3.0, image_shape=(32, 32)), "lda", shrinkage=0.1))
    HOG(cell=3), LDA 0.1
    """

    features: Any = parameter(default=None, allowed=object, kw_only=False)
    axes: str = parameter(default="pca", allowed=StrOptions(set(AXES)), kw_only=False)
    n_components: int = parameter(default=100, allowed=COUNT, kw_only=False)
    shrinkage: float = parameter(default=0.5, allowed=SHARE, kw_only=False)
    n_neighbors: int | None = parameter(default=None, allowed=[COUNT, None], kw_only=False)
    whitening: float = parameter(default=0.0, allowed=SHARE, kw_only=False)
    prior: float = parameter(default=1.0, allowed=POSITIVE, kw_only=False)

    def validate(self) -> None:
        """Raise a ValueError about the first parameter that has no allowed value."""
        check_parameters(self)
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
        except (AttributeError, TypeError, PicklingError):  # a lambda has only its address
            return repr(self.features)

    @property
    def key(self) -> tuple:
        """All that the graph depends on, to compare recipes by."""
        numbers = self.n_components, self.shrinkage, self.n_neighbors, self.whitening, self.prior
        return self.kind, self.axes, *numbers

    def __str__(self) -> str:
        coordinates = {
            "pca": f"PCA {self.n_components}",
            "lda": f"LDA {self.shrinkage:g}",
            "propagated lda": f"LDA {self.shrinkage:g} of propagated labels",
        }.get(self.axes, repr(self.axes))
        whitened = f", whitened {self.whitening:g}" if self.whitening else ""
        neighbors = "" if self.n_neighbors is None else f", {self.n_neighbors} neighbours"
        return f"{_short(self.features)}, {coordinates}{whitened}{neighbors}"


def _short(features: Any) -> str:
    """Return the name of a transformer with its changed parameters, the picture's shape left out.

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from ronmf.features import MedianFilter
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
