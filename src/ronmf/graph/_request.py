"""What the choice of a graph is asked for: data and labels, and how labels predict."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..labels.class_prior import apply_class_prior
from ..numerics.arrays import to_numpy
from ..numerics.types import Seed
from ._class_prior import contradict_prior, cut_ratio
from ._linear_view import LinearRule, LinearView
from ._neighbor_graph import Edges
from ._operator import GraphOperator

__all__ = ["GraphRequest", "Propagation"]

_TOLERANCE = 1e-4  # of predictions of hidden labels


@dataclass(frozen=True)
class Propagation:
    """How labels predict the other samples of a graph.

    Attributes
    ----------
    label_weight : float
        Weight of a label, relative to the mean degree.
    class_prior : {"labels", None}
        Whether predictions are scaled by the sizes that labels suggest.
    view : LinearView or None
        A linear view beside the graph, which draws samples without a label to the classes where
        they lie; None for the graph alone. The rule is made anew from whatever labels predict, so
        that a hidden one has no part in it.
    """

    label_weight: float = 10.0
    class_prior: str | None = "labels"
    view: LinearView | None = field(default=None, compare=False)

    @property
    def view_weight(self) -> float:
        """How much the linear view weighs beside the mean degree; 0 without one."""
        return 0.0 if self.view is None else self.view.weight

    def predict(
        self, graph: GraphOperator, codes: np.ndarray, n_classes: int, tol: float = _TOLERANCE
    ) -> np.ndarray:
        """Return memberships of all samples in the labelled classes; rows sum to one.

        Parameters
        ----------
        graph : GraphOperator
            The graph.
        codes : ndarray of int, shape (n_samples,)
            Known classes, -1 where unlabelled.
        n_classes : int
            Number of columns.
        tol : float, default=1e-4
            Relative tolerance.
        """
        A = self.predict_beside(graph, codes, n_classes, None, tol)
        seen = None if self.view is None else self.view.of_classes(A, codes)
        if self.view is None or seen is None:
            return A
        return self.predict_beside(graph, codes, n_classes, (seen[1], self.view.weight), tol)

    def predict_beside(
        self,
        graph: GraphOperator,
        codes: np.ndarray,
        n_classes: int,
        view: tuple[np.ndarray, float] | None,
        tol: float = _TOLERANCE,
    ) -> np.ndarray:
        """Return the same beside a view that is there: what it says, and its weight."""
        A = self._propagated(graph, codes, n_classes, tol, view)
        return apply_class_prior(A, codes, self.class_prior)

    def seen(
        self, graph: GraphOperator, codes: np.ndarray, n_classes: int
    ) -> tuple[LinearRule, np.ndarray] | None:
        """Return the rule of the view, and what it says of all samples; None without one."""
        if self.view is None:
            return None
        return self.view.of_classes(self.predict_beside(graph, codes, n_classes, None), codes)

    def cut_ratio(self, graph: GraphOperator, codes: np.ndarray, n_classes: int) -> float:
        """Return how much less of a graph clusters cut without the class prior; 1 without one."""
        if self.class_prior is None:
            return 1.0
        return cut_ratio(self._propagated(graph, codes, n_classes), codes, graph.affinity)

    def believing(self, ratios: Sequence[float]) -> Propagation:
        """Return it without the class prior where most of some graphs contradict that."""
        return replace(self, class_prior=None) if contradict_prior(ratios) else self

    def _propagated(
        self,
        graph: GraphOperator,
        codes: np.ndarray,
        n_classes: int,
        tol: float = _TOLERANCE,
        view: tuple[np.ndarray, float] | None = None,
    ) -> np.ndarray:
        A = to_numpy(graph.propagate(codes, n_classes, self.label_weight, tol, view))
        return A.astype(np.float64, copy=False)


@dataclass(frozen=True, eq=False)
class GraphRequest:
    """What :func:`choose_graph` is asked for.

    Attributes
    ----------
    X : array of shape (n_samples, n_features)
        The data. Neighbours are found on its device, and the features of all samples made there,
        where they can be; the contest is on the host.
    codes : ndarray of int, shape (n_samples,)
        Known classes, -1 where unlabelled. No other label is used.
    n_clusters : int, default=None
        Number of clusters; None: of labelled classes.
    edges : Edges
        How neighbours are joined.
    propagation : Propagation
        How labels predict.
    every_label : bool, default=False
        Whether every label that can be is hidden in some fold on all samples. By default 150 are
        enough where samples are many.
    views : bool, default=True
        Whether a linear view may stand beside the graph.
    rng : int, RandomState or None
        Source of the folds, of the starts of clusterings, of tentative labels and, where samples
        are many, of those that are compared.
    report : callable
        Called after every candidate, and for every blend that is built.
    """

    X: Any
    codes: np.ndarray
    n_clusters: int | None = None
    edges: Edges = field(default_factory=Edges)
    propagation: Propagation = field(default_factory=Propagation)
    every_label: bool = False
    views: bool = True
    rng: Seed = None
    report: Callable[[], Any] = lambda: None
