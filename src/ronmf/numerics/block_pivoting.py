"""Many small non-negative least squares problems at once, by block principal pivoting.

The method [1]_ guesses which unknowns of a problem are positive, solves for these, exchanges those
that turn out to have a wrong sign, and repeats.

References
----------
.. [1] J. Kim and H. Park. Fast nonnegative matrix factorization: an active-set-like method and
   comparisons. SIAM J. Sci. Comput. 33(6), 2011.
"""

from typing import Any

import numpy as np
from array_api_compat import array_namespace, device
from scipy.optimize import nnls

from .arrays import row_blocks

__all__ = ["nonnegative_least_squares", "nonnegative_rows"]

# Added to the diagonal for columns of unit length, by bytes of a number: more than the rounding of
# G, so that collinear columns neither trade places nor make it indefinite.
_RIDGE = {4: 1e-5, 8: 1e-9}
_TOL = 1e-10
_PATIENCE = 3  # rounds without progress in which all wrong signs are still exchanged at once


def nonnegative_rows(gram: Any, omega: Any, rhs: Any, shift: Any) -> Any:
    """Minimise ``a(omega G + shift I)a'/2 - rhs a'`` over ``a >= 0`` for each row a.

    The work is done in float64. A row's result does not depend on the other rows.

    Parameters
    ----------
    gram : array of shape (k, k) or (n, k, k)
        Positive semi-definite G, one for all rows or one for each. A column with a zero diagonal
        entry (and no shift) gets a zero; among collinear columns the shortest solution is taken.
    omega, shift : arrays of shape (n,)
        Non-negative weights of G and of the identity.
    rhs : array of shape (n, k)
        The linear terms.

    Returns
    -------
    array of shape (n, k)

    Examples
    --------
    >>> import numpy as np
    >>> gram, rhs = np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([[3.0, 3.0], [2.0, 0.5]])
    >>> nonnegative_rows(gram, np.ones(2), rhs, np.zeros(2)).round(6)
    array([[1., 1.],
           [1., 0.]])
    """
    xp = array_namespace(rhs)
    n, k = rhs.shape
    ridge = _RIDGE[4 if rhs.dtype == xp.float32 else 8]
    eye = xp.eye(k, dtype=rhs.dtype, device=device(rhs))
    solutions = []
    # n small matrices at a time: as many as fit where a block of the data would.
    for block in row_blocks(xp.broadcast_to(shift[:, None], (n, k * k))):
        G = gram[block, ...] if gram.ndim == 3 else gram[None, :, :]
        H = omega[block][:, None, None] * G + shift[block][:, None, None] * eye
        H, b = xp.astype(H, xp.float64), xp.astype(rhs[block, :], xp.float64)
        # Columns of unit length: what counts as zero must not depend on their scale.
        diagonal = xp.sum(H * xp.astype(eye, xp.float64), axis=2)
        usable = diagonal > 0
        length = xp.sqrt(xp.where(usable, diagonal, 1.0))
        H = H / length[:, :, None] / length[:, None, :] + ridge * xp.astype(eye, xp.float64)
        b = b / length
        slack = _TOL * xp.max(xp.abs(b), axis=1)[:, None]
        x, _ = _pivot(H, b, usable, usable, slack, below_zero=_TOL, max_rounds=5 * k + 20)
        solutions.append(xp.clip(x, min=0.0) / length)
    return xp.astype(xp.concat(solutions), rhs.dtype)


def nonnegative_least_squares(
    gram: np.ndarray, moment: np.ndarray, start: np.ndarray, max_rounds: int = 20
) -> np.ndarray:
    """Minimise ``<Z, G Z>/2 - <N, Z>`` over ``Z >= 0`` exactly, for all columns at once.

    Warm-started, most calls end in the first round. A column that cycles is handed to
    :func:`scipy.optimize.nnls`.

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

    Examples
    --------
    >>> import numpy as np
    >>> nonnegative_least_squares(np.eye(2), np.array([[1.0], [-1.0]]), np.ones((2, 1)))
    array([[1.],
           [0.]])
    """
    length = np.sqrt(np.diag(gram))
    alive = length > 0
    # In unknowns of unit scale the ridge only decides between equal minimisers, which there are
    # when two columns are multiples of each other.
    scale = np.where(alive, length, 1.0)
    gram = gram / np.outer(scale, scale) + 1e-14 * np.eye(len(gram))
    rows = (moment / scale[:, None]).T  # one column's problem per row
    slack = np.full((len(rows), 1), 1e-13 * float(np.abs(rows).max(initial=0.0)))
    usable = np.broadcast_to(alive, rows.shape)
    positive = (start.T > 0) & usable
    Z, cycling = _pivot(gram, rows, positive, usable, slack, below_zero=0.0, max_rounds=max_rounds)
    if len(cycling):
        values, vectors = np.linalg.eigh(gram)
        values = np.sqrt(np.maximum(values, 1e-14))[:, None]
        root, whitened = values * vectors.T, vectors.T @ rows.T / values  # root' root = gram
        for j in cycling:
            Z[j] = np.where(alive, nnls(root, whitened[:, j])[0], 0.0)
    return np.maximum(Z, 0.0).T / scale[:, None]


def _pivot(
    H: Any, b: Any, positive: Any, usable: Any, slack: Any, *, below_zero: float, max_rounds: int
) -> tuple[Any, Any]:
    """Minimise ``x'Hx/2 - b'x`` over ``x >= 0`` for each row of b.

    Parameters
    ----------
    H : array of shape (k, k) or (n, k, k)
        Positive definite, one for all rows or one for each.
    b : array of shape (n, k)
        The linear terms.
    positive, usable : arrays of bool, shape (n, k)
        The first guess, and which unknowns may be positive at all.
    slack : array of shape (n, 1)
        A slope above ``-slack`` is that of an unknown which rightly is zero.
    below_zero : float
        An unknown above ``-below_zero * max|x|`` is not negative.
    max_rounds : int
        Rounds of exchange.

    Returns
    -------
    x : array of shape (n, k)
        Solutions; entries may lie below zero by what `below_zero` allows.
    unfinished : array of int
        The rows that still had an unknown of a wrong sign in the last round.
    """
    xp = array_namespace(b)
    n, k = b.shape
    eye = xp.eye(k, dtype=b.dtype, device=device(b))
    last = xp.arange(k, device=device(b))[None, :]
    rows = xp.arange(n, device=device(b))
    fewest, patience = xp.full_like(rows, k + 1), xp.full_like(rows, _PATIENCE)
    ended: list[tuple[Any, Any]] = []
    for round_ in range(max_rounds):
        pairs = positive[:, :, None] & positive[:, None, :]
        target = xp.where(positive, b, 0.0)
        x = xp.linalg.solve(xp.where(pairs, H, eye), target[:, :, None])[:, :, 0]
        slope = (x @ H if H.ndim == 2 else xp.matmul(H, x[:, :, None])[:, :, 0]) - b
        negative = positive & (x < -below_zero * xp.max(xp.abs(x), axis=1)[:, None])
        wrong = negative | (usable & ~positive & (slope < -slack))
        count = xp.sum(xp.astype(wrong, xp.int64), axis=1)
        right, todo = xp.nonzero(count == 0)[0], xp.nonzero(count > 0)[0]
        if todo.shape[0] == 0 or round_ == max_rounds - 1:
            ended.append((rows, x))
            break
        ended.append((xp.take(rows, right), xp.take(x, right, axis=0)))
        rows, count = xp.take(rows, todo), xp.take(count, todo)
        b, usable, slack, positive, wrong = (
            xp.take(each, todo, axis=0) for each in (b, usable, slack, positive, wrong)
        )
        H = H if H.ndim == 2 else xp.take(H, todo, axis=0)
        fewest, patience = xp.take(fewest, todo), xp.take(patience, todo)
        better = count < fewest
        fewest = xp.where(better, count, fewest)
        patience = xp.where(better, _PATIENCE, patience - 1)
        # Exchanging all may cycle; exchanging only the last, after some patience, cannot.
        final = last == xp.max(xp.where(wrong, last, -1), axis=1)[:, None]
        positive = positive ^ (wrong & (final | (patience >= 0)[:, None]))
    order = xp.argsort(xp.concat([places for places, _ in ended]))
    solutions = xp.take(xp.concat([some for _, some in ended]), order, axis=0)
    return solutions, xp.take(rows, todo)
