"""A large quadratic over non-negative unknowns, known only by its products."""

from collections.abc import Callable
from typing import Any

from array_api_compat import array_namespace

from .conjugate_gradients import conjugate_gradients

__all__ = ["kkt_residual", "nonnegative_quadratic"]

_MAX_CG, _MAX_EXCHANGES, _MAX_ROUNDS, _MAX_HALVINGS = 500, 30, 50, 40


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
) -> Any:
    """Minimise ``<A, HA>/2 - <rhs, A>`` over ``A >= 0``; the result is never worse than the start.

    First a primal-dual active set method [1]_: solve on the entries held to be positive, then
    exchange all that turned out wrong. It ends after a few rounds as a rule, but need not, nor
    does it descend. Where it has failed, projected Newton steps [2]_ go on from the better of its
    result and the start, and always descend.

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

    References
    ----------
    .. [1] M. Hintermüller, K. Ito and K. Kunisch. The primal-dual active set strategy as a
       semismooth Newton method. SIAM J. Optim. 13(3), 2002.
    .. [2] D. P. Bertsekas. Projected Newton methods for optimization problems with simple
       constraints. SIAM J. Control Optim. 20(2), 1982.

    Examples
    --------
    >>> import numpy as np
    >>> H = np.array([[2.0, -1.0], [-1.0, 2.0]])
    >>> b = np.array([[-1.0], [1.0]])
    >>> nonnegative_quadratic(np.ones((2, 1)), lambda A: H @ A, b, np.diag(H)[:, None], 1e-10)
    array([[0. ],
           [0.5]])
    """
    xp = array_namespace(A)
    if precondition is None:

        def precondition(B: Any) -> Any:
            return B / diagonal

    def solve_on(free: Any, rhs: Any, start: Any, accuracy: float) -> Any:
        return conjugate_gradients(
            lambda B: free * hessian(free * B),
            free * rhs,
            free * start,
            lambda B: free * precondition(free * B),
            tol=accuracy,
            max_iter=_MAX_CG,
            coupled=True,
        )

    guess, optimality = _exchange(A, hessian, rhs, diagonal, tol, solve_on)
    step = guess - A
    rise = xp.sum(step * (hessian(A) - rhs)) + xp.sum(step * hessian(step)) / 2
    if bool(rise <= 0):
        A = guess
    if bool(rise <= 0) and optimality <= tol:
        return A
    return _projected_newton(A, hessian, rhs, diagonal, tol, solve_on)


def _exchange(
    A: Any, hessian: Callable, rhs: Any, diagonal: Any, tol: float, solve_on: Callable
) -> tuple[Any, float]:
    """Run the active set method; return its clipped end point and the KKT residual there."""
    xp = array_namespace(A)
    gradient = hessian(A) - rhs
    free = (A > 0) | (gradient < 0)
    optimality = kkt_residual(A, gradient, diagonal)
    rounding = 4 * float(xp.finfo(A.dtype).eps) * float(xp.max(xp.abs(rhs)))
    x, guess, accuracy = A, A, 0.01
    for _ in range(_MAX_EXCHANGES):
        if optimality <= tol:
            break
        accuracy = min(accuracy, 0.01 * optimality)
        x = solve_on(xp.astype(free, A.dtype), rhs, x, accuracy)
        guess = xp.clip(x, min=0.0)
        optimality = kkt_residual(guess, hessian(guess) - rhs, diagonal)
        wrong = (free & (x < 0)) | (~free & (hessian(x) - rhs < -rounding))
        free = free ^ wrong
        if not bool(xp.any(wrong)):
            accuracy /= 100  # the right entries: only the solve was too coarse
    return guess, optimality


def _projected_newton(
    A: Any, hessian: Callable, rhs: Any, diagonal: Any, tol: float, solve_on: Callable
) -> Any:
    """Descend to a KKT residual below `tol`.

    Entries at the bound that want to leave the feasible set take a scaled gradient step (and stay);
    all others take a Newton step; the step is projected and halved until the objective falls
    enough.
    """
    xp = array_namespace(A)
    for _ in range(_MAX_ROUNDS):
        gradient = hessian(A) - rhs
        optimality = kkt_residual(A, gradient, diagonal)
        if optimality <= tol:
            break
        near = min(optimality, 1e-3) * float(xp.max(A))
        free = xp.astype(~((near >= A) & (gradient > 0)), A.dtype)
        newton = solve_on(free, -gradient, xp.zeros_like(A), 0.1)
        direction = newton - (1 - free) * gradient / diagonal
        length = 1.0
        for _ in range(_MAX_HALVINGS):
            trial = xp.clip(A + length * direction, min=0.0)
            step = trial - A
            slope = xp.sum(step * gradient)
            if bool(slope + xp.sum(step * hessian(step)) / 2 <= 1e-4 * slope):
                A = trial
                break
            length /= 2
        else:
            break  # no descent left in this precision
    return A
