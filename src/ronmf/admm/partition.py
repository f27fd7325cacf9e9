"""Search over partitions of features into parts, for the U-step.

The value of a partition of d features into r parts S_1..S_r is the sum over j of
v_j = ||C[S_j, j]^+||_2 or, for a part without a positive entry, of its largest entry. Throughout,
K is C' scaled to largest entry one (one part per row), P holds the squares of its positive entries,
and a boolean mask M of their shape (r, d), with at most one True per column, holds a partition; q_j
is the mass of part j, its sum of P.
"""

import math
from typing import Any

from array_api_compat import device

__all__ = ["best_parts", "fill_parts", "one_hot", "polish", "relax"]

# Proven relative gaps at which the relaxation ends: of its best partition, of its masses.
_PART_TOL, _MASS_TOL = 1e-5, 1e-3
_GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0


def relax(xp: Any, K: Any, P: Any, start: Any) -> Any:
    """Return a good mask, by Frank-Wolfe on the masses of fractional partitions."""
    r, d = K.shape
    # Unequal masses to begin with, or equal columns would tie for ever.
    q = xp.sum(P, axis=1) / r * (1.0 + 1e-3 * _low_discrepancy(xp, K, r))
    if start is not None:
        own = _masses(xp, K, P, start)[0]
        q = xp.where(own > 0, own, q)
    order = _low_discrepancy(xp, K, d)
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
    masks = [fill_parts(xp, K, P, xp.where(M, P, 0.0)) for M in (choice, mixed)]
    return best_parts(xp, K, P, masks if start is None else [start, *masks])


def polish(xp: Any, K: Any, P: Any, M: Any, max_rounds: int) -> Any:
    """Move single features while that gains."""
    d = K.shape[1]
    order = _low_discrepancy(xp, K, d)
    eps = float(xp.finfo(K.dtype).eps)
    share = 1.0
    for k in range(max_rounds):
        masses = _masses(xp, K, P, M)
        v = masses[1]
        tol = 8.0 * eps * float(xp.max(xp.abs(v)))
        gain, label = _moves(xp, K, P, M, masses, tol)
        moving = gain > 0
        if not bool(xp.any(moving)):
            break
        target = one_hot(xp, label, K, 0)
        # Moves with no part in common: each the best one at both its old and its new part.
        touched = (M | target) & moving
        best = xp.argmax(xp.where(touched, gain, 0.0), axis=1)
        apart = moving & xp.all(one_hot(xp, best, K, 1) | ~touched, axis=0)
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


def _moves(xp: Any, K: Any, P: Any, M: Any, masses: Any, tol: float) -> tuple[Any, Any]:
    """Return for each feature the gain of its best move, zero unless above `tol`, and the part."""
    q, v, n = masses
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


def fill_parts(xp: Any, K: Any, P: Any, W: Any) -> Any:
    """Return the mask of the largest positive entry of W for each feature, every part filled."""
    M = _tidy(xp, K, P, one_hot(xp, xp.argmax(W, axis=0), W, 0) & (W > 0))
    if not bool(xp.all(xp.any(M, axis=1))):
        for j in range(K.shape[0]):
            if not bool(xp.any(M[j, :])):
                q, _, n = _masses(xp, K, P, M)
                M = _assign(xp, M, xp.argmax(K[j, :] - _loss(xp, P, M, q, n)), j)
    return M


def best_parts(xp: Any, K: Any, P: Any, masks: list[Any]) -> Any:
    """Return the mask of largest value, the first among equals."""
    return max(masks, key=lambda M: float(xp.sum(_masses(xp, K, P, M)[1])))


def _tidy(xp: Any, K: Any, P: Any, M: Any) -> Any:
    """Keep what the best columns use: the positive entries of a part, else its largest entry."""
    positive = M & (P > 0)
    filled = xp.any(positive, axis=1)[:, None]
    if bool(xp.all(filled)):
        return positive
    top = one_hot(xp, xp.argmax(xp.where(M, K, -math.inf), axis=1), K, 1)
    return positive | (M & top & ~filled)


def _masses(xp: Any, K: Any, P: Any, M: Any) -> tuple[Any, Any, Any]:
    """Return masses q, values v and sizes n of the parts of a tidy mask."""
    W = xp.astype(M, K.dtype)
    q = xp.vecdot(W, P)
    return q, xp.where(q > 0, xp.sqrt(q), xp.vecdot(W, K)), xp.sum(W, axis=1)


def _join(xp: Any, K: Any, P: Any, q: Any, v: Any) -> Any:
    """Return what each part gains with each feature; one without mass keeps the larger entry."""
    return xp.where(q > 0, _root_gain(xp, P, q), xp.clip(K - v, min=0.0))


def _loss(xp: Any, P: Any, M: Any, q: Any, n: Any) -> Any:
    """Return what its part loses with each feature: infinity if it is the only one there."""
    W = xp.astype(M, P.dtype)
    own = xp.sum(W * P, axis=0)
    alone = xp.matmul(xp.astype(n == 1, P.dtype), W) > 0
    return xp.where(alone, math.inf, _root_gain(xp, own, xp.clip(xp.matmul(q, W) - own, min=0.0)))


def _root_gain(xp: Any, P: Any, q: Any) -> Any:
    """Return sqrt(q + P) - sqrt(q) without cancellation."""
    return P / (xp.sqrt(q + P) + xp.sqrt(q) + xp.finfo(P.dtype).smallest_normal)


def _price(xp: Any, q: Any) -> Any:
    """Return 1 / sqrt(q), zero for q = 0."""
    return xp.where(q > 0, 1.0 / xp.sqrt(xp.where(q > 0, q, 1.0)), 0.0)


def one_hot(xp: Any, index: Any, like: Any, axis: int) -> Any:
    """Return the mask of the shape of `like` that is True at `index` along `axis`."""
    at = xp.arange(like.shape[axis], device=device(like))
    return at[:, None] == index[None, :] if axis == 0 else at[None, :] == index[:, None]


def _low_discrepancy(xp: Any, like: Any, size: int) -> Any:
    """Return a low-discrepancy sequence in [0, 1)."""
    return (xp.astype(xp.arange(size, device=device(like)), like.dtype) * _GOLDEN) % 1.0


def _assign(xp: Any, M: Any, i: Any, j: int) -> Any:
    """Return the mask with feature i in part j only (in none if j = -1)."""
    parts, features = (xp.arange(size, device=device(M)) for size in M.shape)
    return xp.where(features == i, (parts == j)[:, None], M)
