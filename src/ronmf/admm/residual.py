"""The only code that touches the n x d data inside the loop.

With ``V = X - A Z U' - Λ/β`` the error and the multiplier are multiples of ``V`` on every group:
``E = s ∘ V`` and ``Λ = -β d ∘ V`` with one number ``s`` and one ``d`` per group. So one buffer of
the size of ``X`` is enough, and everything that the loop must know of the data comes from three
operations: two products with the target ``T = X - E - Λ/β = X + (d - s) ∘ V``, and
:meth:`Residual.advance`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from array_api_compat import array_namespace, device

from ..numerics.arrays import each_block, few_blocks, row_blocks
from ..penalties import Penalty

__all__ = ["GroupLoss", "Residual", "SweepStatistics", "group_norms"]

_FEW_PARTS = 32  # up to which products for the next step are taken on the way


@dataclass(frozen=True)
class GroupLoss:
    """The robust loss ``sum_g phi(|R_g| / scale)`` over the columns or rows of a residual.

    Parameters
    ----------
    penalty : Penalty
        The function phi.
    groups : {"features", "samples"}
        A group is a column (a pixel over all samples, as the paper prints it) or a row (a sample,
        as in Kong's l2,1 loss).
    scale : float
        Group norms are measured in this unit, so that phi's parameters need not know the data's.
    """

    penalty: Penalty
    groups: str = "features"
    scale: float = 1.0

    @property
    def axis(self) -> int:
        """The axis summed over to get a group's norm."""
        return 0 if self.groups == "features" else 1

    def value(self, norms: Any) -> float:
        """Return the loss of a residual with these group norms."""
        xp = array_namespace(norms)
        return float(xp.sum(self.penalty.value(norms / self.scale)))

    def prox(self, norms: Any, step: float) -> Any:
        """Minimise ``(x - v)^2 / 2 + step * phi(x / scale)`` for every norm v."""
        return self.scale * self.penalty.prox(norms / self.scale, step / self.scale**2)

    def weight(self, norms: Any) -> Any:
        """Return the weight of each group in the quadratic that touches the loss at these norms."""
        return self.penalty.weight(norms / self.scale) / self.scale**2

    def spread(self, w: Any) -> Any:
        """Shape one number per group so that it multiplies an n x d array."""
        return w[None, :] if self.axis == 0 else w[:, None]


def group_norms(X: Any, U: Any, P: Any, groups: str) -> Any:
    """Return the norm of each group of ``X - P U'`` in float64, without storing the difference."""
    xp = array_namespace(X)
    axis = 0 if groups == "features" else 1
    squares = []
    for block in row_blocks(X):
        difference = X[block, :] - P[block, :] @ U.T
        squares.append(xp.sum(difference * difference, axis=axis, dtype=xp.float64))
    return xp.sqrt(_gather(squares, axis))


def _group_sums(xp: Any, block: Any, axis: int) -> Any:
    """Return the sums of a block's columns, or of its rows, in float64."""
    if axis == 1:
        return xp.sum(block, axis=1, dtype=xp.float64)
    # A product is faster than a sum, and as exact for the rows of one block.
    ones = xp.ones((block.shape[0],), dtype=block.dtype, device=device(block))
    return xp.astype(ones @ block, xp.float64)


def _gather(sums: list[Any], axis: int) -> Any:
    """Join sums over blocks of rows: add those of columns, string together those of rows."""
    return sum(sums[1:], sums[0]) if axis == 0 else array_namespace(sums[0]).concat(sums)


@dataclass(frozen=True)
class SweepStatistics:
    """What one pass over the data tells about the iterate (all sums over all groups).

    ``loss`` is the loss of the residual ``X - A Z U'``, ``loss_error`` that of ``E``; ``primal`` is
    ``|X - A Z U' - E|``, ``dual`` is ``|E - E_previous|``, ``multiplier`` is ``|Λ|/β``, and
    ``coupling`` is ``<Λ, X - A Z U' - E>``.
    """

    loss: float
    loss_error: float
    primal: float
    dual: float
    multiplier: float
    coupling: float


class Residual:
    """The buffer ``V`` with the two numbers per group that make ``E`` and ``Λ`` of it.

    It starts at ``E = Λ = 0``, so the first target is ``X`` itself.

    Parameters
    ----------
    X : array of shape (n_samples, n_features)
        The data; never written to.
    loss : GroupLoss
        The robust loss.
    beta : float
        The penalty parameter β of the augmented Lagrangian.

    Examples
    --------
    >>> import numpy as np
    >>> from ronmf.penalties import L21
    >>> X = np.array([[1.0, 0.0], [0.0, 2.0]])
    >>> residual = Residual(X, GroupLoss(L21()), beta=1.0)
    >>> U, P = np.eye(2)[:, :1], np.array([[1.0], [0.0]])
    >>> residual.advance(U, P).loss  # X - P U' has one column of norm 2
    2.0
    >>> residual.error()
    array([[0., 0.],
           [0., 1.]])
    """

    def __init__(self, X: Any, loss: GroupLoss, beta: float) -> None:
        xp = array_namespace(X)
        self.X, self.loss, self.beta = X, loss, beta
        self.V = xp.zeros_like(X)
        n_groups = X.shape[1 - loss.axis]
        self.shrink = xp.zeros(n_groups, dtype=X.dtype, device=device(X))  # s: E = s ∘ V
        self.dual = xp.zeros(n_groups, dtype=X.dtype, device=device(X))  # d: Λ = -β d ∘ V
        self._square = xp.zeros(n_groups, dtype=xp.float64, device=device(X))  # |V_g|^2
        self._moments: tuple[Any, Any, Any] | None = None  # P, X'P and V'P
        self.is_new = True  # there was no `advance` yet

    def target_times(self, U: Any) -> Any:
        """Return ``T @ U`` for the target ``T = X - E - Λ/β`` (n x r)."""
        xp = array_namespace(self.X)

        def product(rows: slice) -> Any:
            return xp.concat([target @ U for _, target in self._target(rows)])

        return xp.concat(each_block(product, few_blocks(self.X), self.X))

    def target_transposed_times(self, P: Any) -> Any:
        """Return ``T.T @ P`` for the target ``T = X - E - Λ/β`` (d x r)."""
        if self._moments is not None and self._moments[0] is P:
            _, of_data, of_buffer = self._moments
            return of_data + (self.dual - self.shrink)[:, None] * of_buffer

        def product(rows: slice) -> Any:
            found = [target.T @ P[block, :] for block, target in self._target(rows)]
            return sum(found[1:], found[0])

        found = each_block(product, few_blocks(self.X), self.X)
        return sum(found[1:], found[0])

    def _target(self, rows: slice) -> Iterator[tuple[slice, Any]]:
        """Yield blocks of the target, of some rows."""
        w = self.dual - self.shrink
        for block in row_blocks(self.X, within=rows):
            weight = w[None, :] if self.loss.axis == 0 else w[block][:, None]
            target = weight * self.V[block, :]
            target += self.X[block, :]
            yield block, target

    def advance(self, U: Any, P: Any) -> SweepStatistics:
        """Take the E-step and the Λ-step for the model ``P U'`` and report on the new iterate.

        ``V <- X - P U' + d ∘ V``, then ``s = prox(|V_g|) / |V_g|`` and ``d = 1 - s``. Norms of
        differences are summed as differences: near convergence nothing cancels.
        """
        xp = array_namespace(self.X)
        self.is_new = False
        old_square, old_shrink, old_dual = self._square, self.shrink, self.dual
        step_square, step_old, self._square = self._replace_buffer(U, P)

        norms = xp.astype(xp.sqrt(self._square), self.X.dtype)
        error_norms = self.loss.prox(norms, 1 / self.beta)
        # A group without any residual has no direction: its error is zero.
        positive = norms > 0
        self.shrink = xp.where(positive, error_norms / xp.where(positive, norms, 1.0), 0.0)
        self.dual = 1 - self.shrink

        def combined_norm_square(a: Any, b: Any) -> Any:
            """Return |a D + b V_old|^2 of each group, for D = V - V_old."""
            return a * a * step_square + 2 * a * b * step_old + b * b * old_square

        s, s_old, d_old = (xp.astype(w, xp.float64) for w in (self.shrink, old_shrink, old_dual))
        a, b = 1 - s, 1 - s - d_old  # X - P U' - E = a D + b V_old
        fit = xp.sqrt(xp.clip(combined_norm_square(1 - 0 * s, 1 - d_old), min=0.0))
        coupling = -self.beta * a * (a * step_square + (a + b) * step_old + b * old_square)
        return SweepStatistics(
            loss=self.loss.value(fit),
            loss_error=self.loss.value(error_norms),
            primal=float(xp.sum(xp.clip(combined_norm_square(a, b), min=0.0))) ** 0.5,
            dual=float(xp.sum(xp.clip(combined_norm_square(s, s - s_old), min=0.0))) ** 0.5,
            multiplier=float(xp.sum((1 - s) ** 2 * self._square)) ** 0.5,
            coupling=float(xp.sum(coupling)),
        )

    def _replace_buffer(self, U: Any, P: Any) -> tuple[Any, Any, Any]:
        """Write the new V; return |D_g|^2, <D_g, V_old> and |V_g|^2, D being its change.

        On the way, products of X and the new V with P are taken for the next U-step, where weights
        of features can be applied to them later. Of many parts, these two products take longer than
        another pass over the data with one.
        """
        xp, axis = array_namespace(self.X), self.loss.axis
        minus_U, less = -U.T, self.dual - 1
        ahead = axis == 0 and U.shape[1] <= _FEW_PARTS

        def replace(rows: slice) -> tuple[Any, ...]:
            moments = [xp.zeros_like(U), xp.zeros_like(U)] if ahead else []
            sums: tuple[list[Any], list[Any], list[Any]] = ([], [], [])
            for block in row_blocks(self.X, within=rows):
                weight = less[None, :] if axis == 0 else less[block][:, None]
                X, V, own = self.X[block, :], self.V[block, :], P[block, :]
                change = own @ minus_U
                change += X
                change += weight * V
                sums[1].append(_group_sums(xp, change * V, axis))
                V += change  # a view of the buffer
                change *= change
                sums[0].append(_group_sums(xp, change, axis))
                sums[2].append(_group_sums(xp, V * V, axis))
                for moment, values in zip(moments, (X, V), strict=False):
                    moment += values.T @ own
            return *(_gather(each, axis) for each in sums), *moments

        found = list(zip(*each_block(replace, few_blocks(self.X), self.X), strict=True))
        self._moments = None
        if ahead:
            self._moments = P, sum(found[3][1:], found[3][0]), sum(found[4][1:], found[4][0])
        step_square, step_old, square = (_gather(list(each), axis) for each in found[:3])
        return step_square, step_old, square

    def resume(self, X: Any, beta: float) -> "Residual":
        """Go on with equal data, which may lie in another array now, and with this β."""
        self.X = X
        self._moments = None
        self.change_beta(beta)
        return self

    def change_beta(self, beta: float) -> None:
        """Change β and keep the multiplier Λ as it is."""
        self.dual = self.dual * (self.beta / beta)
        self.beta = beta

    def group_weights(self) -> Any:
        """Return each group's weight at E in the quadratic that touches the loss, at most β.

        It is ``phi'(t) / t``: small for a group that is given up as an outlier. The cap is what
        ADMM itself puts on a group without error.
        """
        xp = array_namespace(self.X)
        norms = self.shrink * xp.astype(xp.sqrt(self._square), self.X.dtype)
        return xp.clip(self.loss.weight(norms), max=self.beta)

    def relative_group_weights(self) -> Any:
        """Return the weights over the median of groups neither set aside nor fitted exactly.

        They are at most 1; 0 is an outlier.
        """
        xp, weights = array_namespace(self.X), self.group_weights()
        typical = xp.sort(weights[(weights > 0) & (weights < self.beta)])
        if typical.shape[0] == 0:
            return weights / self.beta
        return xp.clip(weights / typical[typical.shape[0] // 2], max=1.0)

    def error(self) -> Any:
        """Return E as an array, for inspection."""
        return self.loss.spread(self.shrink) * self.V

    def multiplier(self) -> Any:
        """Return Λ as an array, for inspection."""
        return -self.beta * self.loss.spread(self.dual) * self.V
