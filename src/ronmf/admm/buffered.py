"""The residual of data in memory: one buffer of their size."""

from collections.abc import Iterator
from typing import Any

from array_api_compat import array_namespace, device

from ..numerics.arrays import each_block, few_blocks, row_blocks
from .loss import GroupLoss, gathered
from .residual import Residual

__all__ = ["BufferedResidual"]

_FEW_PARTS = 32  # up to which products for the next step are taken on the way


class BufferedResidual(Residual):
    """``V`` as a buffer of the size of ``X``, which is written anew in every sweep.

    Parameters
    ----------
    X, loss, beta
        See :class:`~ronmf.admm.residual.Residual`.

    Examples
    --------
    >>> import numpy as np
    >>> from ronmf.penalties import L21
    >>> X = np.array([[1.0, 0.0], [0.0, 2.0]])
    >>> residual = BufferedResidual(X, GroupLoss(L21()), beta=1.0)
    >>> U, P = np.eye(2)[:, :1], np.array([[1.0], [0.0]])
    >>> residual.advance(U, P).loss  # X - P U' has one column of norm 2
    2.0
    >>> residual.error()
    array([[0., 0.],
           [0., 1.]])
    """

    def __init__(self, X: Any, loss: GroupLoss, beta: float) -> None:
        super().__init__(X, loss, beta)
        self.V = array_namespace(X).zeros_like(X)
        self._moments: tuple[Any, Any, Any] | None = None  # P, X'P and V'P

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
            return gathered([target.T @ P[block, :] for block, target in self._target(rows)], 0)

        return gathered(each_block(product, few_blocks(self.X), self.X), 0)

    def _target(self, rows: slice) -> Iterator[tuple[slice, Any]]:
        """Yield blocks of the target, of some rows."""
        w = self.dual - self.shrink
        for block in row_blocks(self.X, within=rows):
            weight = w[None, :] if self.loss.axis == 0 else w[block][:, None]
            target = weight * self.V[block, :]
            target += self.X[block, :]
            yield block, target

    def _replace(self, U: Any, P: Any) -> tuple[Any, Any, Any]:
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
            return *(gathered(each, axis) for each in sums), *moments

        blocks = each_block(replace, few_blocks(self.X), self.X)
        parts = [list(each) for each in zip(*blocks, strict=True)]
        self._moments = (P, gathered(parts[3], 0), gathered(parts[4], 0)) if ahead else None
        step_square, step_old, square = (gathered(each, axis) for each in parts[:3])
        return step_square, step_old, square

    def resume(self, X: Any, beta: float) -> Residual:
        """Go on with equal data, which may lie in another array now, and with this β."""
        self._moments = None
        return super().resume(X, beta)

    def error(self) -> Any:
        """Return E as an array, for inspection."""
        return self.loss.spread(self.shrink) * self.V

    def multiplier(self) -> Any:
        """Return Λ as an array, for inspection."""
        return -self.beta * self.loss.spread(self.dual) * self.V


def _group_sums(xp: Any, block: Any, axis: int) -> Any:
    """Return the sums of a block's columns, or of its rows, in float64."""
    if axis == 1:
        return xp.sum(block, axis=1, dtype=xp.float64)
    # A product is faster than a sum, and as exact for the rows of one block.
    ones = xp.ones((block.shape[0],), dtype=block.dtype, device=device(block))
    return xp.astype(ones @ block, xp.float64)
