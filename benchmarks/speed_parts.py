"""What ``speed.py`` measures inside a fit, on the machine, and in a process of its own."""

import json
import multiprocessing
import platform
import time
from collections import defaultdict
from contextlib import suppress
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

from ronmf import RONMF, neighbor_graph
from ronmf.admm import solver
from ronmf.admm.buffered import BufferedResidual
from ronmf.numerics.threads import in_threads
from ronmf.system.platform import PeakMemory, cores

__all__ = ["fitted_in_own_process", "machine", "roofline", "steps_of_a_sweep", "versions"]

_STEPS = {"update_U": "U", "update_A": "A", "update_Z": "Z", "update_error": "E and multiplier"}


def steps_of_a_sweep(X: np.ndarray, y: np.ndarray) -> tuple[dict[str, float], float]:
    """Return seconds by step, and of a whole sweep, of a fit on the plain graph."""
    spent: dict[str, float] = defaultdict(float)

    def clocked(name: str, work: Any) -> Any:
        def wrapped(*args: Any, **options: Any) -> Any:
            start = time.perf_counter()
            try:
                return work(*args, **options)
            finally:
                spent[name] += time.perf_counter() - start

        return wrapped

    affinity = neighbor_graph(X, 5).affinity
    patches = [patch.object(solver, f, clocked(n, getattr(solver, f))) for f, n in _STEPS.items()]
    patches.append(
        patch.object(
            BufferedResidual, "target_times", clocked("target", BufferedResidual.target_times)
        )
    )
    patches.append(patch("ronmf.estimators.fitting.solve", clocked("whole", solver.solve)))
    for each in patches:
        each.start()
    try:
        model = RONMF(graph="precomputed", random_state=0).fit(X, y, affinity=affinity)
    finally:
        for each in patches:
            each.stop()
    per_sweep = {name: seconds / model.n_iter_ for name, seconds in spent.items()}
    return per_sweep, per_sweep.pop("whole")


def roofline(n: int, d: int, rank: int, dtype: Any) -> float:
    """Return the least seconds of a sweep's passes over the data on this machine.

    X and the buffer are read twice and the buffer is written once; four products of rank r.
    """
    bandwidth, arithmetic = _limits(np.dtype(dtype).name)
    size = n * d
    return max(5 * size * np.dtype(dtype).itemsize / bandwidth, 4 * 2.0 * size * rank / arithmetic)


@lru_cache
def _limits(dtype: str) -> tuple[float, float]:
    """Return bytes per second of a copy, and operations per second of a large product."""
    source = np.ones(2**25, dtype=dtype)
    target = np.empty_like(source)
    square = np.random.RandomState(0).rand(2000, 2000).astype(dtype)

    def best(work: Any) -> float:
        times = []
        for _ in range(5):
            start = time.perf_counter()
            work()
            times.append(time.perf_counter() - start)
        return min(times)

    parts = [slice(i, i + 2**23) for i in range(0, len(source), 2**23)]  # in all threads
    copied = best(lambda: in_threads(lambda part: np.copyto(target[part], source[part]), parts))
    copied = 2 * source.nbytes / copied
    return copied, 2.0 * 2000**3 / best(lambda: square @ square)


def fitted_in_own_process(name: str, case: tuple, graph: str) -> dict:
    """Return the peak of memory of a fit in a fresh process, over the size of X."""
    context = multiprocessing.get_context("spawn")
    with context.Pool(1) as pool:
        peak, size = pool.apply(_peak, (case, graph))
    return {
        "data": f"{name} {case[0].shape[0]}",
        "graph": graph,
        "X, MB": size,
        "above X, MB": peak,
        "over X": peak / size,
    }


def _peak(case: tuple, graph: str) -> tuple[float, float]:
    X, _, y, shape = case
    # A small fit first: libraries and their buffers are not what is measured.
    RONMF(graph=graph, image_shape=shape, random_state=0).fit(X[:500], y[:500])
    meter = PeakMemory()
    meter.start()
    RONMF(graph=graph, image_shape=shape, random_state=0).fit(X, y)
    return meter.megabytes() or float("nan"), X.nbytes / 2**20


def machine() -> dict[str, Any]:
    """Return what the figures depend on besides the code."""
    return {"cores": cores(), "processor": platform.machine(), "system": platform.system()}


def versions() -> dict[str, str]:
    """Return the versions of what runs; faiss, where it is installed, searches large sets."""
    found = {"python": platform.python_version()}
    for name in ("ronmf", "numpy", "scipy", "scikit-learn", "faiss-cpu"):
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


def save(folder: Path, name: str, figures: dict[str, Any], report: str) -> None:
    """Write figures, with machine and versions, as JSON and a report as Markdown."""
    folder.mkdir(parents=True, exist_ok=True)
    found = {"machine": machine(), "versions": versions(), **figures}
    (folder / f"{name}.json").write_text(json.dumps(found, indent=1) + "\n")
    (folder / f"{name}.md").write_text(report + "\n")
