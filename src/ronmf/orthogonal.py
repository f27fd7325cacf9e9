"""Maximise a linear form over non-negative matrices with orthonormal columns (the U-step).

Both solvers treat ``max <C, U>`` over ``U >= 0, U'U = I``, ``C`` and ``U`` of shape (d, r). Such a
``U`` has at most one non-zero per row, so its columns live on disjoint *parts* S_1..S_r of the
features. Given the parts, column j is the positive part of C[S_j, j], normalised, worth
v_j = ||C[S_j, j]^+||_2, or, without a positive entry, one-hot at the largest one, worth that entry.
So the search is over partitions. Inside, one is a boolean mask M of shape (r, d), parts as rows,
K is C' scaled to largest entry one, and P holds the squares of the positive entries of K.
"""

import math
from typing import Any

from array_api_compat import array_namespace, device

__all__ = ["maximise_partition", "maximise_penalty", "project_oblique"]

# Proven relative gaps at which the relaxation ends: of its best partition, of its masses.
_PART_TOL, _MASS_TOL = 1e-5, 1e-3
_GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0


def project_oblique(U: Any) -> Any:
    """Project onto the matrices with non-negative columns of unit length.

    A column with a positive entry becomes its positive part over its length; any other becomes
    one-hot at its (first) largest entry.

    Parameters
    ----------
    U : array of shape (d, r)
        Any signs; an entry of minus infinity is never chosen.

    Returns
    -------
    array of shape (d, r)

    Examples
    --------
    >>> import numpy as np
    >>> project_oblique(np.array([[3.0, -2.0], [4.0, -1.0], [-5.0, -3.0]]))
    array([[0.6, 0. ],
           [0.8, 1. ],
           [0. , 0. ]])
    """
    xp = array_namespace(U)
    top = xp.max(U, axis=0)
    hot = xp.astype(_hot(xp, xp.argmax(U, axis=0), U, 0), U.dtype)
    # Dividing by the largest entry first keeps the squares from under- and overflow.
    V = xp.where(top > 0, xp.clip(U, min=0.0) / xp.where(top > 0, top, 1.0), hot)
    return V / xp.sqrt(xp.sum(V * V, axis=0))


def maximise_partition(C: Any, U: Any = None, *, max_rounds: int = 1000) -> Any:
    r"""Maximise ⟨C, U⟩ over U ≥ 0, U'U = I by a search over partitions of the features.

    With parts :math:`S_j` and masses :math:`q_j = \sum_{i \in S_j} (C_{ij}^+)^2` the value is
    :math:`\sum_j \sqrt{q_j}`. It is concave once features may belong to parts by fractions, so
    Frank-Wolfe steps (feature i to the part of largest :math:`(C_{ij}^+)^2 / \sqrt{q_j}`) find
    nearly the best masses, and any :math:`\lambda > 0` bounds every partition:

    .. math:: \sum_j \sqrt{q_j} \le \tfrac12 \sum_i \max_j \lambda_j (C_{ij}^+)^2
              + \tfrac12 \sum_j \lambda_j^{-1}.

    Moves of single features finish. A round makes a share of all gainful moves, if that pays more
    than those moves alone that have no part in common, whose gains add up exactly; else the latter.
    So the value never falls, and at the end (unless `max_rounds` comes first) it cannot be raised
    by moving one feature, nor by trading the only feature of a part.

    No part is ever empty: in order of j, one without features takes the feature i of largest
    :math:`C_{ij}` less what its old part loses (nothing if unused), the first among equals, but
    never the only feature of another part.

    Parameters
    ----------
    C : array of shape (d, r), r <= d
        Real floating NumPy, torch or other array-API array, finite, of any signs.
    U : array of shape (d, r), optional
        Feasible start; the result is not worse. The search begins at its support, unless the
        relaxation, begun at its masses, finds better parts.
    max_rounds : int
        Most rounds of moves.

    Returns
    -------
    array of shape (d, r)
        Feasible, of the dtype and on the device of `C`.

    Raises
    ------
    ValueError
        If r > d, if `C` is not finite and floating, or if the shapes differ.

    Examples
    --------
    >>> import numpy as np
    >>> C = np.array([[3.0, 1.0], [4.0, 2.0], [1.0, 2.0], [-1.0, -1.0]])
    >>> U = maximise_partition(C)
    >>> U
    array([[0.6, 0. ],
           [0.8, 0. ],
           [0. , 1. ],
           [0. , 0. ]])
    >>> round(float(np.sum(C * U)), 12)
    7.0
    """
    xp, U = _check(C, U)
    K, P = _scaled(xp, C)
    start = None if U is None else _parts(xp, K, P, U.T)
    return _columns(xp, C, U, _polish(xp, K, P, _relax(xp, K, P, start), max_rounds))


def maximise_penalty(
    C: Any, U: Any = None, *, tol: float = 1e-8, max_outer: int = 40, max_inner: int = 100
) -> Any:
    r"""Maximise ⟨C, U⟩ over U ≥ 0, U'U = I by the exact penalty of EP4Orth+ [1]_.

    Minimises, with :math:`\|C\|_F` scaled to one and :math:`v = e / \sqrt r`,

    .. math:: -\langle C, U \rangle + \sigma (\|U v\|^2 - 1)

    over non-negative unit columns, where the penalty is :math:`\tfrac1r \sum_{i \ne j} u_i'u_j` and
    vanishes only if U'U = I. Projected gradient steps of Barzilai-Borwein length; :math:`\sigma`
    doubles from 0.01 until the penalty is at most `tol`. The largest entry of each row then gives
    the parts, and `C` on the parts gives `U`; empty parts are filled as in `maximise_partition`.
    This is the published route; `maximise_partition` is faster and reaches higher values.

    Parameters
    ----------
    C : array of shape (d, r), r <= d
        Real floating NumPy, torch or other array-API array, finite, of any signs.
    U : array of shape (d, r), optional
        Feasible start; the result is not worse.
    tol : float
        Penalty at which σ is large enough.
    max_outer, max_inner : int
        Most values of σ, and most gradient steps for each.

    Returns
    -------
    array of shape (d, r)
        Feasible, of the dtype and on the device of `C`.

    Raises
    ------
    ValueError
        If r > d, if `C` is not finite and floating, or if the shapes differ.

    References
    ----------
    .. [1] B. Jiang, X. Meng, Z. Wen, X. Chen, "An exact penalty approach for optimization with
       nonnegative orthogonality constraints", Mathematical Programming (2023).

    Examples
    --------
    >>> import numpy as np
    >>> maximise_penalty(np.array([[3.0, 1.0], [4.0, 2.0], [1.0, 2.0], [-1.0, -1.0]]))
    array([[0.6, 0. ],
           [0.8, 0. ],
           [0. , 1. ],
           [0. , 0. ]])
    """
    xp, U = _check(C, U)
    K, P = _scaled(xp, C)
    norm = float(xp.sqrt(xp.sum(K * K)))
    F = K.T / (norm if norm > 0 else 1.0)
    W = project_oblique(F if U is None else U)
    tol = max(tol, 10.0 * float(xp.finfo(C.dtype).eps))
    sigma, accuracy = 0.01, 0.1
    for _ in range(max_outer):
        W = _descend(xp, F, W, sigma, accuracy, max_inner)
        if float(_penalty(xp, W)) <= tol:
            break
        sigma, accuracy = 2.0 * sigma, 0.8 * accuracy
    masks = [] if U is None else [_parts(xp, K, P, U.T)]
    return _columns(xp, C, U, _best(xp, K, P, [*masks, _parts(xp, K, P, W.T)]))


def _penalty(xp: Any, W: Any) -> Any:
    """Return ||W v||^2 - 1, v = e / sqrt(r), of unit columns."""
    total = xp.sum(W, axis=1)
    return xp.sum(total * total) / W.shape[1] - 1.0


def _descend(xp: Any, F: Any, W: Any, sigma: float, accuracy: float, steps: int) -> Any:
    """Minimise -<F, W> + sigma (||W v||^2 - 1) over non-negative unit columns."""

    def value(W: Any) -> float:
        return float(sigma * _penalty(xp, W) - xp.sum(F * W))

    def slope(W: Any) -> Any:
        return (2.0 * sigma / W.shape[1]) * xp.sum(W, axis=1)[:, None] - F

    G, step = slope(W), 0.5 / sigma
    reference, weight = value(W), 1.0  # Zhang-Hager average: lets the value rise for a while
    for _ in range(steps):
        for _ in range(20):
            V = project_oblique(W - step * G)
            D = V - W
            moved = float(xp.sum(D * D))
            f = value(V)
            if f <= reference - 1e-6 / step * moved:
                break
            step /= 2.0
        else:
            return W
        W, G_old = V, G
        if math.sqrt(moved) <= accuracy * min(1.0, step):
            return W
        G = slope(W)
        curvature = abs(float(xp.sum(D * (G - G_old))))
        step = min(max(moved / curvature, 1e-10), 1e10) if curvature > 0 else 1.0
        reference = (0.85 * weight * reference + f) / (0.85 * weight + 1.0)
        weight = 0.85 * weight + 1.0
    return W


def _check(C: Any, U: Any) -> tuple[Any, Any]:
    """Return the namespace of `C`, and `U` in its dtype, after checking both."""
    if C.ndim != 2 or not 1 <= C.shape[1] <= C.shape[0]:
        raise ValueError(
            f"C has shape {tuple(C.shape)}, but a non-negative U with orthonormal columns needs "
            "a matrix of d rows and 1 to d columns."
        )
    if U is not None and tuple(U.shape) != tuple(C.shape):
        raise ValueError(f"U has shape {tuple(U.shape)}, but C has shape {tuple(C.shape)}.")
    xp = array_namespace(C)
    if not xp.isdtype(C.dtype, "real floating") or not bool(xp.all(xp.isfinite(C))):
        raise ValueError("C must hold finite real floating-point numbers.")
    return xp, U if U is None else xp.astype(U, C.dtype, copy=False)


def _scaled(xp: Any, C: Any) -> tuple[Any, Any]:
    """Return K and P."""
    top = xp.max(xp.abs(C))
    # Flattening puts each part in contiguous memory: five times faster in NumPy.
    K = xp.reshape(xp.reshape(C.T, (-1,)), C.T.shape) / xp.where(top > 0, top, 1.0)
    return K, xp.clip(K, min=0.0) ** 2


def _columns(xp: Any, C: Any, U: Any, M: Any) -> Any:
    """Return the best columns on the parts, or a feasible `U` that rounding leaves larger."""
    result = project_oblique(xp.where(M.T, C, -math.inf))
    if U is None or float(xp.sum(C * U)) <= float(xp.sum(C * result)):
        return result
    gram = xp.matmul(U.T, U) - xp.eye(U.shape[1], dtype=U.dtype, device=device(U))
    tight = 1e-10 if float(xp.finfo(U.dtype).eps) < 1e-10 else 1e-6
    disjoint = xp.all((U == 0) | (_hot(xp, xp.argmax(U, axis=1), U, 1) & (U > 0)))
    return U if bool(disjoint) and float(xp.max(xp.abs(gram))) <= tight else result


def _hot(xp: Any, index: Any, like: Any, axis: int) -> Any:
    """Return the mask of the shape of `like` that is True at `index` along `axis`."""
    at = xp.arange(like.shape[axis], device=device(like))
    return at[:, None] == index[None, :] if axis == 0 else at[None, :] == index[:, None]


def _spread(xp: Any, like: Any, size: int) -> Any:
    """Return a low-discrepancy sequence in [0, 1)."""
    return (xp.astype(xp.arange(size, device=device(like)), like.dtype) * _GOLDEN) % 1.0


def _assign(xp: Any, M: Any, i: Any, j: int) -> Any:
    """Return the mask with feature i in part j only (in none if j = -1)."""
    parts, features = (xp.arange(size, device=device(M)) for size in M.shape)
    return xp.where(features == i, (parts == j)[:, None], M)


def _parts(xp: Any, K: Any, P: Any, W: Any) -> Any:
    """Return the mask of the largest positive entry of W for each feature, every part filled."""
    M = _tidy(xp, K, P, _hot(xp, xp.argmax(W, axis=0), W, 0) & (W > 0))
    if not bool(xp.all(xp.any(M, axis=1))):
        for j in range(K.shape[0]):
            if not bool(xp.any(M[j, :])):
                q, _, n = _masses(xp, K, P, M)
                M = _assign(xp, M, xp.argmax(K[j, :] - _loss(xp, P, M, q, n)), j)
    return M


def _tidy(xp: Any, K: Any, P: Any, M: Any) -> Any:
    """Keep what the best columns use: the positive entries of a part, else its largest entry."""
    positive = M & (P > 0)
    filled = xp.any(positive, axis=1)[:, None]
    if bool(xp.all(filled)):
        return positive
    top = _hot(xp, xp.argmax(xp.where(M, K, -math.inf), axis=1), K, 1)
    return positive | (M & top & ~filled)


def _masses(xp: Any, K: Any, P: Any, M: Any) -> tuple[Any, Any, Any]:
    """Return masses q, values v and sizes n of the parts of a tidy mask."""
    W = xp.astype(M, K.dtype)
    q = xp.vecdot(W, P)
    return q, xp.where(q > 0, xp.sqrt(q), xp.vecdot(W, K)), xp.sum(W, axis=1)


def _best(xp: Any, K: Any, P: Any, masks: list[Any]) -> Any:
    """Return the mask of largest value, the first among equals."""
    return max(masks, key=lambda M: float(xp.sum(_masses(xp, K, P, M)[1])))


def _price(xp: Any, q: Any) -> Any:
    """Return 1 / sqrt(q), zero for q = 0."""
    return xp.where(q > 0, 1.0 / xp.sqrt(xp.where(q > 0, q, 1.0)), 0.0)


def _root_gain(xp: Any, P: Any, q: Any) -> Any:
    """Return sqrt(q + P) - sqrt(q) without cancellation."""
    return P / (xp.sqrt(q + P) + xp.sqrt(q) + xp.finfo(P.dtype).smallest_normal)


def _join(xp: Any, K: Any, P: Any, q: Any, v: Any) -> Any:
    """Return what each part gains with each feature; one without mass keeps the larger entry."""
    return xp.where(q > 0, _root_gain(xp, P, q), xp.clip(K - v, min=0.0))


def _loss(xp: Any, P: Any, M: Any, q: Any, n: Any) -> Any:
    """Return what its part loses with each feature: infinity if it is the only one there."""
    W = xp.astype(M, P.dtype)
    own = xp.sum(W * P, axis=0)
    alone = xp.matmul(xp.astype(n == 1, P.dtype), W) > 0
    return xp.where(alone, math.inf, _root_gain(xp, own, xp.clip(xp.matmul(q, W) - own, min=0.0)))


def _relax(xp: Any, K: Any, P: Any, start: Any) -> Any:
    """Return a good mask, by Frank-Wolfe on the masses of fractional partitions."""
    r, d = K.shape
    # Unequal masses to begin with, or equal columns would tie for ever.
    q = xp.sum(P, axis=1) / r * (1.0 + 1e-3 * _spread(xp, K, r))
    if start is not None:
        own = _masses(xp, K, P, start)[0]
        q = xp.where(own > 0, own, q)
    order = _spread(xp, K, d)
    upper, top = math.inf, -math.inf
    choice = mixed = P > 0
    for k in range(50 + r):
        worth = _price(xp, q)[:, None] * P
        most = xp.max(worth, axis=0)
        M = worth == most
        mass = xp.vecdot(xp.astype(M, P.dtype), P)
        value, relaxed = float(xp.sum(xp.sqrt(mass))), float(xp.sum(xp.sqrt(q)))
        if value > top:
            top, choice = value, M
        step = 2.0 / (k + 3.0)
        # Moving another share of the features each step gives a partition of about the masses q;
        # it is the better one where features are alike and `choice` moves them all at once.
        mixed = xp.where((order + k * _GOLDEN**2) % 1.0 < step, M, mixed) if k > 0 else M
        upper = min(upper, 0.5 * (float(xp.sum(most)) + relaxed))
        if upper - top <= _PART_TOL * top or upper - relaxed <= _MASS_TOL * relaxed:
            break
        q = q + step * (mass - q)
    found = [_parts(xp, K, P, xp.where(M, P, 0.0)) for M in (choice, mixed)]
    return _best(xp, K, P, found if start is None else [start, *found])


def _polish(xp: Any, K: Any, P: Any, M: Any, max_rounds: int) -> Any:
    """Move features, and trade the only ones of parts, while that gains."""
    d = K.shape[1]
    order = _spread(xp, K, d)
    eps = float(xp.finfo(K.dtype).eps)
    share = 1.0
    for k in range(max_rounds):
        q, v, n = _masses(xp, K, P, M)
        tol = 8.0 * eps * float(xp.max(xp.abs(v)))
        gain, label = _moves(xp, K, P, M, q, v, n, tol)
        moving = gain > 0
        if not bool(xp.any(moving)):
            traded = _trade(xp, K, P, M, tol)
            if traded is None:
                break
            M = traded
            continue
        target = _hot(xp, label, K, 0)
        # Moves with no part in common: each the best one at both its old and its new part.
        touched = (M | target) & moving
        best = xp.argmax(xp.where(touched, gain, 0.0), axis=1)
        apart = moving & xp.all(_hot(xp, best, K, 1) | ~touched, axis=0)
        sure = float(xp.sum(xp.where(apart, gain, 0.0)))
        share = min(1.0, 4.0 * share)
        turn = (order + k * _GOLDEN**2) % 1.0
        some = apart | (moving & (turn < share))
        while bool(xp.any(some & ~apart)):
            trial = _tidy(xp, K, P, xp.where(some, target, M))
            _, w, m = _masses(xp, K, P, trial)
            if bool(xp.all(m > 0)) and float(xp.sum(w) - xp.sum(v)) > sure:
                break
            share /= 2.0
            some = apart | (moving & (turn < share)) if share * d > 1.0 else apart
        else:
            trial = _tidy(xp, K, P, xp.where(apart, target, M))
        M = trial
    return M


def _moves(xp: Any, K: Any, P: Any, M: Any, q: Any, v: Any, n: Any, tol: float) -> tuple[Any, Any]:
    """Return for each feature the gain of its best move, zero unless above `tol`, and the part."""
    loss = _loss(xp, P, M, q, n)
    q, v = q[:, None], v[:, None]
    # sqrt(q + P) - sqrt(q) <= P / (2 sqrt(q)) spares most features the exact gain.
    bound = 0.5 * _price(xp, q) * P
    if not bool(xp.all(q > 0)):
        bound = xp.where(q > 0, bound, K - v)
    maybe = xp.max(xp.where(M, -math.inf, bound), axis=0) - loss > tol
    index = xp.nonzero(maybe)[0]
    if index.shape[0] == 0:
        return xp.zeros_like(loss), xp.zeros_like(maybe, dtype=index.dtype)
    K, P, M = (xp.take(X, index, axis=1) for X in (K, P, M))
    gains = xp.where(M, -math.inf, _join(xp, K, P, q, v))
    at = xp.clip(xp.cumulative_sum(xp.astype(maybe, index.dtype)) - 1, min=0)
    gain = xp.take(xp.max(gains, axis=0), at, axis=0) - loss
    gain = xp.where(maybe & (gain > tol), gain, 0.0)
    return gain, xp.take(xp.argmax(gains, axis=0), at, axis=0)


def _trade(xp: Any, K: Any, P: Any, M: Any, tol: float) -> Any:
    """Trade the only feature i of some part for another one, if that gains; else return None."""
    q, v, n = _masses(xp, K, P, M)
    if not bool(xp.any(n == 1)):
        return None
    loss = _loss(xp, P, M, q, n)
    label = xp.argmax(xp.astype(M, K.dtype), axis=0)
    used = xp.any(M, axis=0)
    alone, mass, worth = (xp.take(x, label, axis=0) for x in (n == 1, q, v))
    rest = xp.clip(mass - xp.sum(xp.where(M, P, 0.0), axis=0), min=0.0)
    parts = xp.arange(K.shape[0], device=device(K))
    for j in range(K.shape[0]):
        if int(n[j]) != 1:
            continue
        i = int(xp.argmax(xp.astype(M[j, :], K.dtype)))
        # Feature i goes where the newcomer was, or to the part that gains most with it.
        swapped = xp.sqrt(rest + xp.take(P[:, i], label, axis=0))
        there = xp.where(alone, xp.take(K[:, i], label, axis=0), swapped) - worth
        there = xp.where(used, there, 0.0)
        joins = xp.where(parts == j, -math.inf, _join(xp, K[:, i], P[:, i], q, v))
        away = xp.max(joins) - loss
        net = K[j, :] - v[j] + xp.where(there >= away, there, away)
        new = int(xp.argmax(net))
        if float(net[new]) > tol:
            old = int(label[new]) if bool(used[new]) else -1
            place = old if bool(there[new] >= away[new]) else int(xp.argmax(joins))
            return _tidy(xp, K, P, _assign(xp, _assign(xp, M, i, place), new, j))
    return None
