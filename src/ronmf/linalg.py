"""Preconditioned conjugate gradients for many right-hand sides, and small non-negative solves."""

from collections.abc import Callable
from typing import Any

import numpy as np
from array_api_compat import array_namespace
from scipy.optimize import nnls

__all__ = [
    "conjugate_gradients",
    "kkt_residual",
    "nonnegative_least_squares",
    "nonnegative_quadratic",
]

_MAX_CG, _MAX_ROUNDS, _MAX_HALVINGS = 500, 50, 40


def conjugate_gradients(
    apply: Callable[[Any], Any],
    rhs: Any,
    start: Any,
    diagonal: Any,
    *,
    tol: float,
    max_iter: int,
    coupled: bool = False,
) -> Any:
    """Solve ``H x = rhs`` for a positive semi-definite H by Jacobi-preconditioned CG.

    Parameters
    ----------
    apply : callable
        ``x -> H x`` on n x c arrays.
    rhs, start : array of shape (n, c)
        The right-hand side and the first guess. Every iterate has a lower
        ``<x, Hx>/2 - <rhs, x>`` than the one before, so a warm start is never made worse.
    diagonal : array of shape (n, c) or (n, 1)
        Positive preconditioner, usually the diagonal of H.
    tol : float
        Stop when the residual falls below ``tol * |rhs|`` (in each column).
    max_iter : int
        Largest number of products with H.
    coupled : bool
        False: c independent systems, one a column. True: one system of n * c unknowns.

    Examples
    --------
    >>> import numpy as np
    >>> H = np.array([[4.0, 1.0], [1.0, 3.0]])
    >>> b = np.array([[1.0], [2.0]])
    >>> x = conjugate_gradients(
    ...     lambda x: H @ x, b, np.zeros((2, 1)), np.diag(H)[:, None], tol=1e-12, max_iter=10
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
    z = residual / diagonal
    direction, rz = z, dot(residual, z)
    goal = tol * tol * dot(rhs, rhs)
    flat = 4 * float(xp.finfo(rhs.dtype).eps)
    for _ in range(max_iter):
        h_direction = apply(direction)
        curvature = dot(direction, h_direction)
        # Where H is singular (a component of the graph without a label, a cluster without a
        # prototype), rounding leaves a residual that no step can remove: x stays where it is.
        active = curvature > flat * dot(direction, diagonal * direction)
        active = active & (dot(residual, residual) > goal)
        if not bool(xp.any(active)):
            break
        step = ratio(rz, curvature, active)
        x = x + step * direction
        residual = residual - step * h_direction
        z = residual / diagonal
        rz_new = dot(residual, z)
        direction = z + ratio(rz_new, rz, active) * direction
        rz = rz_new
    return x


def kkt_residual(A: Any, gradient: Any, diagonal: Any) -> float:
    """Measure how far A is from optimal for a quadratic over ``A >= 0``, relative to A.

    It is ``|A - max(A - gradient / diagonal, 0)| / |A|``, zero exactly at the minimiser.
    """
    xp = array_namespace(A)
    natural = A - xp.clip(A - gradient / diagonal, min=0.0)
    size = float(xp.sum(A * A)) ** 0.5
    return float(xp.sum(natural * natural)) ** 0.5 / max(size, 1e-30)


def nonnegative_quadratic(
    A: Any, hessian: Callable[[Any], Any], rhs: Any, diagonal: Any, tol: float
) -> Any:
    """Minimise ``<A, HA>/2 - <rhs, A>`` over ``A >= 0``, monotonically, by projected Newton steps.

    Entries at the bound that want to leave the feasible set take a scaled gradient step (and stay);
    all others take a Newton step by conjugate gradients; the step is projected and halved until
    the objective falls enough [1]_.

    Parameters
    ----------
    A : array of shape (n, c)
        Feasible start; the result is never worse.
    hessian : callable
        ``A -> HA``, positive semi-definite.
    rhs : array of shape (n, c)
        The linear term.
    diagonal : array that broadcasts to (n, c)
        The diagonal of H, positive.
    tol : float
        Stop when :func:`kkt_residual` is below this.

    References
    ----------
    .. [1] D. P. Bertsekas. Projected Newton methods for optimization problems with simple
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
    for _ in range(_MAX_ROUNDS):
        gradient = hessian(A) - rhs
        optimality = kkt_residual(A, gradient, diagonal)
        if optimality <= tol:
            break
        near = min(optimality, 1e-3) * float(xp.max(A))
        free = xp.astype(~((A <= near) & (gradient > 0)), A.dtype)
        newton = conjugate_gradients(
            lambda B, free=free: free * hessian(free * B),
            -free * gradient,
            xp.zeros_like(A),
            diagonal,
            tol=max(0.1 * tol, min(0.1, optimality)),
            max_iter=_MAX_CG,
            coupled=True,
        )
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


def nonnegative_least_squares(
    gram: np.ndarray, moment: np.ndarray, start: np.ndarray, max_rounds: int = 20
) -> np.ndarray:
    """Minimise ``<Z, G Z>/2 - <N, Z>`` over ``Z >= 0`` exactly, for all columns at once.

    Block principal pivoting [1]_: solve with the guessed support of every column, exchange all
    entries with a wrong sign, repeat; warm-started, most calls end in the first round. A column
    that cycles is handed to :func:`scipy.optimize.nnls`.

    Parameters
    ----------
    gram : ndarray of shape (c, c)
        Positive semi-definite G. A row with a zero diagonal gives a zero row of Z.
    moment : ndarray of shape (c, r)
        The matrix N.
    start : ndarray of shape (c, r)
        Its support is the first guess.
    max_rounds : int
        Rounds of exchange before the fallback.

    References
    ----------
    .. [1] J. Kim and H. Park. Fast nonnegative matrix factorization: an active-set-like method and
       comparisons. SIAM J. Sci. Comput. 33(6), 2011.

    Examples
    --------
    >>> import numpy as np
    >>> nonnegative_least_squares(np.eye(2), np.array([[1.0], [-1.0]]), np.ones((2, 1)))
    array([[1.],
           [0.]])
    """
    eye = np.eye(len(gram))
    length = np.sqrt(np.diag(gram))
    alive = length > 0
    # In unknowns of unit scale the ridge only decides between equal minimisers, which there are
    # when two columns are multiples of each other.
    scale = np.where(alive, length, 1.0)
    gram = gram / np.outer(scale, scale) + 1e-14 * eye
    moment = moment / scale[:, None]
    rounding = 1e-13 * float(np.abs(moment).max(initial=0.0))

    support = ((start > 0) & alive[:, None]).T  # r x c: one column's problem a row
    Z, todo = np.zeros(support.shape), np.arange(len(support))
    for _ in range(max_rounds):
        free = support[todo]
        both = free[:, :, None] & free[:, None, :]
        system = np.where(both, gram, eye)
        rhs = np.where(free, moment.T[todo], 0.0)
        z = np.linalg.solve(system, rhs[:, :, None])[:, :, 0]
        gradient = z @ gram - moment.T[todo]
        wrong = (free & (z < 0)) | (~free & alive & (gradient < -rounding))
        Z[todo] = z
        support[todo] ^= wrong
        todo = todo[wrong.any(axis=1)]
        if not len(todo):
            return np.where(support, Z, 0.0).T / scale[:, None]
    root = np.linalg.cholesky(gram + 1e-13 * eye)
    whitened = np.linalg.solve(root, moment)
    for j in todo:
        Z[j] = nnls(root.T, whitened[:, j])[0]
    Z[:, ~alive] = 0.0
    return np.maximum(Z, 0.0).T / scale[:, None]
