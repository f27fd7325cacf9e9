"""From evidence to a problem, and where to start solving it."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..admm.loss import GroupLoss
from ..admm.problem import Problem, Weights, build_problem
from ..admm.scales import ObjectiveScale
from ..admm.start import STARTS, Start
from ..graph import Graph, LabelEdgeGraph
from ..graph._anchors import seed_clusters
from ..graph._linear_view import LinearRule
from ..graph._operator import GraphOperator
from ..labels.encoding import KnownLabels
from ..labels.hidden_labels import class_mean_error_ratio
from ..storage._products import template
from .evidence import Evidence
from .reusable import Reusable
from .settings import ProblemSettings

__all__ = ["FitProblem", "build_fit_problem"]


@dataclass(frozen=True, eq=False)
class FitProblem:
    """A problem with all that led to it.

    Attributes
    ----------
    problem : Problem
        What is minimised.
    start : Start
        Where to begin.
    graph : Graph
        The graph of its graph term.
    graph_weight : float
        Its weight, relative to the data term.
    anchors : ndarray of int, shape (n_samples,)
        Known labels and the anchors of clusters nobody labelled, -1 elsewhere.
    scale : ObjectiveScale
        The scale of the weights.
    rule : LinearRule or None
        How the linear view beside the graph tells classes; None without one.
    """

    problem: Problem
    start: Start
    graph: Graph
    graph_weight: float
    anchors: np.ndarray
    scale: ObjectiveScale
    rule: LinearRule | None = None


def build_fit_problem(
    X: Any,
    known: KnownLabels,
    evidence: Evidence,
    settings: ProblemSettings,
    reusable: Reusable,
    rng: np.random.RandomState,
) -> FitProblem:
    """Build the problem of RONMF.

    Parameters
    ----------
    X : array of shape (n_samples, n_features)
        The data.
    known : KnownLabels
        The given labels.
    evidence : Evidence
        The graph, and its trials, which weigh it.
    settings : ProblemSettings
        Parameters.
    reusable : Reusable
        What need not be found anew.
    rng : RandomState
        Source of the anchors and of the start.
    """
    n_clusters, graph = len(known.classes), evidence.graph
    if settings.label_edges:
        graph = LabelEdgeGraph.edit(graph, known.codes)
    W = graph.affinity * (graph.unit_scale if settings.solver.relative else 1.0)
    operator = GraphOperator.build(W, template(X), graph.order())
    if reusable.anchors is not None:
        anchors = evidence.trusted(reusable.anchors)
    else:
        anchors = seed_clusters(W, known.codes, n_clusters, rng)
    rule, view = _linear_view(evidence, operator, anchors, n_clusters)
    start = reusable.start or STARTS[settings.solver.init](
        X, operator, anchors, n_clusters, settings.n_components, settings.label_weight, rng, view
    )
    scale = reusable.scale or _scale(X, start, settings)
    graph_weight = _graph_weight(X, evidence, anchors, settings)
    weights = Weights(graph_weight, settings.label_weight)
    problem = build_problem(X, operator, anchors, n_clusters, weights, scale, view)
    return FitProblem(problem, start, graph, graph_weight, anchors, scale, rule)


def _linear_view(
    evidence: Evidence, operator: GraphOperator, anchors: np.ndarray, n_clusters: int
) -> tuple[LinearRule | None, tuple[np.ndarray, float] | None]:
    """Return the rule of the linear view, and what it says of all samples with its weight."""
    found = evidence.propagation.seen(operator, anchors, n_clusters)
    if found is None:
        return None, None
    return found[0], (found[1], evidence.propagation.view_weight)


def _scale(X: Any, start: Start, settings: ProblemSettings) -> ObjectiveScale:
    if not settings.solver.relative:
        return ObjectiveScale(GroupLoss(settings.penalty, settings.groups))
    P = start.A @ start.Z
    return ObjectiveScale.measure(X, start.U, P, settings.penalty, settings.groups)


def _graph_weight(
    X: Any, evidence: Evidence, anchors: np.ndarray, settings: ProblemSettings
) -> float:
    """Return the graph's weight: as given, or by how much better than class means it predicts."""
    if settings.graph_weight != "auto":
        return float(settings.graph_weight)
    # The fewer the anchors, the more edges lie between a sample and the nearest of them, and at
    # each the data term has its say: the graph's weight must grow in proportion.
    ratio = class_mean_error_ratio(X, evidence.trials or [])
    return ratio / float((anchors >= 0).mean())
