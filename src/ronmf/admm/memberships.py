r"""The A-step: memberships that fit the data, follow the graph and agree with the known labels.

The objective is

.. math:: \frac{\beta}{2}\|T - A Z U'\|^2 + \lambda\,\mathrm{tr}(A'LA)
          + \mu\,\mathrm{tr}((A-Y)'S(A-Y)),

a quadratic with the optimality condition :math:`(2\lambda L + 2\mu S)A + \beta A ZU'UZ' =
\beta TUZ' + 2\mu SY`.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from array_api_compat import array_namespace

from ..graph._operator import MembershipTerms
from ..numerics.arrays import each_block
from ..numerics.block_pivoting import nonnegative_rows
from ..numerics.conjugate_gradients import conjugate_gradients
from ..numerics.nonnegative_quadratic import ALL_PRODUCTS, nonnegative_quadratic

__all__ = ["MembershipQuadratic"]

_MAX_CG = 500
_FEW_CLUSTERS = 32  # up to which products with a c x c matrix are cheap
_WEAK_EDGES = 1e-3  # beside the data, below which rows are solved for on their own


@dataclass(frozen=True)
class MembershipQuadratic:
    """The augmented Lagrangian as a function of the memberships alone.

    Attributes
    ----------
    Z : array of shape (c, r)
        Amplitudes.
    gram : array of shape (r, r)
        ``U'U``, the identity for orthogonal parts.
    target_basis : array of shape (n, r)
        ``T @ U``.
    beta : float
        Penalty parameter of the augmented Lagrangian.
    terms : MembershipTerms
        Graph and label terms.
    """

    Z: Any
    gram: Any
    target_basis: Any
    beta: float
    terms: MembershipTerms

    def clipped(self, A: Any, tol: float) -> Any:
        """Return the unconstrained minimiser with negative entries set to zero, as printed.

        In the eigenbasis of ``ZU'UZ'`` the equation falls apart into one shifted sparse system per
        cluster, solved by conjugate gradients from the last A. The result may be worse than `A`.
        """
        xp = array_namespace(A)
        shifts, Q = self._eigenbasis
        diagonal = _positive(self.terms.diagonal + shifts)
        free = conjugate_gradients(
            lambda B: self.terms.hessian(B) + shifts * B,
            self._rhs @ Q,
            A @ Q,
            lambda B: B / diagonal,
            tol=tol / 10,
            max_iter=_MAX_CG,
        )
        return xp.clip(free @ Q.T, min=0.0)

    def nonnegative(
        self, A: Any, tol: float, max_products: int = ALL_PRODUCTS
    ) -> tuple[Any, float]:
        """Return the minimiser over ``A >= 0``, or an approximation; it is never worse than `A`.

        Parameters
        ----------
        A : array of shape (n, c)
            Current memberships.
        tol : float
            Bound on :func:`~ronmf.numerics.nonnegative_quadratic.kkt_residual`.
        max_products : int
            Products with the Hessian to spend, about.

        Returns
        -------
        A : array of shape (n, c)
            New memberships.
        optimality : float
            Their KKT residual.
        """
        order = self.terms.graph.order
        if order is not None:
            ordered = replace(self, target_basis=self.target_basis[order], terms=self.terms.ordered)
            minimiser, optimality = ordered.nonnegative(A[order], tol, max_products)
            A = np.empty_like(minimiser)
            A[order] = minimiser
            return A, optimality
        xp = array_namespace(A)
        coupling = self._coupling
        own = self.terms.diagonal + 0.0 * A  # of full size: faster than a column for every product
        weight = 2 * self.terms.graph_weight
        blocks = self.terms.graph.row_blocks(A.shape[1])

        def hessian(B: Any) -> Any:
            def some_rows(block: tuple[slice, Callable[[Any], Any]]) -> Any:
                rows, graph_product = block
                product = graph_product(B)
                product *= -weight
                product += B[rows, :] @ coupling
                product += own[rows, :] * B[rows, :]
                return product

            products = each_block(some_rows, blocks, B)
            return products[0] if len(products) == 1 else xp.concat(products)

        diagonal = _positive(own + xp.linalg.diagonal(coupling)[None, :])
        if A.shape[1] <= _FEW_CLUSTERS and self._rows_are_nearly_independent():
            A = self._better(A, self._row_by_row(A), hessian)
        precondition = None
        if A.shape[1] <= _FEW_CLUSTERS:
            # In the eigenbasis the diagonal holds all of a sample's own c x c block, so its inverse
            # is a far better preconditioner than that of the plain diagonal where prototypes are
            # alike. Of many clusters its two products cost more than they save.
            shifts, Q = self._eigenbasis
            rotated = _positive(self.terms.diagonal + shifts)

            def precondition(B: Any) -> Any:
                return ((B @ Q) / rotated) @ Q.T

        return nonnegative_quadratic(
            A, hessian, self._rhs, diagonal, tol, precondition, max_products
        )

    def _better(self, A: Any, guess: Any, hessian: Callable[[Any], Any]) -> Any:
        """Return the one of lower objective."""
        xp, step = array_namespace(A), guess - A
        rise = xp.sum(step * (hessian(A) - self._rhs)) + xp.sum(step * hessian(step)) / 2
        return guess if bool(rise <= 0) else A

    def _rows_are_nearly_independent(self) -> bool:
        """Whether edges weigh next to nothing beside the data."""
        xp = array_namespace(self.Z)
        data = float(xp.mean(xp.linalg.diagonal(self._coupling)))
        edges = 2 * self.terms.graph_weight * float(xp.max(self.terms.graph.degree))
        return edges < _WEAK_EDGES * data

    def _row_by_row(self, A: Any) -> Any:
        """Return the minimiser of each sample's row on its own, its neighbours held fixed.

        Where clusters outnumber what the data can tell apart, steps over all rows at once would
        take long to find it.
        """
        xp, terms = array_namespace(A), self.terms
        rhs = self._rhs + 2 * terms.graph_weight * terms.graph.product(A)
        shift = terms.diagonal[:, 0]
        return nonnegative_rows(self._coupling, xp.ones_like(shift), rhs, shift)

    @cached_property
    def _coupling(self) -> Any:
        return self.beta * (self.Z @ self.gram @ self.Z.T)

    @cached_property
    def _rhs(self) -> Any:
        return self.beta * (self.target_basis @ self.Z.T) + self.terms.pull

    @cached_property
    def _eigenbasis(self) -> tuple[Any, Any]:
        """Return the eigenvalues of the coupling between clusters, and its eigenvectors."""
        xp = array_namespace(self.Z)
        shifts, Q = xp.linalg.eigh(self._coupling)
        return xp.clip(shifts, min=0.0)[None, :], Q


def _positive(diagonal: Any) -> Any:
    """Guard a preconditioner against rows without any term (isolated, unlabelled, no data)."""
    xp = array_namespace(diagonal)
    floor = 1e-12 * float(xp.max(diagonal))
    return xp.clip(diagonal, min=floor if floor > 0 else 1.0)
