"""A large quadratic over non-negative unknowns, known only by its products."""

from collections.abc import Callable
from typing import Any

from array_api_compat import array_namespace

from .conjugate_gradients import conjugate_gradients

__all__ = ["ALL_PRODUCTS", "kkt_residual", "nonnegative_quadratic"]

ALL_PRODUCTS = 20000  # more than an exact solution takes
_MAX_CG, _MAX_HALVINGS = 500, 40
_COARSEST_STEP = 0.1  # relative residual of a Newton step, unless the end is near


def kkt_residual(A: Any, gradient: Any, diagonal: Any) -> float:
    """Measure how far A is from optimal for a quadratic over ``A >= 0``, relative to A.

    It is ``|A - max(A - gradient / diagonal, 0)| / |A|``, zero exactly at the minimiser.
    """
    xp = array_namespace(A)
    natural = A - xp.clip(A - gradient / diagonal, min=0.0)
    size = float(xp.sum(A * A)) ** 0.5
    return float(xp.sum(natural * natural)) ** 0.5 / max(size, 1e-30)


def nonnegative_quadratic(
    A: Any,
    hessian: Callable[[Any], Any],
    rhs: Any,
    diagonal: Any,
    tol: float,
    precondition: Callable[[Any], Any] | None = None,
    max_products: int = ALL_PRODUCTS,
) -> tuple[Any, float]:
    """Minimise ``<A, HA>/2 - <rhs, A>`` over ``A >= 0``; the result is never worse than the start.

    Projected Newton steps [1]_: entries at the bound that want to leave the feasible set take a
    scaled gradient step (and stay); all others take a Newton step, found by conjugate gradients;
    the step is projected and halved until the objective falls enough.

    Parameters
    ----------
    A : array of shape (n, c)
        Feasible start.
    hessian : callable
        ``A -> HA``, positive semi-definite.
    rhs : array of shape (n, c)
        The linear term.
    diagonal : array that broadcasts to (n, c)
        The diagonal of H, positive.
    tol : float
        Bound on :func:`kkt_residual`.
    precondition : callable, optional
        An approximate inverse of H; by default that of the diagonal.
    max_products : int
        About how many products with H to spend at most.

    Returns
    -------
    A : array of shape (n, c)
        The minimiser, or the best found with so many products.
    optimality : float
        Its :func:`kkt_residual`.

    References
    ----------
    .. [1] D. P. Bertsekas. Projected Newton methods for optimization problems with simple
       constraints. SIAM J. Control Optim. 20(2), 1982.

    Examples
    --------
    >>> import numpy as np
    >>> H = np.array([[2.0, -1.0], [-1.0, 2.0]])
    >>> b = np.array([[-1.0], [1.0]])
    >>> nonnegative_quadratic(np.ones((2, 1)), lambda A: H @ A, b, np.diag(H)[:, None], 1e-10)[0]
    array([[0. ],
           [0.5]])
    """
    xp, spent = array_namespace(A), 0

    def product(B: Any) -> Any:
        nonlocal spent
        spent += 1
        return hessian(B)

    def newton(free: Any, gradient: Any, accuracy: float) -> Any:
        """Return the step that removes the gradient of the free entries, about."""

        def apply(B: Any) -> Any:  # every direction is zero where it is not free
            image = product(B)
            image *= free
            return image

        return conjugate_gradients(
            apply,
            -free * gradient,
            None,
            (lambda B: B * inverse) if precondition is None else lambda B: free * precondition(B),
            tol=accuracy,
            max_iter=min(_MAX_CG, max(1, max_products - spent - 1)),
            coupled=True,
        )

    inverse, gradient = 1 / diagonal, product(A) - rhs
    optimality = kkt_residual(A, gradient, diagonal)
    while optimality > tol and spent < max_products:
        near = min(optimality, 1e-3) * float(xp.max(A))
        free = xp.astype(~((near >= A) & (gradient > 0)), A.dtype)
        # No finer than what is left to gain: the next round begins with other free entries.
        accuracy = max(min(_COARSEST_STEP, optimality), 0.1 * tol / optimality)
        direction = newton(free, gradient, accuracy) - (1 - free) * gradient / diagonal
        length = 1.0
        for _ in range(_MAX_HALVINGS):
            trial = xp.clip(A + length * direction, min=0.0)
            step = trial - A
            slope, change = xp.sum(step * gradient), product(step)
            if bool(slope + xp.sum(step * change) / 2 <= 1e-4 * slope):
                break
            length /= 2
        else:
            break  # no descent left in this precision
        A, gradient = trial, gradient + change
        optimality = kkt_residual(A, gradient, diagonal)
    return A, optimality
