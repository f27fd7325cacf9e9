"""The process in which a method runs: it gets a view, and never sees a hidden label."""

import contextlib
import json
import os
import signal
import threading
import time
import warnings
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from ...registry import METHODS, make_method
from .view import View

__all__ = ["MEASURED", "Task", "fit_view", "make_estimator", "work"]

MEASURED = ("seconds", "peak_mb", "n_iter", "converged")
"""What a fit cost, columns of the rows."""


@dataclass(frozen=True)
class Task:
    """What is sent to a worker."""

    view: View
    method: str
    params: str
    seed: int


def work(connection: Any) -> None:
    """Answer tasks with results until the other end closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the runner decides what an interrupt means
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    connection.send_bytes(b"ready")
    while True:
        try:
            task = connection.recv()
        except (EOFError, OSError):  # the runner is gone
            return
        try:
            result = fit_view(task)
        except Exception as error:  # whatever a method does wrong is recorded, not fatal
            result = {"failed": f"{type(error).__name__}: {error}".splitlines()[0]}
        try:
            # As text: what a method made must not come to life where the truth is known.
            connection.send_bytes(json.dumps(result).encode())
        except OSError:
            return


def _end_with(runner: int) -> None:
    """End this process when the runner is gone, also in the middle of a fit."""
    while os.getppid() == runner:
        time.sleep(0.5)
    os._exit(1)


def fit_view(task: Task) -> dict[str, Any]:
    """Fit one method on what it may see; return its labels and what the fit cost."""
    params, view, arguments = json.loads(task.params), task.view, {}
    model = make_estimator(task.method, view.n_clusters, task.seed, params)
    if view.image_shape and "image_shape" in model.get_params() and "image_shape" not in params:
        model.set_params(image_shape=view.image_shape)
    if view.affinity is not None:
        model.set_params(affinity="precomputed")
        arguments["affinity"] = view.affinity
    before = _restart_peak()
    start = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # whether it converged is recorded in the row
        labels = np.asarray(model.fit_predict(view.X, view.y, **arguments))
    seconds = time.perf_counter() - start
    peak = max(0.0, _memory("VmHWM") - before)
    n_iter, converged = getattr(model, "n_iter_", None), getattr(model, "converged_", None)
    measured = (
        seconds,
        peak,
        None if n_iter is None else int(n_iter),
        None if converged is None else bool(converged),
    )
    return {"labels": labels.tolist(), **dict(zip(MEASURED, measured, strict=True))}


def make_estimator(method: str, n_clusters: int, seed: int, params: dict[str, Any]) -> Any:
    """Return the estimator of a registered name, or of "module:Estimator"."""
    if method in METHODS:
        return make_method(method, n_clusters, random_state=seed, **params)
    module, _, attribute = method.partition(":")
    estimator = getattr(import_module(module), attribute)(n_clusters, **params)
    if "random_state" in estimator.get_params():
        estimator.set_params(random_state=seed)
    return estimator


def _restart_peak() -> float:
    """Let the system count the peak of memory anew, where it can; return what is in use now."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")
    return _memory("VmRSS")


def _memory(field: str) -> float:
    """Return a field of the process status in megabytes; NaN where there is none."""
    try:
        status = Path(f"/proc/{os.getpid()}/status").read_text()
    except OSError:
        return float("nan")
    line = next(line for line in status.splitlines() if line.startswith(field))
    return int(line.split()[1]) / 1024
