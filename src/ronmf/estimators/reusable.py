"""What a fit need not find anew."""

from dataclasses import dataclass

import numpy as np

from ..admm.scales import ObjectiveScale
from ..admm.start import Start
from .evidence import Evidence

__all__ = ["Reusable"]


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
