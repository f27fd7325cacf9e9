"""Memberships of new samples, each on its own, given a fitted factorisation."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from array_api_compat import array_namespace

from ..admm.loss import GroupLoss
from ..admm.problem import Problem
from ..admm.result import Factorization
from ..graph._linear_view import LinearRule
from ..numerics.arrays import from_numpy, linked_sums
from ..numerics.block_pivoting import nonnegative_rows
from ..numerics.signs import split_like

__all__ = ["LinkedCoefficients", "NewSampleModel"]

_REWEIGHTINGS = 10


@dataclass(frozen=True)
class NewSampleModel:
    r"""What is left of the objective for one new sample x when the factors stay fixed.

    .. math:: \min_{a \ge 0} \tfrac12 \sum_f \omega_f (x_f - (aZU')_f)^2
              + \lambda \sum_j w_j \|a - A_j\|^2 + \nu \|a - p(x)\|^2

    over its k nearest training samples j, p being what a linear view says of it, if there is one.
    ω is the quadratic that touches the robust loss at the fit, at most β: one weight per feature,
    or, for groups of samples, one for x itself, found by repeated reweighting.

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
    prior : array of shape (n_clusters,)
        Factors of the class prior: they multiply memberships at the end, as they do in the fit.
    rule : LinearRule or None
        How the linear view tells classes.
    view_weight : float
        ν.
    """

    U: Any
    A: Any
    Z: Any
    loss: GroupLoss
    group_weights: Any
    graph_weight: float
    beta: float
    prior: Any
    rule: LinearRule | None = None
    view_weight: float = 0.0

    @classmethod
    def after(
        cls,
        result: Factorization,
        problem: Problem,
        prior: Any,
        rule: LinearRule | None = None,
    ) -> "NewSampleModel":
        """Keep of a fit what new samples need, in the scale of the fit.

        Distances between memberships mean there what they meant in the fit, so the factors of the
        class prior come last.
        """
        residual = result.residual
        return cls(
            result.U,
            result.A,
            result.Z,
            problem.loss,
            residual.group_weights(),
            problem.terms.graph_weight,
            residual.beta,
            prior,
            rule,
            problem.terms.view_weight,
        )

    def memberships(self, X: Any, indices: np.ndarray, weights: np.ndarray) -> Any:
        """Return an (n_new, n_clusters) array; `indices`, `weights` link to training samples.

        Both have shape (n_new, k); k may be 0, then the data alone decide.
        """
        seen = None if self.rule is None else from_numpy(self.rule.probabilities(X), X)
        xp, X = array_namespace(X), split_like(X, self.U.shape[0])
        pull, shift = _pull(self.A, X, indices, 2 * self.graph_weight * weights)
        if seen is not None:
            pull, shift = pull + 2 * self.view_weight * seen, shift + 2 * self.view_weight
        if self.loss.groups == "features":
            basis = self.group_weights[:, None] * self.U
            gram, moment = self.Z @ (self.U.T @ basis) @ self.Z.T, X @ basis @ self.Z.T
            A = nonnegative_rows(gram, xp.ones_like(shift), moment + pull, shift)
            return A * self.prior
        gram, moment = self.Z @ (self.U.T @ self.U) @ self.Z.T, X @ self.U @ self.Z.T
        omega = xp.full_like(shift, self.beta)
        square = xp.sum(X * X, axis=1)
        for _ in range(_REWEIGHTINGS):
            A = nonnegative_rows(gram, omega, omega[:, None] * moment + pull, shift)
            residual = square - 2 * xp.sum(A * moment, axis=1) + xp.sum((A @ gram) * A, axis=1)
            norms = xp.sqrt(xp.clip(residual, min=0.0))
            omega = xp.clip(self.loss.weight(norms), max=self.beta)
        return A * self.prior


@dataclass(frozen=True)
class LinkedCoefficients:
    r"""Coefficients of new samples for a fixed dictionary, drawn to those of their neighbours.

    .. math:: \min_{v \ge 0} \sum_f \omega_f (x_f - (vD)_f)^2 + \lambda \sum_j w_j \|v - V_j\|^2

    over the nearest training samples j of x: what is left, for one sample without a label, of a
    graph-regularised factorisation.

    Parameters
    ----------
    dictionary : array of shape (n_columns, n_features)
        D.
    training : array of shape (n_samples, n_columns)
        V of the training samples.
    graph_weight : float
        λ.
    feature_weights : array of shape (n_features,), optional
        ω; by default all one.
    """

    dictionary: Any
    training: Any
    graph_weight: float = 0.0
    feature_weights: Any = None

    def coefficients(self, X: Any, indices: np.ndarray, weights: np.ndarray) -> Any:
        """Return the coefficients of X, whose rows are linked to training samples as given."""
        D = self.dictionary
        X = split_like(X, D.shape[1])
        pull, shift = _pull(self.training, X, indices, self.graph_weight * weights)
        weighted = D if self.feature_weights is None else D * self.feature_weights[None, :]
        ones = array_namespace(X).ones_like(shift)
        return nonnegative_rows(weighted @ D.T, ones, X @ weighted.T + pull, shift)


def _pull(A: Any, X: Any, indices: np.ndarray, weights: np.ndarray) -> tuple[Any, Any]:
    """Return ``Σ_j w_j A_j`` and ``Σ_j w_j`` over the links of each row of X."""
    links = from_numpy(weights, X)
    return linked_sums(A, indices, links), array_namespace(X).sum(links, axis=1)
