"""The truncated Cauchy loss of single entries, its scale and its threshold."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from array_api_compat import array_namespace

from ...numerics.arrays import row_blocks, to_numpy
from ...numerics.block_pivoting import nonnegative_rows
from .loop import Factors

__all__ = ["CauchyCoefficients", "TruncatedCauchyFit"]
__all__ += ["nagy_scale", "sample_residual", "three_sigma_threshold"]

_REWEIGHTINGS, _DAMPING = 10, 0.1
_SAMPLE = 2**20  # residual entries from which scale and threshold are estimated


@dataclass(frozen=True)
class TruncatedCauchyFit:
    r"""The term :math:`\sum_{ij} \log(1 + \min(e_{ij}^2, \theta^2)/\gamma^2)`.

    e is the residual ``X - VU'``. The logarithm is concave in e², so least squares with the weights
    :math:`q = 1/(1 + e^2/\gamma^2)`, 0 beyond θ, majorise it, and the weighted rules of Lee and
    Seung lower it. No array of the data's size is kept: everything is computed block by block.

    Parameters
    ----------
    X : array of shape (n_samples, n_features)
        The data.
    scale, threshold : float
        γ and θ; an infinite θ truncates nothing.
    """

    X: Any
    scale: float
    threshold: float

    def matrices(self, factors: Factors) -> tuple[Any, Any]:
        """Return V and U."""
        return factors["V"], factors["U"]

    def value(self, factors: Factors) -> float:
        """Return the term's value."""
        V, U = self.matrices(factors)
        xp = array_namespace(V)

        def loss(x: Any, v: Any) -> float:
            e = xp.clip(xp.abs(x - v @ U.T), max=self.threshold) / self.scale
            return float(xp.sum(xp.log1p(e * e)))

        return sum(self._each_block(V, loss))

    def split(self, name: str, factors: Factors) -> tuple[Any, Any] | None:
        """Return ``N = (Q∘X) U``, ``P = (Q∘VU') U``, or their like for U, over γ²."""
        V, U = self.matrices(factors)
        xp, unit = array_namespace(V), self.scale**-2

        def parts(x: Any, v: Any) -> tuple[Any, Any]:
            made = v @ U.T
            q = cauchy_weights(x - made, self.scale, self.threshold)
            if name == "V":
                return (q * x) @ U, (q * made) @ U
            return (q * x).T @ v, (q * made).T @ v

        N, P = zip(*self._each_block(V, parts), strict=True)
        if name == "V":
            return unit * xp.concat(N), unit * xp.concat(P)
        return unit * sum(N), unit * sum(P)

    def _each_block(self, V: Any, function: Callable[[Any, Any], Any]) -> list[Any]:
        return [function(self.X[block, :], V[block, :]) for block in row_blocks(self.X)]


@dataclass(frozen=True)
class CauchyCoefficients:
    """Coefficients of new samples under the truncated Cauchy loss, by repeated reweighting.

    The loss is not convex; the reweighting starts at least squares.

    Parameters
    ----------
    scale, threshold : float
        γ and θ of the loss.
    U : array of shape (n_features, n_components)
        The basis.
    """

    scale: float
    threshold: float
    U: Any

    def coefficients(self, X: Any, indices: np.ndarray, weights: np.ndarray) -> Any:
        """Return those of X; the method has no graph, so links are not used."""
        return array_namespace(X).concat([self._block(X[block, :]) for block in row_blocks(X)])

    def _block(self, X: Any) -> Any:
        xp = array_namespace(X)
        ones, U, r = xp.ones_like(X[:, 0]), self.U, self.U.shape[1]
        pairs = xp.reshape(U[:, :, None] * U[:, None, :], (U.shape[0], r * r))
        V = nonnegative_rows(U.T @ U, ones, X @ U, 0 * ones)
        # First without truncation, which would leave too few entries of a sample that is still far
        # off; then with it, in steps held back a little so that the entries left cannot run away.
        damping = _DAMPING * float(xp.max(xp.sum(U * U, axis=0)))
        for threshold, damped in ((math.inf, 0.0), (self.threshold, damping)):
            for _ in range(_REWEIGHTINGS):
                q = cauchy_weights(X - V @ U.T, self.scale, threshold)
                gram = xp.reshape(q @ pairs, (X.shape[0], r, r))
                V = nonnegative_rows(gram, ones, (q * X) @ U + damped * V, damped * ones)
        return V


def cauchy_weights(e: Any, scale: float, threshold: float) -> Any:
    """Return the weights q of residual entries."""
    xp = array_namespace(e)
    return xp.where(xp.abs(e) <= threshold, 1 / (1 + (e / scale) ** 2), 0.0)


def sample_residual(X: Any, V: Any, U: Any) -> np.ndarray:
    """Return the sizes of the residual's entries, of evenly spread samples if there are many.

    Entries that are fitted exactly, such as pixels that are black in every picture, say nothing of
    the errors and are left out.
    """
    step = -(-X.shape[0] * X.shape[1] // _SAMPLE)
    e = np.abs(to_numpy(X[::step, :] - V[::step, :] @ U.T)).ravel().astype(float)
    return e[e > 1e-12 * e.max()]


def nagy_scale(e: np.ndarray) -> float:
    """Return the γ that minimises ``Σ log(1 + e²/γ²) + N log γ``, by Nagy's fixed point.

    Examples
    --------
    >>> e = np.tan(np.pi * (np.arange(0.5, 500) / 500 - 0.5))  # quantiles of the Cauchy law
    >>> round(nagy_scale(3 * e), 2)
    3.0
    """
    squares = e**2
    if not len(e):
        return 1.0  # nothing left to explain: any scale will do
    x = float(np.median(squares))
    for _ in range(100):
        factor = len(e) / (1 / (1 + squares / x)).sum() - 1
        x *= factor
        if abs(factor - 1) < 1e-10:
            break
    return float(np.sqrt(x))


def three_sigma_threshold(e: np.ndarray) -> float:
    """Return mean plus three standard deviations of the entries that are at most the median.

    But at least the root mean square of all: where most of the data are zeros that any fit meets,
    the smaller half knows nothing of the errors of the others.
    """
    if not len(e):
        return np.inf
    inliers = e[e <= np.median(e)]
    return max(float(inliers.mean() + 3 * inliers.std()), float(np.sqrt((e**2).mean())))
