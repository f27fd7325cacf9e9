"""A fit that goes on from the last one, and the question what of that still holds."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from array_api_compat import array_namespace, device

from ..admm.result import Factorization
from ..admm.scales import ObjectiveScale
from ..admm.start import Start
from ..labels.encoding import KnownLabels
from .evidence import Evidence

__all__ = ["PreviousFit", "Reusable", "what_still_holds"]


@dataclass(frozen=True)
class Reusable:
    """What a fit need not find anew; None for what it must.

    Attributes
    ----------
    evidence : Evidence or None
        The graph, with the trials that chose it.
    start : Start or None
        Factors, error and multiplier.
    anchors : ndarray or None
        Known labels and the anchors of clusters nobody labelled.
    scale : ObjectiveScale or None
        The scale of the objective.
    shaped_by : ndarray of int or None
        The labels, -1 elsewhere, that have shaped start and scale.
    """

    evidence: Evidence | None = None
    start: Start | None = None
    anchors: np.ndarray | None = None
    scale: ObjectiveScale | None = None
    shaped_by: np.ndarray | None = None

    def under(self, trusted: np.ndarray) -> "Reusable":
        """Return what holds once it is known which labels are trusted.

        What a label has shaped must not outlive the trust in it.
        """
        if self.shaped_by is None or (trusted[self.shaped_by >= 0] >= 0).all():
            return self
        return Reusable(self.evidence)


@dataclass(frozen=True, eq=False)
class PreviousFit:
    """A finished fit, kept for the next one.

    Attributes
    ----------
    X : array
        A copy of the data: the caller's may change in place.
    keys : tuple
        What the graph and the problem depended on.
    known : KnownLabels
        The labels that were given, and the names of the clusters.
    evidence : Evidence
        The graph.
    anchors : ndarray
        Known labels, and the anchors of clusters nobody labelled.
    scale : ObjectiveScale
        The scale of the objective.
    result : Factorization
        Factors, error and multiplier.
    """

    X: Any
    keys: tuple
    known: KnownLabels
    evidence: Evidence
    anchors: np.ndarray
    scale: ObjectiveScale
    result: Factorization

    def what_still_holds(
        self, X: Any, known: KnownLabels, graph_key: tuple | None, problem_key: tuple
    ) -> Reusable:
        """Return what a fit on these data and labels, with these settings, may reuse."""
        if not self._is_on(X):
            return Reusable()
        old_graph_key, old_problem_key = self.keys
        same_classes = np.array_equal(self.known.classes, known.classes)
        same_graph = graph_key is not None and graph_key == old_graph_key
        if self.evidence.report is not None:  # chosen by labels of these classes
            same_graph = same_graph and same_classes
        evidence = self.evidence.under(known.codes) if same_graph else None
        # What a label has shaped must not outlive it: factors and units go with a withdrawn one.
        given = self.known.codes >= 0
        all_still_given = bool((known.codes[given] == self.known.codes[given]).all())
        if not same_classes or not all_still_given or problem_key != old_problem_key:
            return Reusable(evidence)
        start = Start(self.result.U, self.result.A, self.result.Z, self.result.residual)
        anchors, trusted = self._anchors_with(known.codes), self.evidence.trusted(self.known.codes)
        return Reusable(evidence, start, anchors, self.scale, trusted)

    def _is_on(self, X: Any) -> bool:
        """Whether the fit was on the very same data."""
        old = self.X
        if type(old) is not type(X) or old.shape != X.shape or old.dtype != X.dtype:
            return False
        return device(old) == device(X) and bool(array_namespace(X).all(old == X))

    def _anchors_with(self, codes: np.ndarray) -> np.ndarray | None:
        """Return the anchors under new labels, so that discovered clusters keep their columns.

        None if the labels leave a cluster without any anchor.
        """
        named = codes.max(initial=-1) + 1
        ours = (self.anchors >= named) & (self.known.codes < 0)  # no label of the last fit
        anchors = np.where(codes >= 0, codes, np.where(ours, self.anchors, -1))
        n_anchored = len(np.unique(anchors[anchors >= 0]))
        return anchors if n_anchored == len(self.known.classes) else None


def what_still_holds(
    previous: PreviousFit | None, X: Any, known: KnownLabels, keys: tuple
) -> Reusable:
    """Return what may be reused: nothing if there is no previous fit."""
    return Reusable() if previous is None else previous.what_still_holds(X, known, *keys)
