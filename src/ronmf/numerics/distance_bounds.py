"""Lower bounds of the distances between queries and samples, by one matrix product."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from array_api_compat import array_namespace, device

from .arrays import on_cpu, row_blocks
from .principal import spread_sample

__all__ = ["FEW_QUERIES", "DistanceBounds", "rounding_factor"]

FEW_QUERIES = 50  # queries up to which the samples are used as they are: nothing is worth preparing
# Samples and queries, and features, from which principal axes pay
_POINTS_FOR_AXES, _FEATURES_FOR_AXES = 2000, 128
_VARIANCE_OF_AXES = 0.965  # share of it: the other axes tell little about who is near


def rounding_factor(X: Any) -> float:
    """Return the factor by which rounding may have enlarged a squared distance, at most."""
    # Errors grow like sqrt(d) (Higham and Mary, 2019); 8 and 4 are generous.
    return 1.0 - (8.0 + 4.0 * X.shape[1] ** 0.5) * float(array_namespace(X).finfo(X.dtype).eps)


@dataclass(frozen=True, eq=False)
class DistanceBounds:
    """A factor of the samples whose product with that of queries bounds squared distances below.

    ``|x|^2 + |y|^2 - 2 x'y``, less its rounding error. Of many wide samples the product is taken
    along some orthonormal axes only: with ρ the length of what these leave of a sample,
    ``x'y <= a'b + ρ_x ρ_y`` for the coordinates a and b.

    Attributes
    ----------
    right : array of shape (n_samples, width)
        The samples' factor.
    squares : array of shape (n_samples,) or None
        Their squared lengths, less rounding, where the factor does not hold them.
    centre, axes : arrays or None
        The origin, and the axes.
    """

    right: Any
    squares: Any = None
    centre: Any = None
    axes: Any = None

    @classmethod
    def of(cls, X: Any, n_queries: int, squares: Any = None) -> "DistanceBounds":
        """Prepare samples for so many queries; `squares` are their squared lengths, if known."""
        xp = array_namespace(X)
        if n_queries <= FEW_QUERIES:
            squares = xp.sum(X * X, axis=1) if squares is None else squares
            return cls(X, rounding_factor(X) * squares)
        # Any centre gives the same distances; this one keeps the lengths, hence the errors, small.
        centre = xp.mean(X, axis=0)
        axes = _axes(xp, X, centre) if _axes_pay(X, n_queries) else None
        width = 1 + (X.shape[1] if axes is None else axes.shape[1] + 1)
        right = xp.empty((X.shape[0], width), dtype=X.dtype, device=device(X))
        for block in row_blocks(X):  # along axes, no copy of all the samples is needed
            coordinates, lengths = _coordinates(xp, X[block, :] - centre, axes)
            right[block, :-1] = coordinates
            right[block, -1] = rounding_factor(X) * lengths
        return cls(right, None, centre, axes)

    @property
    def are_loose(self) -> bool:
        """Whether more than rounding keeps them below the distances."""
        return self.axes is not None

    def keys(self, points: Any, out: Any = None) -> tuple[Any, Any]:
        """Return keys (n_points x n_samples) and offsets (n_points), which add up to the bounds.

        NumPy's keys of many points are written into `out`, if it is given.
        """
        xp, factor = array_namespace(points), rounding_factor(points)
        if self.centre is None:
            keys = (-2.0 * points) @ self.right.T
            keys += self.squares
            return keys, factor * xp.sum(points * points, axis=1)
        coordinates, lengths = _coordinates(xp, points - self.centre, self.axes)
        left = xp.concat([-2.0 * coordinates, xp.ones_like(lengths)[:, None]], axis=1)
        keys = left @ self.right.T if out is None else np.matmul(left, self.right.T, out=out)
        return keys, factor * lengths


def _axes_pay(X: Any, n_queries: int) -> bool:
    n, d = X.shape
    enough = n >= max(_POINTS_FOR_AXES, 4 * d) and n_queries >= _POINTS_FOR_AXES
    return on_cpu(X) and d >= _FEATURES_FOR_AXES and enough


def _axes(xp: Any, X: Any, centre: Any) -> Any:
    """Return the principal axes that hold most of the variance; None if these are too many."""
    d, (some, _) = X.shape[1], spread_sample(X, centre)
    values, vectors = xp.linalg.eigh(xp.astype(some.T @ some, xp.float64))
    if not float(xp.sum(values)) > 0:
        return None
    share = xp.cumulative_sum(values) / xp.sum(values)  # from the smallest
    count = int(xp.sum(xp.astype(share > 1 - _VARIANCE_OF_AXES, xp.int64)))
    return xp.astype(vectors[:, d - count :], X.dtype) if 2 * count <= d else None


def _coordinates(xp: Any, centred: Any, axes: Any) -> tuple[Any, Any]:
    """Return factors of points, and their squared lengths."""
    squares = xp.sum(centred * centred, axis=1)
    if axes is None:
        return centred, squares
    along = centred @ axes
    rest = xp.clip(squares - xp.sum(along * along, axis=1), min=0.0)
    # Never shorter than it is: the bound would be too high.
    rest = xp.sqrt(rest + (1 - rounding_factor(centred)) * squares)
    return xp.concat([along, rest[:, None]], axis=1), squares
