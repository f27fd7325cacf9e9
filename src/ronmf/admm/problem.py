r"""Everything the solver minimises, in one object.

.. math:: \sum_g \phi(\|(X - AZU')_g\|) + \lambda\,\mathrm{tr}(A'LA)
          + \mu\,\mathrm{tr}((A-Y)'S(A-Y))
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..graph._operator import GraphOperator, MembershipTerms
from ..labels.anchor import LabelAnchor
from ..storage._products import template
from .loss import GroupLoss, group_norms
from .scales import ObjectiveScale

__all__ = ["Problem", "Weights", "build_problem"]


@dataclass(frozen=True, eq=False)
class Problem:
    """Data term, graph term, label term, and their weights.

    Attributes
    ----------
    X : array of shape (n_samples, n_features)
        The data.
    loss : GroupLoss
        The data term: a robust loss over features or samples.
    terms : MembershipTerms
        The graph and label terms with λ and μ.
    """

    X: Any
    loss: GroupLoss
    terms: MembershipTerms

    def value(self, U: Any, A: Any, Z: Any) -> float:
        """Return the objective at some factors."""
        norms = group_norms(self.X, U, A @ Z, self.loss.groups)
        return self.loss.value(norms) + self.terms.value(A)


@dataclass(frozen=True)
class Weights:
    """The weights of the objective as a user gives them, relative to an :class:`ObjectiveScale`."""

    graph: float
    label: float


def build_problem(
    X: Any,
    graph: GraphOperator,
    anchors: np.ndarray,
    n_clusters: int,
    weights: Weights,
    scale: ObjectiveScale,
    view: tuple[np.ndarray, float] | None = None,
) -> Problem:
    """Put the problem together.

    Parameters
    ----------
    X : array of shape (n_samples, n_features)
        The data.
    graph : GraphOperator
        The graph of its samples.
    anchors : ndarray of int, shape (n_samples,)
        Known labels and anchors of clusters nobody labelled, -1 elsewhere.
    n_clusters : int
        Number of clusters.
    weights : Weights
        Relative to `scale`.
    scale : ObjectiveScale
        The robust loss and the scale of the weights.
    view : (ndarray of shape (n_samples, n_clusters), float), default=None
        What a linear view says of the samples, and its weight beside their mean edges.
    """
    lam, mu = scale.weights(weights.graph, weights.label, graph.mean_degree)
    terms = MembershipTerms(graph, LabelAnchor.at(anchors, n_clusters, template(X)), lam, mu)
    return Problem(X, scale.loss, terms.with_view(anchors, view))
