"""How the arrays of an object fit together: those of strangers could be multiplied to any size."""

from typing import Any

from sklearn.base import BaseEstimator

from ..baselines._multiplicative.cauchy_fit import CauchyCoefficients
from ..estimators.layers import ClusterMeans
from ..estimators.new_samples import LinkedCoefficients, NewSampleModel
from ..estimators.novelty import Novelty
from ..estimators.projection import Projection
from ..graph import NeighborGraph
from ..graph._axes import Axes
from ..graph._linear_view import LinearRule
from ..labels.assignment import ClusterAssignment
from ..labels.novelty_scale import NoveltyScale

__all__ = ["check_shapes"]

# By class and attribute, a letter for every side; the same letter in a class means the same length.
_SHAPES: dict[type, dict[str, str]] = {
    Axes: {"centre": "f", "directions": "fa"},
    CauchyCoefficients: {"U": "dc"},
    ClusterAssignment: {"centers": "kc", "numbers": "k"},
    ClusterMeans: {"labels": "n", "means": "kd"},
    LinearRule: {"offset": "c"},
    LinkedCoefficients: {"dictionary": "cd", "training": "nc", "feature_weights": "d"},
    NeighborGraph: {"samples": "nf", "scales": "n", "indices": "nk", "distances": "nk"},
    Novelty: {"met": "ng"},
    NoveltyScale: {"odds": "p", "values": "p"},
    Projection: {"axes": "fa"},
    NewSampleModel: {"U": "dr", "A": "nc", "Z": "cr", "group_weights": "g", "prior": "c"},
}
_OF_ESTIMATORS = {
    **{"classes_": "c", "labels_": "n", "novelty_": "n", "membership_": "nc", "prototypes_": "cd"},
    **{"amplitudes_": "cr", "components_": "rd", "coefficients_": "nr"},
}
# Sides of which a square is made, and which sides are as long together in every fit: the square is
# then no larger than the arrays.
_SQUARES: dict[type, list[tuple[str, str]]] = {
    CauchyCoefficients: [("c", "d")],
    LinkedCoefficients: [("c", "dn")],
    NewSampleModel: [("c", "n"), ("r", "d")],
}
_FREE = 512  # so long a side needs no reason: its square takes 2 MiB


def check_shapes(thing: Any) -> None:
    """Say if the arrays of an object do not fit together, or make more of themselves than fits do.

    Examples
    --------
    >>> import numpy as np
    >>> check_shapes(Axes(np.zeros(3), np.zeros((2, 1))))
    Traceback (most recent call last):
        ...
    ValueError: the arrays of Axes do not fit together
    """
    name, lengths = type(thing).__name__, dict[str, int]()
    shapes = _OF_ESTIMATORS if isinstance(thing, BaseEstimator) else _SHAPES.get(type(thing), {})
    for attribute, letters in shapes.items():
        array = getattr(thing, attribute, None)
        if array is None:
            continue
        if array.ndim != len(letters):
            raise ValueError(f"{attribute} of {name} has {array.ndim} dimensions")
        for letter, length in zip(letters, array.shape, strict=True):
            if lengths.setdefault(letter, length) != length:
                raise ValueError(f"the arrays of {name} do not fit together")
    for letter, others in _SQUARES.get(type(thing), ()):
        if lengths[letter] > max(_FREE, sum(lengths[other] for other in others)):
            raise ValueError(f"{name} has more columns than any fit")
