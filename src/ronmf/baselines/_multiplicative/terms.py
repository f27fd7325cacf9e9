"""Terms of multiplicative methods besides the data: graphs, labels, smoothness.

Each gives its value and the parts N, P of half its gradient; see ``loop``.
"""

from dataclasses import dataclass
from typing import Any

from array_api_compat import array_namespace, device

from ...graph._operator import GraphOperator
from ...labels.anchor import LabelAnchor
from .loop import Factors

__all__ = ["AnchorTerm", "DissimilarityTerm", "FactorTerm", "GraphTerm", "LinearTerm"]
__all__ += ["MaskedRidgeTerm", "PowerTerm", "SameClassTerm"]


@dataclass(frozen=True)
class FactorTerm:
    """A term of one factor F, times a weight. A subclass defines `_value` and `_parts`.

    Parameters
    ----------
    factor : str
        The name of F.
    weight : float
        What value and parts are multiplied by.
    """

    factor: str
    weight: float

    def value(self, factors: Factors) -> float:
        """Return the term's value."""
        return float(self.weight) * self._value(factors[self.factor])

    def split(self, name: str, factors: Factors) -> tuple[Any, Any] | None:
        """Return the parts of half the gradient by F; None for other factors."""
        if name != self.factor:
            return None
        N, P = self._parts(factors[name])
        return float(self.weight) * N, float(self.weight) * P

    def _value(self, F: Any) -> float:
        """Return the value, without its weight."""
        raise NotImplementedError

    def _parts(self, F: Any) -> tuple[Any, Any]:
        """Return N and P, without their weight."""
        raise NotImplementedError


@dataclass(frozen=True)
class GraphTerm(FactorTerm):
    r"""The term :math:`\lambda\,\mathrm{tr}(F'LF)` with the Laplacian L = D - W of a graph."""

    graph: GraphOperator

    def _value(self, F: Any) -> float:
        return self.graph.smoothness(F)

    def _parts(self, F: Any) -> tuple[Any, Any]:
        return self.graph.product(F), self.graph.degree[:, None] * F


@dataclass(frozen=True)
class AnchorTerm(FactorTerm):
    r"""The term :math:`\mu\,\mathrm{tr}((F-Y)'S(F-Y))`: labelled rows are close to their labels."""

    anchor: LabelAnchor

    def _value(self, F: Any) -> float:
        return self.anchor.distance(F)

    def _parts(self, F: Any) -> tuple[Any, Any]:
        return self.anchor.Y, self.anchor.anchored[:, None] * F


@dataclass(frozen=True)
class MaskedRidgeTerm(FactorTerm):
    r"""The term :math:`\lambda\|I \circ F\|_F^2`: keeps the entries that I marks (0/1) small."""

    mask: Any

    def _value(self, F: Any) -> float:
        return float(array_namespace(F).sum(self.mask * F * F))

    def _parts(self, F: Any) -> tuple[Any, Any]:
        return 0.0, self.mask * F


@dataclass(frozen=True)
class LinearTerm(FactorTerm):
    r"""The term :math:`\alpha \sum_{ij} E_{ij} F_{ij}` with E >= 0."""

    E: Any

    def _value(self, F: Any) -> float:
        return float(array_namespace(F).sum(self.E * F))

    def _parts(self, F: Any) -> tuple[Any, Any]:
        return 0.0, self.E / 2


@dataclass(frozen=True)
class PowerTerm(FactorTerm):
    r"""The term :math:`\mu \sum_{ij} F_{ij}^p`, 1 <= p <= 2, a concave function of the squares."""

    p: float

    def _value(self, F: Any) -> float:
        return float(array_namespace(F).sum(F**self.p))

    def _parts(self, F: Any) -> tuple[Any, Any]:
        return 0.0, self.p / 2 * F ** (self.p - 1)


@dataclass(frozen=True)
class DissimilarityTerm(FactorTerm):
    r"""The term :math:`\alpha \sum_{ij} D_{ij} f_i' f_j`, D = 1 for labelled pairs of two classes.

    `Y` is one-hot with zero rows for unlabelled samples. D is never formed: its product with F is
    the sum over all labelled rows less that over the sample's own class.
    """

    Y: Any

    def _value(self, F: Any) -> float:
        return float(array_namespace(F).sum(F * self._parts(F)[1]))

    def _parts(self, F: Any) -> tuple[Any, Any]:
        xp, own = array_namespace(F), self.Y.T @ F  # sums of the classes
        # Sums over the *other* classes, added up rather than subtracted: no digit cancels.
        apart = 1.0 - xp.eye(own.shape[0], dtype=F.dtype, device=device(F))
        return 0.0, self.Y @ (apart @ own)


@dataclass(frozen=True)
class SameClassTerm(FactorTerm):
    r"""The term :math:`\mu\,\mathrm{tr}(F'L_cF)`, L_c joining all labelled pairs of one class.

    The Laplacian of the graph ``YY'``, which is never formed.
    """

    Y: Any

    def _value(self, F: Any) -> float:
        N, P = self._parts(F)
        return float(array_namespace(F).sum(F * (P - N)))

    def _parts(self, F: Any) -> tuple[Any, Any]:
        sizes = array_namespace(F).sum(self.Y, axis=0)
        return self.Y @ (self.Y.T @ F), (self.Y @ sizes)[:, None] * F
