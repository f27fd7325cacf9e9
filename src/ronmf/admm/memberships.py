"""The A-step: memberships that fit the data, follow the graph and agree with the known labels."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from array_api_compat import array_namespace

from ..numerics.conjugate_gradients import conjugate_gradients
from ..numerics.nonnegative_quadratic import nonnegative_quadratic

__all__ = ["MembershipTerms", "cluster_means", "update_membership"]

_MAX_CG = 500


@dataclass(frozen=True)
class MembershipTerms:
    """The graph and label terms ``λ tr(A'LA) + μ tr((A-Y)'S(A-Y))``.

    Parameters
    ----------
    product : callable
        ``B -> W @ B`` with the graph's weights W.
    degree : array of shape (n_samples,)
        Row sums of W; the Laplacian is ``L = diag(degree) - W``.
    Y : array of shape (n_samples, n_clusters)
        One-hot rows for anchored samples, zero rows for the others.
    anchored : array of shape (n_samples,)
        1 for an anchored sample, else 0: the diagonal of S.
    graph_weight, label_weight : float
        λ and μ.
    """

    product: Callable[[Any], Any]
    degree: Any
    Y: Any
    anchored: Any
    graph_weight: float
    label_weight: float

    @property
    def diagonal(self) -> Any:
        """The diagonal of ``2λL + 2μS`` as a column."""
        d = 2 * self.graph_weight * self.degree + 2 * self.label_weight * self.anchored
        return d[:, None]

    def hessian(self, A: Any) -> Any:
        """Return ``(2λL + 2μS) A``."""
        return self.diagonal * A - 2 * self.graph_weight * self.product(A)

    def value(self, A: Any) -> float:
        """Return ``λ tr(A'LA) + μ tr((A-Y)'S(A-Y))``."""
        xp = array_namespace(A)
        smooth = xp.sum(A * (self.degree[:, None] * A - self.product(A)))
        anchor = xp.sum(self.anchored[:, None] * (A - self.Y) ** 2)
        return self.graph_weight * float(smooth) + self.label_weight * float(anchor)

    def propagate(self, start: Any, tol: float | None = None) -> Any:
        """Return the memberships without any data term: harmonic label propagation.

        Unless told otherwise solved to the last digits, since labels must also cross the weakest
        edges.
        """
        xp = array_namespace(start)
        if tol is None:
            tol = float(xp.finfo(start.dtype).eps) ** 0.75  # 2e-12 in float64
        # An isolated sample without a label has no equation at all; it keeps its start value.
        diagonal = xp.where(self.diagonal > 0, self.diagonal, 1.0)
        rhs = 2 * self.label_weight * self.anchored[:, None] * self.Y
        A = conjugate_gradients(
            self.hessian, rhs, start, lambda B: B / diagonal, tol=tol, max_iter=2000
        )
        return xp.clip(A, min=0.0)


def update_membership(
    A: Any,
    Z: Any,
    gram: Any,
    target_basis: Any,
    beta: float,
    terms: MembershipTerms,
    *,
    tol: float = 1e-6,
    exact: bool = True,
) -> Any:
    r"""Minimise the augmented Lagrangian over the memberships ``A >= 0``.

    The objective is :math:`\frac{\beta}{2}\|T - A Z U'\|^2 + \lambda\,\mathrm{tr}(A'LA) +
    \mu\,\mathrm{tr}((A-Y)'S(A-Y))`, a quadratic with the optimality condition
    :math:`(2\lambda L + 2\mu S)A + \beta A ZU'UZ' = \beta TUZ' + 2\mu SY`. In the
    eigenbasis of ``ZU'UZ'`` it falls apart into one shifted sparse system a cluster, solved by
    conjugate gradients from the last A. Where that solution has negative entries, an active
    set method finds the true non-negative minimiser.

    Parameters
    ----------
    A : array of shape (n, c)
        Current memberships; the result is never worse.
    Z : array of shape (c, r)
        Current amplitudes.
    gram : array of shape (r, r)
        ``U'U``, the identity for orthogonal parts.
    target_basis : array of shape (n, r)
        ``T @ U``.
    beta : float
        Penalty parameter of the augmented Lagrangian.
    terms : MembershipTerms
        Graph and label terms.
    tol : float
        Bound on :func:`ronmf.numerics.nonnegative_quadratic.kkt_residual`.
    exact : bool
        False stops at the clipped unconstrained solution, as the paper prints it; that may *raise*
        the objective.
    """
    xp = array_namespace(A)
    coupling = beta * (Z @ gram @ Z.T)
    rhs = beta * (target_basis @ Z.T) + 2 * terms.label_weight * terms.anchored[:, None] * terms.Y

    def hessian(B: Any) -> Any:
        return terms.hessian(B) + B @ coupling

    shifts, Q = xp.linalg.eigh(coupling)
    shifts = xp.clip(shifts, min=0.0)[None, :]
    rotated_diagonal = _positive(terms.diagonal + shifts)
    free = conjugate_gradients(
        lambda B: terms.hessian(B) + shifts * B,
        rhs @ Q,
        A @ Q,
        lambda B: B / rotated_diagonal,
        tol=tol / 10,
        max_iter=_MAX_CG,
    )
    solution = free @ Q.T
    clipped = xp.clip(solution, min=0.0)
    if not exact:
        return clipped
    diagonal = _positive(terms.diagonal + xp.linalg.diagonal(coupling)[None, :])
    step = clipped - A
    descent = xp.sum(step * (hessian(A) - rhs)) + xp.sum(step * hessian(step)) / 2
    start = clipped if bool(descent <= 0) else A
    # In the eigenbasis the diagonal holds all of a sample's own c x c block, so its inverse is a
    # far better preconditioner than that of the plain diagonal where prototypes are alike.
    return nonnegative_quadratic(
        start, hessian, rhs, diagonal, tol, lambda B: ((B @ Q) / rotated_diagonal) @ Q.T
    )


def _positive(diagonal: Any) -> Any:
    """Guard a preconditioner against rows without any term (isolated, unlabelled, no data)."""
    xp = array_namespace(diagonal)
    floor = 1e-12 * float(xp.max(diagonal))
    return xp.clip(diagonal, min=floor if floor > 0 else 1.0)


def cluster_means(A: Any, X: Any) -> Any:
    """Return the mean of the samples in each cluster, weighted by membership."""
    xp = array_namespace(X)
    mass = xp.sum(A, axis=0)
    return (A.T @ X) / xp.where(mass > 0, mass, 1.0)[:, None]
