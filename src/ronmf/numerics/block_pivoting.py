"""Small non-negative least squares problems, one for each row, solved together."""

from typing import Any

from array_api_compat import array_namespace, device

from .arrays import row_blocks

__all__ = ["nonnegative_rows"]

# Added to the diagonal for columns of unit length, by bytes of a number: more than the rounding of
# G, so that collinear columns neither trade places nor make it indefinite.
_RIDGE = {4: 1e-5, 8: 1e-9}
_TOL = 1e-10
_PATIENCE = 3


def nonnegative_rows(gram: Any, omega: Any, rhs: Any, shift: Any) -> Any:
    """Minimise ``a(omega G + shift I)a'/2 - rhs a'`` over ``a >= 0`` for each row a.

    Block principal pivoting [1]_ with batched solves, in float64. A row's result does not depend on
    the other rows.

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

    References
    ----------
    .. [1] J. Kim and H. Park. Fast nonnegative matrix factorization: an active-set-like method and
       comparisons. SIAM J. Sci. Comput. 33, 2011.

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
    solutions = []
    # n small matrices at a time: as many as fit where a block of the data would.
    for block in row_blocks(xp.broadcast_to(shift[:, None], (n, k * k))):
        G = gram[block, ...] if gram.ndim == 3 else gram[None, :, :]
        eye = xp.eye(k, dtype=rhs.dtype, device=device(rhs))
        H = omega[block][:, None, None] * G + shift[block][:, None, None] * eye
        H, b = xp.astype(H, xp.float64), xp.astype(rhs[block, :], xp.float64)
        solutions.append(_pivot(H, b, _RIDGE[4 if rhs.dtype == xp.float32 else 8]))
    return xp.astype(xp.concat(solutions), rhs.dtype)


def _pivot(H: Any, b: Any, ridge: float) -> Any:
    """Guess which entries are positive, solve for them, exchange those of a wrong sign; repeat."""
    xp = array_namespace(H)
    n, k = b.shape
    eye = xp.eye(k, dtype=H.dtype, device=device(H))
    # Columns of unit length: what counts as zero must not depend on their scale.
    diagonal = xp.sum(H * eye, axis=2)
    usable = diagonal > 0
    length = xp.sqrt(xp.where(usable, diagonal, 1.0))
    H, b = H / length[:, :, None] / length[:, None, :] + ridge * eye, b / length
    positive = usable
    fewest = xp.full((n,), k + 1, device=device(H))
    patience = xp.full((n,), _PATIENCE, device=device(H))
    last = xp.arange(k, device=device(H))[None, :]
    for _ in range(5 * k + 20):
        x, wrong = _solve_on(H, b, positive, eye, usable)
        count = xp.sum(xp.astype(wrong, xp.int64), axis=1)
        if not bool(xp.any(count > 0)):
            break
        better = count < fewest
        fewest = xp.where(better, count, fewest)
        patience = xp.where(better, _PATIENCE, patience - 1)
        # Exchanging all may cycle; exchanging only the last, after some patience, cannot.
        final = last == xp.max(xp.where(wrong, last, -1), axis=1)[:, None]
        exchange = wrong & (final | (patience >= 0)[:, None])
        positive = positive ^ exchange
    return xp.clip(x, min=0.0) / length


def _solve_on(H: Any, b: Any, positive: Any, eye: Any, usable: Any) -> tuple[Any, Any]:
    """Return the solution with zeros outside `positive`, and which entries have a wrong sign."""
    xp = array_namespace(H)
    pairs = positive[:, :, None] & positive[:, None, :]
    target = xp.where(positive, b, 0.0)
    x = xp.linalg.solve(xp.where(pairs, H, eye), target[:, :, None])[:, :, 0]
    slope = xp.matmul(H, x[:, :, None])[:, :, 0] - b
    negative = positive & (x < -_TOL * xp.max(xp.abs(x), axis=1)[:, None])
    size = xp.max(xp.abs(b), axis=1)[:, None]
    return x, negative | (usable & ~positive & (slope < -_TOL * size))
