"""The process in which a method runs: it gets a view, and never sees a hidden label."""

import json
import signal
import time
import warnings
from dataclasses import dataclass
from importlib import import_module
from numbers import Integral
from typing import Any

import numpy as np

from ...estimators.shared_graphs import SharedGraphs
from ...system.platform import end_with_parent
from .._registry import METHODS, make_method, split_nested
from .row_checks import MEASURED
from .values import LONGEST
from .view import View

__all__ = ["Task", "fit_view", "make_estimator", "prepare", "work"]


@dataclass(frozen=True)
class Task:
    """A fit that a worker is asked for."""

    view: View
    method: str
    params: str
    seed: int


def work(connection: Any) -> None:
    """Answer tasks with results until the other end closes.

    What is sent is a :class:`Task`, or the "module:Class" of a method that shall only be imported.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the runner decides what an interrupt means
    if hasattr(signal, "pthread_sigmask"):  # it was blocked while this process started
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    end_with_parent()
    connection.send_bytes(b"ready")
    graphs = SharedGraphs()
    while True:
        try:
            task = connection.recv()
        except (EOFError, OSError):  # the runner is gone
            return
        try:
            result = {}
            if isinstance(task, Task):
                result = fit_view(task, graphs)
            else:
                _own_class(task)
        except Exception as error:  # whatever a method does wrong is recorded, not fatal
            result = {"failed": f"{type(error).__name__}: {error}".splitlines()[0]}
        try:
            # As text: what a method made must not come to life where the truth is known.
            connection.send_bytes(json.dumps(result).encode())
        except OSError:
            return


def fit_view(task: Task, graphs: SharedGraphs | None = None) -> dict[str, Any]:
    """Fit one method on what it may see; return its labels and what the fit costs alone.

    Parameters
    ----------
    task : Task
        The fit.
    graphs : SharedGraphs, default=None
        What fits before this one have chosen; None: nothing is shared.
    """
    view = task.view
    model, arguments = prepare(task)
    parameters = _parameters(model)
    graphs = graphs or SharedGraphs()
    start, saved = time.perf_counter(), graphs.seconds_saved
    with warnings.catch_warnings(), graphs.in_use():
        warnings.simplefilter("ignore")  # whether it converged is recorded in the row
        labels = model.fit_predict(view.X, view.y, **arguments)
    seconds, saved = time.perf_counter() - start, graphs.seconds_saved - saved
    labels = np.asarray(labels)
    if labels.dtype.kind not in "iu":  # names of classes; the numbers are beside them
        labels = getattr(model, "labels_", labels)
    labels = view.check_labels(labels)
    converged = getattr(model, "converged_", None)
    measured = (seconds + saved, _iterations(model), None if converged is None else bool(converged))
    return {
        "labels": labels.tolist(),
        "parameters": parameters,
        "seconds_saved": saved,
        **dict(zip(MEASURED, measured, strict=True)),
    }


def prepare(task: Task) -> tuple[Any, dict[str, Any]]:
    """Return the estimator of a task, and what its ``fit_predict`` takes besides X and y."""
    params, view, arguments = json.loads(task.params), task.view, {}
    model = make_estimator(task.method, view.n_clusters, task.seed, params)
    known = model.get_params()
    if view.image_shape and "image_shape" in known and "image_shape" not in params:
        model.set_params(image_shape=view.image_shape)
    if view.affinity is not None:
        how = "graph__candidates" if "graph__candidates" in known else "graph"
        model.set_params(**{how: "precomputed"})
        arguments["affinity"] = view.affinity
    return model, arguments


def _parameters(model: Any) -> str:
    """Return all parameters of an estimator as JSON text, objects as their constructors."""
    resolved = model.get_params()
    if hasattr(model, "steps"):  # of a pipeline, the parameters of its steps say all
        _, resolved = split_nested(resolved)
    return json.dumps(resolved, sort_keys=True, default=str)[:LONGEST]


def _iterations(model: Any) -> int | None:
    """Return the number of iterations of a fit, None if it does not tell."""
    n_iter = getattr(model, "n_iter_", None)
    if n_iter is not None and not isinstance(n_iter, Integral):
        raise ValueError(f"n_iter_ is {n_iter!r}; it must be a whole number or None.")
    return None if n_iter is None else int(n_iter)


def make_estimator(method: str, n_clusters: int, seed: int, params: dict[str, Any]) -> Any:
    """Return the estimator of a registered name, or of "module:Estimator"."""
    if method in METHODS:
        return make_method(method, n_clusters, random_state=seed, **params)
    plain, nested = split_nested(params)
    estimator = _own_class(method)(n_clusters, **plain)
    if "random_state" in estimator.get_params():
        nested["random_state"] = seed
    if nested:
        estimator.set_params(**nested)
    return estimator


def _own_class(method: str) -> Any:
    """Import "module:Estimator"."""
    module, _, attribute = method.partition(":")
    return getattr(import_module(module), attribute)
