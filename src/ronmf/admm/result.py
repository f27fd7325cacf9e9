"""What a solver hands back: the factors, how it got there and why it stopped."""

from dataclasses import dataclass, field
from typing import Any

from .residual import Residual

__all__ = ["Factorization", "History"]


@dataclass
class History:
    """One entry per iteration.

    Attributes
    ----------
    objective : list of float
        The model's objective: robust loss of ``X - A Z U'`` plus graph and label terms.
    lagrangian : list of float
        The augmented Lagrangian after the multiplier step.
    primal, dual : list of float
        ``|X - A Z U' - E| / |X|`` and ``β |E - E_previous| / |Λ|``.
    membership_change : list of float
        ``|A - A_previous| / |A|``.
    optimality : list of float
        How far A is from the minimiser of the A-step, ``|A - max(A - ∇/diag, 0)| / |A|``: the step
        is the more exact the smaller the residuals are. Zero where clipped steps do not measure it.
    orthogonality : list of float
        Largest entry of ``|U'U - I|``.
    beta : list of float
        The penalty parameter in use.
    """

    objective: list[float] = field(default_factory=list)
    lagrangian: list[float] = field(default_factory=list)
    primal: list[float] = field(default_factory=list)
    dual: list[float] = field(default_factory=list)
    membership_change: list[float] = field(default_factory=list)
    optimality: list[float] = field(default_factory=list)
    orthogonality: list[float] = field(default_factory=list)
    beta: list[float] = field(default_factory=list)

    def append(self, **entry: float) -> None:
        """Add one iteration; every quantity must be given."""
        for name, series in vars(self).items():
            series.append(entry.pop(name))
        if entry:
            raise TypeError(f"History has no series named {sorted(entry)}.")

    def last(self) -> dict[str, float]:
        """Return the newest entry."""
        return {name: series[-1] for name, series in vars(self).items()}


@dataclass
class Factorization:
    """The factors of ``X ≈ A Z U'`` with the story of their making.

    Attributes
    ----------
    U : array of shape (n_features, n_components)
        Non-negative orthonormal parts.
    A : array of shape (n_samples, n_clusters)
        Non-negative memberships.
    Z : array of shape (n_clusters, n_components)
        Non-negative amplitudes: row j of ``Z U'`` is the prototype of cluster j.
    residual : Residual
        The error E and the multiplier Λ at the end; a later run can go on from it.
    history : History
        One entry per iteration.
    converged : bool
        Whether the tolerances were met.
    stop_reason : str
        Why the iteration ended, in words.
    """

    U: Any
    A: Any
    Z: Any
    residual: Residual
    history: History
    converged: bool
    stop_reason: str

    @property
    def n_iter(self) -> int:
        """The number of sweeps that were run."""
        return len(self.history.objective)
