"""How exactly to solve the A-step, when to raise β, and when to stop."""

from .result import History

__all__ = ["Pace"]

_COARSEST_TOL, _TOL_SHARE = 1e-2, 0.02  # of the A-step: by itself, and of the worst residual
_FIRST_PRODUCTS, _MOST_PRODUCTS = 6, 320  # with its Hessian in one A-step
_STALLED_SWEEPS = 15  # without progress, after which β is doubled
_STEADY_SWEEPS = 5  # over which the objective must have settled, or memberships be stuck
_SETTLED_RANGE = 0.2  # of the objective in these sweeps, beside tol, not worth another sweep


class Pace:
    """What the residuals so far say about the next sweep.

    An A-step that is far more exact than the other blocks only costs: its tolerance is a fiftieth
    of the largest residual, and its products are limited. The limit doubles whenever the
    memberships are what lags behind.

    Parameters
    ----------
    tol : float
        Tolerance of the residuals.
    finest : float
        Smallest tolerance of the A-step that the data's precision allows.

    Attributes
    ----------
    inner, max_products : float, int
        Tolerance and limit of the next A-step.
    """

    def __init__(self, tol: float, finest: float) -> None:
        self.tol, self._finest = tol, max(min(1e-4, _TOL_SHARE * tol), finest)
        self.inner, self.max_products = _COARSEST_TOL, _FIRST_PRODUCTS
        self._best, self._since = float("inf"), 0
        self._least_lag, self._stuck = float("inf"), 0

    def reason_to_stop(self, history: History) -> str | None:
        """Take in a sweep; return why it was the last one, or None."""
        newest = history.last()
        residuals = [newest[name] for name in ("primal", "dual", "membership_change")]
        worst, lag = max(residuals), newest["optimality"]
        self.inner = max(self._finest, min(_COARSEST_TOL, _TOL_SHARE * worst))
        others = max(newest["primal"], newest["membership_change"])
        # It holds up the rest, or it alone is not yet small and has not got smaller for a while.
        self._stuck = self._stuck + 1 if lag >= max(self.tol, 0.95 * self._least_lag) else 0
        self._least_lag = min(self._least_lag, lag)
        stuck = self._stuck >= _STEADY_SWEEPS and others < self.tol
        if stuck or lag > max(self.inner, 0.5 * worst):
            self.max_products, self._stuck = min(_MOST_PRODUCTS, 2 * self.max_products), 0
        self._since += 1
        if worst < 0.99 * self._best:
            self._best, self._since = worst, 0
        if max(worst, lag) < self.tol:
            return f"residuals and membership change fell below tol={self.tol:g}"
        # The dual residual may go on for long where features are worth the same in two parts.
        steady = max(others, lag) < self.tol
        if steady and self._objective_has_settled(history.objective):
            return f"the objective has settled within tol={self.tol:g}"
        return None

    def stalls(self) -> bool:
        """Whether residuals have long made no progress; the count then begins anew."""
        if self._since < _STALLED_SWEEPS:
            return False
        self._best, self._since = float("inf"), 0
        return True

    def _objective_has_settled(self, objective: list[float]) -> bool:
        if len(objective) <= _STEADY_SWEEPS:
            return False
        recent = objective[-1 - _STEADY_SWEEPS :]
        return max(recent) - min(recent) < _SETTLED_RANGE * self.tol * abs(objective[-1])
