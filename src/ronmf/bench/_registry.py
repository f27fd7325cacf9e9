"""Every method by name, set up for the comparison."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.decomposition import NMF
from sklearn.pipeline import Pipeline

from .. import baselines
from ..baselines import _classifiers as classifiers
from ..estimators.ronmf import RONMF
from ..numerics.types import Seed
from ..penalties import check_penalty
from ..system.suggestions import did_you_mean

__all__ = ["METHODS", "Method", "make_method", "split_nested"]


@dataclass(frozen=True)
class Method:
    """A named method.

    Attributes
    ----------
    build : callable
        ``build(n_clusters=, random_state=, **settings)`` returns the estimator; its
        ``fit_predict(X, y)`` gives the class, or the cluster number, of each sample.
    settings : dict
        What the comparison sets otherwise than the estimator's defaults.
    uses_labels : bool
        Whether the given labels enter its objective.
    compared : bool, default=True
        Whether it is one of the paper's comparison, in plans ``methods = "all"``. Not so are those
        that are slow, that are no methods of the paper, or the same method twice.
    """

    build: Callable[..., Any]
    settings: dict[str, Any]
    uses_labels: bool
    compared: bool = True


def _k_means(n_clusters: int | None, random_state: Seed, **settings: Any) -> KMeans:
    return KMeans(_count(n_clusters), random_state=random_state, **settings)


def _nmf(n_clusters: int | None, random_state: Seed, **settings: Any) -> Pipeline:
    """Return scikit-learn's NMF followed by k-means on its coefficients."""
    rank = settings.pop("n_components", None) or _count(n_clusters)
    steps = [
        ("nmf", NMF(rank, random_state=random_state, **settings)),
        ("kmeans", _k_means(n_clusters, random_state, n_init=20)),
    ]
    return Pipeline(steps)


def _count(n_clusters: int | None) -> int:
    if n_clusters is None:
        raise ValueError("n_clusters is None, but this method cannot count classes; give a number.")
    return n_clusters


# The released code uses heat weights of width 1, for samples of unit length, and 200 iterations,
# which is the default here.
_HEAT: dict[str, Any] = {"heat_width": 1.0}
_SCIKIT_LEARN = {"solver": "mu", "init": "random", "max_iter": 200, "tol": 0.0}

METHODS: dict[str, Method] = {
    "k-means": Method(_k_means, {"n_init": 20}, False),
    "NMF": Method(_nmf, _SCIKIT_LEARN, False),
    "RNMF": Method(baselines.RNMF, {}, False),
    "GNMF": Method(baselines.GNMF, _HEAT, False),
    "GSNMF": Method(baselines.GSNMF, _HEAT, False),
    "TruncatedCauchyNMF": Method(baselines.TruncatedCauchyNMF, {}, False),
    # What the tables of the RONMF paper most likely ran under this name
    "LpNMF": Method(baselines.LpCNMF, {**_HEAT, "label_weight": 0.0, "assign": "kmeans"}, False),
    "RSNMF": Method(baselines.RSNMF, {}, True),
    "SNMFDSR": Method(baselines.SNMFDSR, _HEAT, True),
    "CNMF": Method(baselines.CNMF, {}, True),
    "CDCF": Method(baselines.CDCF, {}, True),
    "LPNMF": Method(baselines.LPNMF, _HEAT, True),
    "LPNMF-E": Method(baselines.LPNMF, {**_HEAT, "label_weight": 10.0}, True, compared=False),
    "LpCNMF": Method(baselines.LpCNMF, _HEAT, True),
    "SNMFSP": Method(baselines.SNMFSP, _HEAT, True),
    "LNP": Method(baselines.LNP, {}, True),
    "HarmonicLabelPropagation": Method(baselines.HarmonicLabelPropagation, {}, True),
    # Propagation with all that RONMF knows of graphs: what its factorisation adds shows beside it
    "Propagation, chosen graph": Method(
        baselines.HarmonicLabelPropagation,
        {"graph": "auto", "class_prior": "labels", "check_labels": True},
        True,
        compared=False,
    ),
    "LabelSpreading": Method(
        classifiers.label_spreading, {"kernel": "knn", "n_neighbors": 7}, True, compared=False
    ),
    # Hardly regularised: of samples of unit length it would otherwise never be sure, and not train
    "SelfTraining": Method(
        classifiers.self_training, {"C": 1e4, "max_iter": 1000}, True, compared=False
    ),
    # As it comes: today the same as RONMF-M
    "RONMF": Method(RONMF, {}, True, compared=False),
    "RONMF-M": Method(RONMF, {"penalty": "mcp"}, True),
    "RONMF-S": Method(RONMF, {"penalty": "scad"}, True),
    "RONMF-E": Method(RONMF, {"penalty": "etp"}, True),
    # What the check of labels brings shows beside it
    "RONMF-M, labels as given": Method(
        RONMF, {"penalty": "mcp", "check_labels": False}, True, compared=False
    ),
    # The paper's weights and steps on an honest graph, until sweeps settle; and stopped and read as
    # its authors' code does, after two sweeps and by k-means.
    **{
        f"RONMF-{loss}, printed": Method(partial(RONMF.printed, loss), {}, True, compared=False)
        for loss in "MSE"
    },
    **{
        f"RONMF-{loss}, as released": Method(
            partial(RONMF.printed, loss),
            {"assign": "kmeans", "solver__max_iter": 2},
            True,
            compared=False,
        )
        for loss in "MSE"
    },
}


def make_method(
    name: str, n_clusters: int | None = None, *, random_state: Seed = None, **changes: Any
) -> Any:
    """Return a method by name, set up as its paper or released code says.

    Where neither does, the estimator's default stands; its docstring tells which it is. RONMF-M, -S
    and -E are the corrected method with its own defaults.

    Parameters
    ----------
    name : str
        A key of ``METHODS``.
    n_clusters : int, default=None
        Number of clusters; None lets the methods that see labels count the classes.
    random_state : int, RandomState or None, default=None
        Seed.
    **changes
        Parameters to set otherwise; ``penalty__tau=2.0`` sets a parameter of a parameter.

    Returns
    -------
    estimator
        Whose ``fit_predict(X, y)`` returns one class or cluster number per sample.

    Examples
    --------
    >>> make_method("GNMF", 6).graph_weight
    100.0
    >>> make_method("LpCNMF", graph_weight=1.0).get_params()["graph_weight"]
    1.0
    >>> make_method("RONMF-M", penalty__tau=2.0).penalty
    MCP(tau=2.0)
    """
    if name not in METHODS:
        suggestion = did_you_mean(str(name), METHODS) or "."
        raise ValueError(f"name={name!r} is not known; use one of {', '.join(METHODS)}{suggestion}")
    method = METHODS[name]
    plain, nested = split_nested({**method.settings, **changes})
    model = method.build(n_clusters=n_clusters, random_state=random_state, **plain)
    # The name of a penalty has no parameters of its own, and the object that it names is shared.
    if hasattr(model, "penalty") and any(key.startswith("penalty__") for key in nested):
        model.set_params(penalty=clone(check_penalty(model.penalty)))
    return model.set_params(**nested)


def split_nested(settings: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the parameters of a method itself, and those of its parameters.

    Examples
    --------
    >>> split_nested({"graph_weight": 1.0, "penalty__tau": 2.0})
    ({'graph_weight': 1.0}, {'penalty__tau': 2.0})
    """
    nested = {name: value for name, value in settings.items() if "__" in name}
    return {name: settings[name] for name in settings if name not in nested}, nested
