"""Preconditioned conjugate gradients for many right-hand sides at once."""

from collections.abc import Callable
from typing import Any

from array_api_compat import array_namespace, device

__all__ = ["conjugate_gradients"]


def conjugate_gradients(
    apply: Callable[[Any], Any],
    rhs: Any,
    start: Any | None,
    precondition: Callable[[Any], Any] | None = None,
    *,
    tol: float,
    max_iter: int,
    coupled: bool = False,
) -> Any:
    """Solve ``H x = rhs`` for a positive semi-definite H by preconditioned conjugate gradients.

    Parameters
    ----------
    apply : callable
        ``x -> H x`` on n x c arrays, a new array each time.
    rhs, start : array of shape (n, c)
        The right-hand side and the first guess; None is zero. Every iterate has a lower
        ``<x, Hx>/2 - <rhs, x>`` than the one before, so a warm start is never made worse.
    precondition : callable, optional
        ``r -> M r`` with a positive definite M near the inverse of H; by default the identity.
    tol : float
        Stop when the residual falls below ``tol * |rhs|`` (in each column, unless coupled).
    max_iter : int
        Largest number of products with H.
    coupled : bool
        False: c independent systems, one per column. True: one system of n * c unknowns, whose
        steps are numbers instead of rows of them; a step is then cheaper.

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
    # A product with ones adds up columns five times faster than a sum over the long axis.
    ones = xp.ones((1, rhs.shape[0]), dtype=rhs.dtype, device=device(rhs))

    def dot(a: Any, b: Any) -> Any:
        if coupled:
            return float(xp.vecdot(xp.reshape(a, (-1,)), xp.reshape(b, (-1,))))
        return ones @ (a * b)

    def ratio(a: Any, b: Any, active: Any) -> Any:
        if coupled:  # all of them numbers
            return a / b
        return xp.where(active, a / xp.where(active, b, 1.0), 0.0)

    def some(active: Any) -> bool:
        return bool(active) if coupled else bool(xp.any(active))

    x = xp.zeros_like(rhs) if start is None else start + 0.0
    residual = rhs + 0.0 if start is None else rhs - apply(x)
    z = residual if precondition is None else precondition(residual)
    direction, rz = z + 0.0, dot(residual, z)
    scale = dot(rhs, rhs)
    # A column without a right-hand side has the solution zero: its start sets the scale.
    own = dot(residual, residual)
    goal = tol * tol * ((scale or own) if coupled else xp.where(scale > 0, scale, own))
    flat = 4 * float(xp.finfo(rhs.dtype).eps)
    size = rz  # <direction, M^-1 direction>, against which curvature is measured
    for _ in range(max_iter):
        # Without a preconditioner, rz is the square of the residual.
        square = rz if precondition is None else dot(residual, residual)
        active = (square > goal) & (rz > 0)
        if not some(active):
            break
        h_direction = apply(direction)
        curvature = dot(direction, h_direction)
        # Where H is singular (a component of the graph without a label, a cluster without a
        # prototype), rounding leaves a residual that no step can remove: x stays where it is.
        active = active & (curvature > flat * size)
        if not some(active):
            break
        step = ratio(rz, curvature, active)
        x += step * direction
        h_direction *= step
        residual -= h_direction
        z = residual if precondition is None else precondition(residual)
        rz_new = dot(residual, z)
        weight = ratio(rz_new, rz, active)
        direction *= weight
        direction += z
        size = rz_new + weight * weight * size
        rz = rz_new
    return x
