"""Preconditioned conjugate gradients for many right-hand sides at once."""

from collections.abc import Callable
from typing import Any

from array_api_compat import array_namespace

__all__ = ["conjugate_gradients"]


def conjugate_gradients(
    apply: Callable[[Any], Any],
    rhs: Any,
    start: Any,
    precondition: Callable[[Any], Any],
    *,
    tol: float,
    max_iter: int,
    coupled: bool = False,
) -> Any:
    """Solve ``H x = rhs`` for a positive semi-definite H by preconditioned conjugate gradients.

    Parameters
    ----------
    apply : callable
        ``x -> H x`` on n x c arrays.
    rhs, start : array of shape (n, c)
        The right-hand side and the first guess. Every iterate has a lower
        ``<x, Hx>/2 - <rhs, x>`` than the one before, so a warm start is never made worse.
    precondition : callable
        ``r -> M r`` with a positive definite M near the inverse of H.
    tol : float
        Stop when the residual falls below ``tol * |rhs|`` (in each column).
    max_iter : int
        Largest number of products with H.
    coupled : bool
        False: c independent systems, one per column. True: one system of n * c unknowns.

    Examples
    --------
    >>> import numpy as np
    >>> H = np.array([[4.0, 1.0], [1.0, 3.0]])
    >>> b = np.array([[1.0], [2.0]])
    >>> x = conjugate_gradients(
    ...     lambda x: H @ x, b, np.zeros((2, 1)), lambda r: r / 4, tol=1e-12, max_iter=10
    ... )
    >>> np.allclose(H @ x, b)
    True
    """
    xp = array_namespace(rhs)

    def dot(a: Any, b: Any) -> Any:
        return xp.sum(a * b, axis=None if coupled else 0, keepdims=True)

    def ratio(a: Any, b: Any, active: Any) -> Any:
        return xp.where(active, a / xp.where(active, b, 1.0), 0.0)

    x = start
    residual = rhs - apply(x)
    z = precondition(residual)
    direction, rz = z, dot(residual, z)
    scale = dot(rhs, rhs)
    # A column without a right-hand side has the solution zero: its start sets the scale.
    goal = tol * tol * xp.where(scale > 0, scale, dot(residual, residual))
    flat = 4 * float(xp.finfo(rhs.dtype).eps)
    size = rz  # <direction, M^-1 direction>, against which curvature is measured
    for _ in range(max_iter):
        h_direction = apply(direction)
        curvature = dot(direction, h_direction)
        # Where H is singular (a component of the graph without a label, a cluster without a
        # prototype), rounding leaves a residual that no step can remove: x stays where it is.
        active = curvature > flat * size
        active = active & (dot(residual, residual) > goal) & (rz > 0)
        if not bool(xp.any(active)):
            break
        step = ratio(rz, curvature, active)
        x = x + step * direction
        residual = residual - step * h_direction
        z = precondition(residual)
        rz_new = dot(residual, z)
        weight = ratio(rz_new, rz, active)
        direction = z + weight * direction
        size = rz_new + weight * weight * size
        rz = rz_new
    return x
