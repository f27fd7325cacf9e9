"""The only contact of the loop with the n x d data: three operations on the residual.

With ``V = X - A Z U' - Λ/β`` the error and the multiplier are multiples of ``V`` on every group:
``E = s ∘ V`` and ``Λ = -β d ∘ V`` with one number ``s`` and one ``d`` per group. All that the loop
must know of the data comes from two products with the target ``T = X - E - Λ/β = X + (d - s) ∘ V``,
and from :meth:`Residual.advance`. How ``V`` is kept is up to a subclass.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

from array_api_compat import array_namespace, device

from ..storage._products import template
from .loss import GroupLoss

__all__ = ["Residual", "SweepStatistics"]


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


class Residual(ABC):
    """``V``, with the two numbers per group that make ``E`` and ``Λ`` of it.

    It starts at ``E = Λ = 0``, so the first target is ``X`` itself.

    Parameters
    ----------
    X : array or StoredRows of shape (n_samples, n_features)
        The data; never written to.
    loss : GroupLoss
        The robust loss.
    beta : float
        The penalty parameter β of the augmented Lagrangian.
    """

    def __init__(self, X: Any, loss: GroupLoss, beta: float) -> None:
        like = template(X)
        xp = array_namespace(like)
        self.X, self.loss, self.beta = X, loss, beta
        n_groups = X.shape[1 - loss.axis]
        self.shrink = xp.zeros(n_groups, dtype=like.dtype, device=device(like))  # s: E = s ∘ V
        self.dual = xp.zeros(n_groups, dtype=like.dtype, device=device(like))  # d: Λ = -β d ∘ V
        self._square = xp.zeros(n_groups, dtype=xp.float64, device=device(like))  # |V_g|^2
        self.is_new = True  # there was no `advance` yet

    @abstractmethod
    def target_times(self, U: Any) -> Any:
        """Return ``T @ U`` for the target ``T = X - E - Λ/β`` (n x r)."""

    @abstractmethod
    def target_transposed_times(self, P: Any) -> Any:
        """Return ``T.T @ P`` for the target ``T = X - E - Λ/β`` (d x r)."""

    @abstractmethod
    def _replace(self, U: Any, P: Any) -> tuple[Any, Any, Any]:
        """Make the new V; return |D_g|^2, <D_g, V_old> and |V_g|^2, D being its change."""

    def advance(self, U: Any, P: Any) -> SweepStatistics:
        """Take the E-step and the Λ-step for the model ``P U'`` and report on the new iterate.

        ``V <- X - P U' + d ∘ V``, then ``s = prox(|V_g|) / |V_g|`` and ``d = 1 - s``. Norms of
        differences are summed as differences: near convergence nothing cancels.
        """
        xp, dtype = array_namespace(self.shrink), self.shrink.dtype
        self.is_new = False
        old_square, old_shrink, old_dual = self._square, self.shrink, self.dual
        step_square, step_old, self._square = self._replace(U, P)

        norms = xp.astype(xp.sqrt(self._square), dtype)
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

    def resume(self, X: Any, beta: float) -> "Residual":
        """Go on with equal data, which may lie in another array now, and with this β."""
        self.X = X
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
        xp = array_namespace(self.shrink)
        norms = self.shrink * xp.astype(xp.sqrt(self._square), self.shrink.dtype)
        return xp.clip(self.loss.weight(norms), max=self.beta)

    def relative_group_weights(self) -> Any:
        """Return the weights over the median of groups neither set aside nor fitted exactly.

        They are at most 1; 0 is an outlier.
        """
        xp, weights = array_namespace(self.shrink), self.group_weights()
        typical = xp.sort(weights[(weights > 0) & (weights < self.beta)])
        if typical.shape[0] == 0:
            return weights / self.beta
        return xp.clip(weights / typical[typical.shape[0] // 2], max=1.0)
