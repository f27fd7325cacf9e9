"""The classes that a model file may hold, and the attributes that each of them has."""

import math
from dataclasses import fields, is_dataclass
from functools import cache, cached_property
from typing import Any, get_type_hints

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import Normalizer, StandardScaler

from .. import baselines
from ..admm.loss import GroupLoss
from ..admm.parameters import ADMM
from ..admm.result import History
from ..baselines._multiplicative.cauchy_fit import CauchyCoefficients
from ..baselines._multiplicative.clusterer import Representation
from ..baselines._multiplicative.loop import ObjectiveHistory
from ..estimators.diagnosis import HiddenLabels
from ..estimators.label_issues import Witnesses
from ..estimators.layers import ClusterMeans
from ..estimators.new_samples import LinkedCoefficients, NewSampleModel
from ..estimators.novelty import Novelty
from ..estimators.projection import Projection
from ..estimators.ronmf import RONMF
from ..features import (
    HOG,
    DeepFeatures,
    GaussianBlur,
    LocalContrast,
    MedianFilter,
    SoftBins,
    UnitNorm,
)
from ..features._networks import LITE0
from ..graph import (
    ConsensusGraph,
    GivenGraph,
    Graph,
    GraphChoice,
    GraphRecipe,
    GraphReport,
    LabelEdgeGraph,
    NeighborGraph,
)
from ..graph._axes import Axes, UnitScale
from ..graph._consensus_graph import GraphPart
from ..graph._layers import Layer
from ..graph._linear_view import LinearRule
from ..graph.selection.report import Candidate
from ..labels.assignment import ClusterAssignment
from ..labels.calibration import Calibration
from ..labels.encoding import KnownLabels
from ..labels.novelty_scale import NoveltyScale
from ..penalties import PENALTIES
from ._hints import fits
from ._shapes import check_shapes

__all__ = ["CLASSES", "LEFT_OUT", "rebuild", "state_of"]

_MODELS = (RONMF, *(getattr(baselines, name) for name in baselines.__all__))
_FEATURES = (DeepFeatures, GaussianBlur, HOG, LocalContrast, MedianFilter, SoftBins, UnitNorm)
_PARTS = (
    *(ADMM, Axes, Calibration, Candidate, CauchyCoefficients, ClusterAssignment, ClusterMeans),
    *(ConsensusGraph, GivenGraph, GraphChoice, GraphPart, GraphRecipe, GraphReport, GroupLoss),
    *(
        HiddenLabels,
        History,
        KnownLabels,
        LabelEdgeGraph,
        Layer,
        LinearRule,
        LinkedCoefficients,
        NeighborGraph,
        NewSampleModel,
        Novelty,
        NoveltyScale,
    ),
    *(Normalizer, ObjectiveHistory, Pipeline, Projection, Representation, StandardScaler),
    *(UnitScale, Witnesses),
)
CLASSES: dict[str, type] = {
    cls.__name__: cls for cls in (*_MODELS, *_FEATURES, *_PARTS, *PENALTIES.values())
}
"""The classes by the names that a file calls them. Of scikit-learn only what is named here."""

_MOST_GROWTH = 256  # numbers that a pipeline makes of one; as many as one transformer may
LEFT_OUT = ("_previous", "_skl_callbacks")
"""Attributes that stay behind: what a warm start goes on from, and callbacks."""

# Parameters that can name a place or a function of this machine, what a file may say instead, and
# what is saved for anything else. Opening a file of strangers must not lead a later fit or predict
# to a folder of their choice.
_PLACES: dict[tuple[type, str], tuple[Any, Any]] = {
    (RONMF, "checkpoint"): (None, None),
    (Pipeline, "memory"): (None, None),
    (DeepFeatures, "cache"): (bool, True),
    (DeepFeatures, "callback"): (None, None),
}

# Attributes that a fit sets, of all estimators: each has some of them.
_FITTED: dict[str, Any] = {
    **dict.fromkeys(
        (
            *("labels_", "transduction_", "classes_", "feature_names_in_", "membership_"),
            *("components_", "amplitudes_", "prototypes_", "group_weights_", "coefficients_"),
            *("label_distributions_", "outlier_score_", "novelty_", "doubted_labels_", "_samples"),
            *("values_", "positions_"),
        ),
        np.ndarray,
    ),
    **dict.fromkeys(("n_features_in_", "n_iter_", "_k"), int),
    **dict.fromkeys(("graph_weight_", "linear_weight_", "threshold_", "unit_", "white_"), float),
    "scale_": float | np.ndarray,  # the latter of columns
    **dict.fromkeys(("mean_", "var_"), np.ndarray | None),
    "n_samples_seen_": float,
    "stability_": float | None,
    "converged_": bool,
    "stop_reason_": str,
    "image_shape_": tuple[int, ...] | None,
    "history_": History | ObjectiveHistory,
    "graph_": Graph,
    "graph_report_": GraphReport | None,
    "graph_summary_": dict[str, float | tuple[float, ...] | list[int]],
    "layers_": list[Layer] | None,
    "layer_": int | None,
    "_cluster_means": ClusterMeans | None,
    "_calibration": Calibration | None,
    "_novelty": Novelty,
    "_projection": Projection | None,
    "_known": KnownLabels,
    "_new_samples": NewSampleModel,
    "_witnesses": Witnesses,
    "_how": Representation,
    "solver_": ADMM,
    "_assignment": ClusterAssignment,
    "_linear_rule": LinearRule | None,
    "_view_weight": float,
    "_sklearn_output_config": dict[str, str],
}
# Parameters that no constraint of their estimator checks, or not enough
_PARAMETERS: dict[tuple[type, str], Any] = {
    **{key: allowed for key, (allowed, _) in _PLACES.items()},
    (Pipeline, "steps"): list[tuple[str, BaseEstimator | str | None]],
    (GraphRecipe, "features"): BaseEstimator | None,
}
# Fields that are declared as Any are arrays, but for these.
_FIELDS: dict[tuple[type, str], Any] = {
    (GraphPart, "features"): BaseEstimator,
    (LinearRule, "features"): BaseEstimator,
    (LinkedCoefficients, "feature_weights"): np.ndarray | None,
    (Representation, "new_samples"): LinkedCoefficients | CauchyCoefficients,
}


def state_of(thing: Any) -> dict[str, Any]:
    """Return the attributes of an object that a file keeps; what they are cached as is left out."""
    cls = type(thing)
    state = {
        name: value
        for name, value in vars(thing).items()
        if name not in LEFT_OUT and not isinstance(getattr(cls, name, None), cached_property)
    }
    for (owner, name), (allowed, instead) in _PLACES.items():
        if owner is cls and not fits(state.get(name, instead), allowed):
            state[name] = instead
    return state


def rebuild(name: str, state: dict[str, Any]) -> Any:
    """Return the object of a class with these attributes, or say what is wrong with them.

    No constructor runs, and nothing of a pickle: attributes are set as they are.
    """
    if name not in CLASSES:
        raise ValueError(f"{name!r} is no class that a model file can hold")
    cls = CLASSES[name]
    required, allowed = _attributes(cls)
    for attribute in sorted(required - set(state)):
        raise ValueError(f"{name} lacks {attribute!r}")
    for attribute, value in state.items():
        if attribute not in allowed:
            raise ValueError(f"{name} has no place for the attribute {attribute!r}")
        hint = allowed[attribute]
        if hint is not Any and not fits(value, hint):
            raise ValueError(f"{attribute} of {name} is of type {type(value).__name__}")
    if cls is DeepFeatures and state["model"] != LITE0:
        raise ValueError(
            f"DeepFeatures has another network than {LITE0!r}, which would be downloaded"
        )
    thing: Any = object.__new__(cls)
    vars(thing).update(state)
    _check_parameters(thing)
    check_shapes(thing)
    if _growth(thing) > _MOST_GROWTH:
        raise ValueError(f"a pipeline makes more than {_MOST_GROWTH} numbers of one")
    return thing


@cache
def _attributes(cls: type) -> tuple[frozenset[str], dict[str, Any]]:
    """Return the attributes that an object must have, and the types of all that it may have."""
    if is_dataclass(cls) and not issubclass(cls, BaseEstimator):
        hints = get_type_hints(cls)
        types = {field.name: hints[field.name] for field in fields(cls)}
        types = {name: np.ndarray if hint is Any else hint for name, hint in types.items()}
        own = {name: hint for (owner, name), hint in _FIELDS.items() if owner is cls}
        return frozenset(types), types | own
    parameters = cls._get_param_names()  # type: ignore[attr-defined]
    types = {name: _PARAMETERS.get((cls, name), Any) for name in parameters}
    return frozenset(parameters), _FITTED | types


def _growth(thing: Any) -> int:
    """Return how many numbers a transformer makes of one at most."""
    if isinstance(thing, Pipeline):
        return math.prod(_growth(step) for _, step in thing.steps)
    if isinstance(thing, HOG):
        return thing.n_orientations
    if isinstance(thing, SoftBins):
        return thing.n_bins
    return 2 if isinstance(thing, LocalContrast) else 1


def _check_parameters(thing: Any) -> None:
    """Have an estimator check its own parameters, as it does before a fit."""
    if hasattr(thing, "validate"):  # penalties and recipes
        thing.validate()
    elif hasattr(thing, "_parameter_constraints"):
        thing._validate_params()
