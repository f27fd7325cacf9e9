"""Data terms of the multiplicative methods: how far ``V B'`` is from X, and who counts how much.

V (samples x components) and B (features x components) are factors, or maps of them.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Any

from array_api_compat import array_namespace

from .factor_maps import Factor, FactorMap
from .loop import Factors

__all__ = ["GroupPowerFit", "LeastSquaresFit"]


class LeastSquaresFit:
    r"""The term :math:`\|X - VB'\|_F^2`.

    The rules of Lee and Seung: ``N = X B``, ``P = V B'B`` for V and ``N = X'V``, ``P = B V'V`` for
    B [1]_. The two products with X are the only work that grows with the size of the data; each is
    done once per iteration and serves the objective too.

    Parameters
    ----------
    X : array of shape (n_samples, n_features)
        The data.
    V, B : FactorMap
        Coefficients and basis; by default the factors "V" and "U".

    References
    ----------
    .. [1] D. D. Lee and H. S. Seung. Algorithms for non-negative matrix factorization. NIPS 2000.
    """

    def __init__(self, X: Any, V: FactorMap | None = None, B: FactorMap | None = None) -> None:
        self.X, self.V, self.B = X, V or Factor("V"), B or Factor("U")
        self._memory: dict[str, tuple[list[Any], Any]] = {}

    @cached_property
    def _square(self) -> float:
        return float(array_namespace(self.X).sum(self.X * self.X))

    def value(self, factors: Factors) -> float:
        """Return the term's value."""
        V, B = self._sides(factors)
        xp = array_namespace(V)
        cross = float(xp.sum(self._XB(factors) * V))
        return max(0.0, self._square - 2 * cross + float(xp.sum((V.T @ V) * (B.T @ B))))

    def split(self, name: str, factors: Factors) -> tuple[Any, Any] | None:
        """Return N and P for a factor."""
        if name in self.V.names:
            N, P = self._split_coefficients(factors)
            return self.V.pull_back(name, factors, N), self.V.pull_back(name, factors, P)
        if name in self.B.names:
            N, P = self._split_basis(factors)
            return self.B.pull_back(name, factors, N), self.B.pull_back(name, factors, P)
        return None

    def _split_coefficients(self, factors: Factors) -> tuple[Any, Any]:
        V, B = self._sides(factors)
        return self._XB(factors), V @ (B.T @ B)

    def _split_basis(self, factors: Factors) -> tuple[Any, Any]:
        V, B = self._sides(factors)
        return self._XtV(factors), B @ (V.T @ V)

    def matrices(self, factors: Factors) -> tuple[Any, Any]:
        """Return V and B."""
        return self._sides(factors)

    def _sides(self, factors: Factors) -> tuple[Any, Any]:
        """Return V and B, computed once."""
        V = self._once("V", self.V, factors, lambda: self.V.value(factors))
        return V, self._once("B", self.B, factors, lambda: self.B.value(factors))

    def _XB(self, factors: Factors) -> Any:
        return self._once("XB", self.B, factors, lambda: self.X @ self._sides(factors)[1])

    def _XtV(self, factors: Factors) -> Any:
        return self._once("XtV", self.V, factors, lambda: self.X.T @ self._sides(factors)[0])

    def _once(
        self, key: str, made_from: FactorMap, factors: Factors, compute: Callable[[], Any]
    ) -> Any:
        """Compute what depends on a map's factors once, as long as they are the same arrays."""
        used = [factors[name] for name in made_from.names]
        before, result = self._memory.get(key, ([], None))
        if not before or any(a is not b for a, b in zip(before, used, strict=True)):
            result = compute()
            self._memory[key] = used, result
        return result


class GroupPowerFit(LeastSquaresFit):
    r"""The robust term :math:`\sum_g (\|(X - VB')_g\|^2 + \epsilon^2)^{p/2}` with 0 < p <= 2.

    The power is a concave function of the squared norm, so weighted least squares with the weights
    :math:`\omega_g = \tfrac p2 (\|(X - VB')_g\|^2 + \epsilon^2)^{p/2-1}` majorise it, and the
    weighted rules of Lee and Seung lower it. ε is 3e-6 of a typical group's norm (4e-3 in float32),
    above the rounding of a squared norm: the weight of a group that is fitted exactly stays finite.

    Parameters
    ----------
    X : array of shape (n_samples, n_features)
        The data.
    p : float
        The power; 1 is the l2,1 norm.
    groups : {"samples", "features"}, default="samples"
        Whether a group is a row or a column of X.
    """

    def __init__(self, X: Any, p: float, groups: str = "samples") -> None:
        V, U = Factor("V"), Factor("U")
        if groups == "samples":
            super().__init__(X, V, U)
        else:  # columns of X are rows of X', and X' is close to UV'
            super().__init__(X.T, U, V)
        xp = array_namespace(X)
        self.p = p
        self._squares = xp.sum(self.X * self.X, axis=1)
        rounding = float(xp.finfo(X.dtype).eps)
        self._floor = rounding**0.7 * (float(xp.mean(self._squares)) or 1.0)

    def matrices(self, factors: Factors) -> tuple[Any, Any]:
        """Return V and U."""
        return factors["V"], factors["U"]

    def value(self, factors: Factors) -> float:
        """Return the term's value."""
        xp = array_namespace(self.X)
        return float(xp.sum(self._smoothed_squares(factors) ** (self.p / 2)))

    def weights(self, factors: Factors) -> Any:
        """Return ω, one number per group."""
        return self.p / 2 * self._smoothed_squares(factors) ** (self.p / 2 - 1)

    def _smoothed_squares(self, factors: Factors) -> Any:
        """Return the squared norms of the groups' residuals, plus ε²."""
        V, B = self._sides(factors)
        xp = array_namespace(V)
        change = xp.sum(V * (V @ (B.T @ B) - 2 * self._XB(factors)), axis=1)
        return xp.clip(self._squares + change, min=0.0) + self._floor

    def _split_coefficients(self, factors: Factors) -> tuple[Any, Any]:
        w = self.weights(factors)[:, None]
        N, P = super()._split_coefficients(factors)
        return w * N, w * P

    def _split_basis(self, factors: Factors) -> tuple[Any, Any]:
        V, B = self._sides(factors)
        wV = self.weights(factors)[:, None] * V
        return self.X.T @ wV, B @ (V.T @ wV)
