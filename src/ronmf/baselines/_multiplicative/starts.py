"""Random starts of multiplicative methods, and the lengths that they are scaled by."""

from typing import Any

import numpy as np
from array_api_compat import array_namespace

from ...numerics.arrays import from_numpy
from .loop import Factors

__all__ = ["basis_start", "column_lengths", "plain_start", "uniform"]


def uniform(rng: np.random.RandomState, shape: tuple[int, int], like: Any) -> Any:
    """Return uniform random numbers in (0, 1] in the library of `like`."""
    return from_numpy(1.0 - rng.uniform(size=shape), like)


def column_lengths(U: Any) -> Any:
    """Return what the columns of U are divided by to have unit length; 1 for a zero column."""
    xp = array_namespace(U)
    lengths = xp.sqrt(xp.sum(U * U, axis=0))
    return xp.where(lengths > 0, lengths, 1.0)


def basis_start(X: Any, rank: int, rng: np.random.RandomState) -> Any:
    """Return a uniform random U with columns of unit length."""
    U = uniform(rng, (X.shape[1], rank), X)
    return U / column_lengths(U)


def plain_start(X: Any, rank: int, rng: np.random.RandomState) -> Factors:
    """Return uniform V and U, with unit columns of U and the brightness of the data."""
    xp = array_namespace(X)
    V, U = uniform(rng, (X.shape[0], rank), X), basis_start(X, rank, rng)
    made = float(xp.sum(xp.sum(V, axis=0) * xp.sum(U, axis=0)))
    return {"V": V * (float(xp.sum(X)) / made or 1.0), "U": U}
