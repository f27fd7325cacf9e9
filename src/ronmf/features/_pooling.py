"""Averages over the cells of a grid, by Gaussians around their middles."""

import numpy as np

__all__ = ["check_side", "pooling", "pooling_points"]

_LONGEST = 4096  # pixels of a side: matrices of its square take 128 MiB


def check_side(side: int) -> None:
    """Refuse a side along which a filter, as a matrix, would take too much memory."""
    if side > _LONGEST:
        raise ValueError(
            f"pictures have a side of {side} pixels; scale them so that none is longer than"
            f" {_LONGEST}."
        )


def pooling_points(side: int, cell: float) -> int:
    """Return the number of cells of about this size along a side."""
    check_side(side)
    return max(1, round(side / cell))


def pooling(side: int, cell: float, smoothing: float) -> np.ndarray:
    """Weights of `side` pixels (columns) around evenly spaced points (rows); rows add up to one.

    Examples
    --------
    >>> pooling(4, 2.0, 1.0).round(2).tolist()
    [[0.41, 0.41, 0.15, 0.02], [0.02, 0.15, 0.41, 0.41]]
    """
    points = pooling_points(side, cell)
    middles = (np.arange(points) + 0.5) * side / points - 0.5
    # Relative to the nearest pixel: a narrow Gaussian must not underflow to no weight at all.
    distance = np.square((middles[:, np.newaxis] - np.arange(side)) / smoothing)
    weights = np.exp((distance.min(axis=1, keepdims=True) - distance) / 2)
    return weights / weights.sum(axis=1, keepdims=True)
