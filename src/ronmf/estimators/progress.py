"""Progress through scikit-learn's callbacks, where the installed version has them."""

from typing import Any

try:  # scikit-learn >= 1.9
    from sklearn.callback import CallbackSupportMixin
except ImportError:

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """Stands in for scikit-learn's: callbacks cannot be set."""


__all__ = ["CallbackSupportMixin", "SweepCallback"]


class SweepCallback:
    """Reports every sweep of a fit to the callbacks set on an estimator.

    Parameters
    ----------
    estimator : BaseEstimator
        The estimator being fitted.
    max_iter : int
        Largest number of sweeps.
    """

    def __init__(self, estimator: Any, max_iter: int) -> None:
        self.estimator, self.root, self.done = estimator, None, 0
        if hasattr(estimator, "_init_callback_context"):
            self.root = estimator._init_callback_context(max_subtasks=max_iter)
            self.root.call_on_fit_task_begin(estimator=estimator)

    def __call__(self, iteration: int, history: Any) -> bool:
        """Announce a finished sweep; a true answer asks the solver to stop."""
        if self.root is None:
            return False
        self.done += 1  # of all starts together, while `iteration` is that of one
        sweep = self.root.subcontext(task_name=f"sweep {self.done}")
        sweep.call_on_fit_task_begin(estimator=self.estimator)
        return bool(sweep.call_on_fit_task_end(estimator=self.estimator))

    def finish(self) -> None:
        """Announce the end of the fit."""
        if self.root is not None:
            self.root.call_on_fit_task_end(estimator=self.estimator)
