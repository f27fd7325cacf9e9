"""Maximise a linear form over non-negative matrices with orthonormal columns (the U-step).

Both solvers treat ``max <C, U>`` over ``U >= 0, U'U = I``, ``C`` and ``U`` of shape (d, r). Such a
``U`` has at most one non-zero per row, so its columns live on disjoint *parts* S_1..S_r of the
features. Given the parts, column j is the positive part of C[S_j, j], normalised, worth
v_j = ||C[S_j, j]^+||_2, or, without a positive entry, one-hot at the largest one, worth that entry.
So the search is over partitions: see :mod:`ronmf.admm.partition`, also for the letters K, P and M.
"""

import math
from typing import Any

from array_api_compat import array_namespace, device

from .partition import best_parts, fill_parts, one_hot, polish, relax

__all__ = ["maximise_partition", "maximise_penalty", "project_oblique"]


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
    hot = xp.astype(one_hot(xp, xp.argmax(U, axis=0), U, 0), U.dtype)
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
    by moving one feature.

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
    start = None if U is None else fill_parts(xp, K, P, U.T)
    return _columns(xp, C, U, polish(xp, K, P, relax(xp, K, P, start), max_rounds))


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
    masks = [] if U is None else [fill_parts(xp, K, P, U.T)]
    return _columns(xp, C, U, best_parts(xp, K, P, [*masks, fill_parts(xp, K, P, W.T)]))


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
    disjoint = xp.all((U == 0) | (one_hot(xp, xp.argmax(U, axis=1), U, 1) & (U > 0)))
    return U if bool(disjoint) and float(xp.max(xp.abs(gram))) <= tight else result
