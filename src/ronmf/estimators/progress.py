"""How far a fit has come: told to listeners and scikit-learn's callbacks, and printed."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Self

try:  # scikit-learn >= 1.9
    from sklearn.callback import CallbackSupportMixin
except ImportError:

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """Stands in for scikit-learn's: callbacks cannot be set."""


__all__ = ["CallbackSupportMixin", "FitProgress", "fit_listener"]

_PAUSE = 2.0  # seconds between two printed lines of a stage
_Listener = Callable[[str, int, int], Any]
_listener: ContextVar[_Listener | None] = ContextVar("_listener", default=None)


@contextmanager
def fit_listener(listener: _Listener) -> Iterator[None]:
    """Let fits of this context tell ``listener(stage, done, most)`` of every step.

    A stage begins with 0 steps done and ends with as many as it had at most. What the listener
    raises ends the fit, which then leaves the estimator as it was.
    """
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


class FitProgress:
    """Reports the stages of a fit, and the steps of each, to callbacks and to a verbose user.

    It is a context: on leaving it the fit has ended. A progress bar sees a task per stage, and
    in it a task per step.

    Parameters
    ----------
    estimator : BaseEstimator
        The estimator being fitted. Its parameter ``verbose``, if it has one, asks for lines on
        standard error.
    n_stages : int
        Number of stages to come, at most.
    """

    def __init__(self, estimator: Any, n_stages: int) -> None:
        self.estimator, self.root = estimator, None
        self.started = time.monotonic()
        self.verbose = bool(getattr(estimator, "verbose", False))
        if hasattr(estimator, "_init_callback_context"):
            self.root = estimator._init_callback_context(max_subtasks=n_stages)

    def __enter__(self) -> Self:
        if self.root is not None:
            self.root.call_on_fit_task_begin(estimator=self.estimator)
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: Any) -> None:
        if kind is None and self.verbose:
            self.say(f"done ({time.monotonic() - self.started:.1f} s)")
        if self.root is not None and kind is None:
            self.root.call_on_fit_task_end(estimator=self.estimator)

    def say(self, what: str) -> None:
        """Print a line."""
        print(f"[{type(self.estimator).__name__}] {what}", file=sys.stderr)

    @contextmanager
    def stage(self, name: str, step: str, n_steps: int) -> Iterator["Stage"]:
        """Announce a stage of at most `n_steps` steps, to be counted by what is returned."""
        context = None
        if self.root is not None:
            context = self.root.subcontext(task_name=name, max_subtasks=n_steps)
            context.call_on_fit_task_begin(estimator=self.estimator)
        stage = Stage(self, context, name, step, n_steps)
        stage.tell(0)
        yield stage
        stage.tell(n_steps)
        stage.say("done")
        if context is not None:
            context.call_on_fit_task_end(estimator=self.estimator)


class Stage:
    """Counts the steps of a stage: call it after each. A true answer asks to stop."""

    def __init__(
        self, progress: FitProgress, context: Any, name: str, step: str, n_steps: int
    ) -> None:
        self.progress, self.context, self.name = progress, context, name
        self.step, self.n_steps = step, n_steps
        self.done, self.started = 0, time.monotonic()
        self.said = self.started

    def __call__(self, *ignored: Any) -> bool:
        """Count a finished step."""
        self.done += 1
        self.tell(min(self.done, self.n_steps))
        if time.monotonic() - self.said > _PAUSE:
            self.say(f"{self.done} of at most {self.n_steps}")
        if self.context is None or self.done > self.n_steps:
            return False
        estimator = self.progress.estimator
        step = self.context.subcontext(task_name=f"{self.step} {self.done}")
        step.call_on_fit_task_begin(estimator=estimator)
        return bool(step.call_on_fit_task_end(estimator=estimator))

    def tell(self, done: int) -> None:
        """Tell the listener of this context, if there is one."""
        listener = _listener.get()
        if listener is not None:
            listener(self.name, done, self.n_steps)

    def say(self, what: str) -> None:
        """Print a line if the user wants lines."""
        if self.progress.verbose:
            self.said = time.monotonic()
            plural = "" if self.done == 1 else "s"
            steps = f"{self.done} step{plural}, " if what == "done" else ""
            seconds = self.said - self.started
            self.progress.say(f"{self.name}: {what} ({steps}{seconds:.1f} s)")
