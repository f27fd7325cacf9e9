"""What a warm start may reuse of the last fit."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from array_api_compat import array_namespace, device

from ..admm.result import Factorization
from ..admm.scales import Units
from ..labels.encoding import KnownLabels
from .graph_parameters import FoundGraph

__all__ = ["LastFit"]


@dataclass(frozen=True)
class LastFit:
    """A finished fit, kept for the next one.

    Attributes
    ----------
    X : array
        A copy of the data: the caller's may change in place.
    found, graph_settings
        The graph and the parameters that made it.
    classes : ndarray
        Names of the clusters.
    anchors : ndarray
        Known labels, and the anchors of clusters nobody labelled.
    loss_settings : tuple
        The parameters that made `units`.
    units : Units
        The units of the objective.
    result : Factorization
        Factors, error and multiplier.
    """

    X: Any
    found: FoundGraph
    graph_settings: tuple | None
    classes: np.ndarray
    anchors: np.ndarray
    loss_settings: tuple
    units: Units
    result: Factorization

    def is_on(self, X: Any) -> bool:
        """Whether the fit was on the very same data."""
        old = self.X
        if type(old) is not type(X) or old.shape != X.shape or old.dtype != X.dtype:
            return False
        return device(old) == device(X) and bool(array_namespace(X).all(old == X))

    def graph_for(self, known: KnownLabels, settings: tuple | None) -> FoundGraph | None:
        """Return the graph if it still stands under these labels and settings."""
        same = settings is not None and self.graph_settings == settings
        if self.found.report is not None:
            same = same and np.array_equal(self.classes, known.classes)
        return self.found if same and self.found.serves(known.codes) else None

    def can_start(self, classes: np.ndarray, n_components: int, loss_settings: tuple) -> bool:
        """Whether its factors, error and multiplier are a start for such a fit."""
        return (
            np.array_equal(self.classes, classes)
            and self.result.U.shape[1] == n_components
            and self.loss_settings == loss_settings
        )

    def anchors_with(self, codes: np.ndarray) -> np.ndarray | None:
        """Return the anchors under new labels, so that discovered clusters keep their columns.

        None if the labels leave a cluster without any anchor.
        """
        named = codes.max(initial=-1) + 1
        discovered = np.where(self.anchors >= named, self.anchors, -1)
        anchors = np.where(codes >= 0, codes, discovered)
        return anchors if len(np.unique(anchors[anchors >= 0])) == len(self.classes) else None
