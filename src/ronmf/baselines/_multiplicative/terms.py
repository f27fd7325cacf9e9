"""Terms of multiplicative methods besides the data: graphs, labels, smoothness.

Each gives its value and the parts N, P of half its gradient; see ``loop``.
"""

from dataclasses import dataclass
from typing import Any

from array_api_compat import array_namespace, device

from ...graph._operator import GraphOperator
from ...labels.anchor import LabelAnchor
from .loop import Factors, Term

__all__ = [
    "AnchorTerm",
    "DissimilarityTerm",
    "GraphTerm",
    "LinearTerm",
    "MaskedRidgeTerm",
    "PowerTerm",
    "SameClassTerm",
    "ScaledTerm",
]


@dataclass(frozen=True)
class GraphTerm:
    r"""The term :math:`\lambda\,\mathrm{tr}(F'LF)` with the Laplacian L = D - W of a graph."""

    factor: str
    graph: GraphOperator
    weight: float

    def value(self, factors: Factors) -> float:
        """Return the term's value."""
        return self.weight * self.graph.smoothness(factors[self.factor])

    def split(self, name: str, factors: Factors) -> tuple[Any, Any] | None:
        """Return ``λWF`` and ``λDF``."""
        if name != self.factor:
            return None
        F = factors[name]
        return self.weight * self.graph.product(F), (self.weight * self.graph.degree)[:, None] * F


@dataclass(frozen=True)
class AnchorTerm:
    r"""The term :math:`\mu\,\mathrm{tr}((F-Y)'S(F-Y))`: labelled rows are close to their labels."""

    factor: str
    anchor: LabelAnchor
    weight: float

    def value(self, factors: Factors) -> float:
        """Return the term's value."""
        return self.weight * self.anchor.distance(factors[self.factor])

    def split(self, name: str, factors: Factors) -> tuple[Any, Any] | None:
        """Return ``μSY`` and ``μSF``."""
        if name != self.factor:
            return None
        pulled = self.anchor.anchored[:, None] * factors[name]
        return self.weight * self.anchor.Y, self.weight * pulled


@dataclass(frozen=True)
class MaskedRidgeTerm:
    r"""The term :math:`\lambda\|I \circ F\|_F^2`: keeps the entries that I marks (0/1) small."""

    factor: str
    mask: Any
    weight: float

    def value(self, factors: Factors) -> float:
        """Return the term's value."""
        F = self.mask * factors[self.factor]
        return self.weight * float(array_namespace(F).sum(F * F))

    def split(self, name: str, factors: Factors) -> tuple[Any, Any] | None:
        """Return 0 and ``λ I∘F``."""
        return (0.0, self.weight * self.mask * factors[name]) if name == self.factor else None


@dataclass(frozen=True)
class LinearTerm:
    r"""The term :math:`\alpha \sum_{ij} E_{ij} F_{ij}` with E >= 0."""

    factor: str
    E: Any
    weight: float

    def value(self, factors: Factors) -> float:
        """Return the term's value."""
        F = factors[self.factor]
        return self.weight * float(array_namespace(F).sum(self.E * F))

    def split(self, name: str, factors: Factors) -> tuple[Any, Any] | None:
        """Return 0 and ``αE/2``."""
        return (0.0, (self.weight / 2) * self.E) if name == self.factor else None


@dataclass(frozen=True)
class PowerTerm:
    r"""The term :math:`\mu \sum_{ij} F_{ij}^p`, 1 <= p <= 2, a concave function of the squares."""

    factor: str
    p: float
    weight: float

    def value(self, factors: Factors) -> float:
        """Return the term's value."""
        F = factors[self.factor]
        return self.weight * float(array_namespace(F).sum(F**self.p))

    def split(self, name: str, factors: Factors) -> tuple[Any, Any] | None:
        """Return 0 and ``(μp/2) F^(p-1)``."""
        if name != self.factor:
            return None
        return 0.0, (self.weight * self.p / 2) * factors[name] ** (self.p - 1)


@dataclass(frozen=True)
class DissimilarityTerm:
    r"""The term :math:`\alpha \sum_{ij} D_{ij} f_i' f_j`, D = 1 for labelled pairs of two classes.

    `Y` is one-hot with zero rows for unlabelled samples. D is never formed: its product with F is
    the sum over all labelled rows less that over the sample's own class.
    """

    factor: str
    Y: Any
    weight: float

    def value(self, factors: Factors) -> float:
        """Return the term's value."""
        F = factors[self.factor]
        return self.weight * float(array_namespace(F).sum(F * self._others(F)))

    def split(self, name: str, factors: Factors) -> tuple[Any, Any] | None:
        """Return 0 and ``αDF``."""
        return (0.0, self.weight * self._others(factors[name])) if name == self.factor else None

    def _others(self, F: Any) -> Any:
        xp = array_namespace(F)
        own = self.Y.T @ F  # sums of the classes
        # Sums over the *other* classes, added up rather than subtracted: no digit cancels.
        apart = 1.0 - xp.eye(own.shape[0], dtype=F.dtype, device=device(F))
        return self.Y @ (apart @ own)


@dataclass(frozen=True)
class SameClassTerm:
    r"""The term :math:`\mu\,\mathrm{tr}(F'L_cF)`, L_c joining all labelled pairs of one class.

    The Laplacian of the graph ``YY'``, which is never formed.
    """

    factor: str
    Y: Any
    weight: float

    def value(self, factors: Factors) -> float:
        """Return the term's value."""
        F = factors[self.factor]
        joined, degree = self._parts(F)
        return self.weight * float(array_namespace(F).sum(F * (degree * F - joined)))

    def split(self, name: str, factors: Factors) -> tuple[Any, Any] | None:
        """Return ``μYY'F`` and ``μ diag(YY'1) F``."""
        if name != self.factor:
            return None
        joined, degree = self._parts(factors[name])
        return self.weight * joined, self.weight * degree * factors[name]

    def _parts(self, F: Any) -> tuple[Any, Any]:
        xp = array_namespace(F)
        sizes = xp.sum(self.Y, axis=0)
        return self.Y @ (self.Y.T @ F), (self.Y @ sizes)[:, None]


@dataclass(frozen=True)
class ScaledTerm:
    """Another term times a weight."""

    term: Term
    weight: float

    def value(self, factors: Factors) -> float:
        """Return the term's value."""
        return self.weight * self.term.value(factors)

    def split(self, name: str, factors: Factors) -> tuple[Any, Any] | None:
        """Return the other term's parts, scaled."""
        parts = self.term.split(name, factors)
        return None if parts is None else (self.weight * parts[0], self.weight * parts[1])
