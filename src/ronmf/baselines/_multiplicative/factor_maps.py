"""How the coefficients or the basis of a factorisation are made from its factors.

Linear, non-negative maps. The chain rule through them gives every method's update from that of
plain NMF.
"""

from typing import Any, Protocol

import scipy.sparse as sp

from ...numerics.arrays import sparse_product
from .loop import Factors

__all__ = ["Factor", "FactorMap", "LinearMap", "ProductMap"]


class FactorMap(Protocol):
    """How V or B is made from factors."""

    names: tuple[str, ...]

    def value(self, factors: Factors) -> Any:
        """Return the matrix."""
        ...

    def pull_back(self, name: str, factors: Factors, G: Any) -> Any:
        """Return what a (part of a) gradient G by the matrix means for one factor."""
        ...


class Factor:
    """The matrix is a factor itself."""

    def __init__(self, name: str) -> None:
        self.names: tuple[str, ...] = (name,)

    def value(self, factors: Factors) -> Any:
        """Return the factor."""
        return factors[self.names[0]]

    def pull_back(self, name: str, factors: Factors, G: Any) -> Any:
        """Return G."""
        return G


class ProductMap:
    """The product of two factors: ``V = A Z``."""

    def __init__(self, left: str, right: str) -> None:
        self.names: tuple[str, ...] = (left, right)

    def value(self, factors: Factors) -> Any:
        """Return the product."""
        return factors[self.names[0]] @ factors[self.names[1]]

    def pull_back(self, name: str, factors: Factors, G: Any) -> Any:
        """Return ``G Z'`` or ``A' G``."""
        left, right = self.names
        return G @ factors[right].T if name == left else factors[left].T @ G


class LinearMap:
    """Rows that are shared among samples, or scaled: ``V = P Z`` with a sparse non-negative P."""

    def __init__(self, name: str, P: sp.csr_array, like: Any) -> None:
        self.names: tuple[str, ...] = (name,)
        self._product = sparse_product(P, like)
        self._transposed_product = sparse_product(sp.csr_array(P.T), like)

    def value(self, factors: Factors) -> Any:
        """Return ``P Z``."""
        return self._product(factors[self.names[0]])

    def pull_back(self, name: str, factors: Factors, G: Any) -> Any:
        """Return ``P' G``."""
        return self._transposed_product(G)
