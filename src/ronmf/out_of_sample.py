"""Memberships of new samples, each on its own, given a fitted factorisation."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from array_api_compat import array_namespace, device

from .arrays import from_numpy
from .residual import GroupLoss

__all__ = ["NewSampleModel"]

_MAX_SWEEPS, _REWEIGHTINGS = 1000, 10


@dataclass(frozen=True)
class NewSampleModel:
    r"""What is left of the objective for one new sample x when the factors stay fixed.

    .. math:: \min_{a \ge 0} \tfrac12 \sum_f \omega_f (x_f - (aZU')_f)^2
              + \lambda \sum_j w_j \|a - A_j\|^2

    over its k nearest training samples j. ω is the quadratic that touches the robust loss at the
    fit, at most β: one weight a feature, or, for groups of samples, one for x itself, found by
    repeated reweighting.

    Parameters
    ----------
    U, A, Z : arrays
        The fitted factors.
    loss : GroupLoss
        The robust loss.
    group_weights : array
        ω of the groups of the training data.
    graph_weight, beta : float
        λ and β.
    """

    U: Any
    A: Any
    Z: Any
    loss: GroupLoss
    group_weights: Any
    graph_weight: float
    beta: float

    def memberships(self, X: Any, indices: np.ndarray, weights: np.ndarray) -> Any:
        """Return an (n_queries, n_clusters) array; `indices`, `weights` link to training samples.

        Both have shape (n_queries, k); k may be 0, then the data alone decide.
        """
        xp = array_namespace(X)
        links = from_numpy(weights, X)
        pull = xp.zeros((X.shape[0], self.A.shape[1]), dtype=X.dtype, device=device(X))
        for j in range(indices.shape[1]):
            neighbours = xp.take(self.A, from_numpy(indices[:, j], X, dtype=xp.int64), axis=0)
            pull = pull + 2 * self.graph_weight * links[:, j][:, None] * neighbours
        shift = 2 * self.graph_weight * xp.sum(links, axis=1)
        if self.loss.groups == "features":
            basis = self.group_weights[:, None] * self.U
            gram, moment = self.Z @ (self.U.T @ basis) @ self.Z.T, X @ basis @ self.Z.T
            return _coordinate_descent(gram, xp.ones_like(shift), moment + pull, shift)
        gram, moment = self.Z @ (self.U.T @ self.U) @ self.Z.T, X @ self.U @ self.Z.T
        omega = xp.full_like(shift, self.beta)
        square = xp.sum(X * X, axis=1)
        for _ in range(_REWEIGHTINGS):
            A = _coordinate_descent(gram, omega, omega[:, None] * moment + pull, shift)
            residual = square - 2 * xp.sum(A * moment, axis=1) + xp.sum((A @ gram) * A, axis=1)
            norms = xp.sqrt(xp.clip(residual, min=0.0))
            omega = xp.clip(self.loss.weight(norms), max=self.beta)
        return A


def _coordinate_descent(gram: Any, omega: Any, rhs: Any, shift: Any) -> Any:
    """Minimise ``a(omega G + shift I)a'/2 - rhs a'`` over ``a >= 0`` for each row a.

    A row stops when it has settled by itself, so its result does not depend on the others.
    """
    xp = array_namespace(rhs)
    tol = 1e2 * float(xp.finfo(rhs.dtype).eps)
    A = xp.zeros_like(rhs)
    active = xp.ones_like(shift, dtype=xp.bool)
    for _ in range(_MAX_SWEEPS):
        before = A + 0.0
        for j in range(rhs.shape[1]):
            slope = rhs[:, j] - shift * A[:, j] - omega * (A @ gram[:, j])
            curvature = omega * gram[j, j] + shift
            step = xp.where(curvature > 0, slope / xp.where(curvature > 0, curvature, 1.0), 0.0)
            A[:, j] = xp.where(active, xp.clip(A[:, j] + step, min=0.0), A[:, j])
        active = active & (xp.max(xp.abs(A - before), axis=1) > tol * xp.max(A, axis=1))
        if not bool(xp.any(active)):
            break
    return A
