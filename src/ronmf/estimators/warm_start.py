"""A fit that goes on from the last one, and the question what of that still holds."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from array_api_compat import array_namespace, device

from ..admm.result import Factorization
from ..admm.scales import ObjectiveScale
from ..admm.start import Start
from ..labels.encoding import KnownLabels
from ..storage._rows import StoredRows
from .discovery import ClustersBefore
from .evidence import Evidence
from .fit_problem import FitProblem
from .reusable import Reusable

__all__ = ["PreviousFit", "what_still_holds"]


@dataclass(frozen=True, eq=False)
class PreviousFit:
    """A finished fit, kept for the next one.

    Attributes
    ----------
    X : array or str
        A copy of the data, since the caller's may change in place; of stored data a digest.
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
    start : Start
        Factors, error and multiplier.
    clusters : ClustersBefore or None
        Its clusters, where their number was asked for.
    """

    X: Any
    keys: tuple
    known: KnownLabels
    evidence: Evidence
    anchors: np.ndarray
    scale: ObjectiveScale
    start: Start
    clusters: ClustersBefore | None = None

    @classmethod
    def after(
        cls,
        X: Any,
        keys: tuple,
        known: KnownLabels,
        evidence: Evidence,
        built: FitProblem,
        result: Factorization,
    ) -> "PreviousFit":
        """Keep what a later fit on the same data may use."""
        start, data = Start(result.U, result.A, result.Z, result.residual), X
        if isinstance(X, StoredRows):  # what a residual of theirs is made of may lie in files
            start, data = replace(start, residual=None), X.digest()
        else:
            data = array_namespace(X).asarray(X, copy=True)
        return cls(data, keys, known, evidence, built.anchors, built.scale, start)

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
        anchors, trusted = self._anchors_with(known.codes), self.evidence.trusted(self.known.codes)
        return Reusable(evidence, self.start, anchors, self.scale, trusted)

    def clusters_of(self, X: Any, graph_key: tuple | None) -> ClustersBefore | None:
        """Return the clusters of the fit, if it was on these data and its graph had this key."""
        if self.clusters is None or graph_key is None or graph_key != self.keys[0]:
            return None
        return self.clusters if self._is_on(X) else None

    def _is_on(self, X: Any) -> bool:
        """Whether the fit was on the very same data."""
        old = self.X
        if isinstance(X, StoredRows):
            return isinstance(old, str) and old == X.digest()
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
