"""The robust loss over groups of a residual, and the norms of these groups."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from array_api_compat import array_namespace

from ..numerics.arrays import row_blocks
from ..penalties import Penalty
from ..storage._rows import StoredRows, float_blocks

__all__ = ["GroupLoss", "gathered", "group_norms"]


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
    axis = 0 if groups == "features" else 1
    if isinstance(X, StoredRows):
        gather = X.total if axis == 0 else X.concat
        return np.sqrt(gather(_difference_squares, P, shared=(U, axis)))
    xp = array_namespace(X)
    squares = []
    for block in row_blocks(X):
        difference = X[block, :] - P[block, :] @ U.T
        squares.append(xp.sum(difference * difference, axis=axis, dtype=xp.float64))
    return xp.sqrt(gathered(squares, axis))


def _difference_squares(block: np.ndarray, P: np.ndarray, U: np.ndarray, axis: int) -> np.ndarray:
    squares = []
    for rows, part in float_blocks(block, U.dtype):
        difference = part - P[rows] @ U.T
        squares.append(np.sum(difference * difference, axis=axis, dtype=np.float64))
    return gathered(squares, axis)


def gathered(sums: list[Any], axis: int) -> Any:
    """Join sums over blocks of rows: add those of columns, string together those of rows."""
    return sum(sums[1:], sums[0]) if axis == 0 else array_namespace(sums[0]).concat(sums)
