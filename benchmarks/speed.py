"""How long fits take beside scikit-learn's: ratios in one process, on the same draws.

    python benchmarks/speed.py [--data DIR] [--repeats 3] [--save results/speed]

Fits of float32 pixels, 5 % labels (coil100: 10 %), another draw at every repeat, in turns with
``LabelSpreading(kernel="knn", n_neighbors=7)``; sweeps beside iterations of ``NMF(solver="mu")``,
by step, with the share of the time that the machine's bandwidth and arithmetic allow; a refit with
ten more labels; one new sample; memory; and a fit beside a busy process. Without the real sets,
scikit-learn's digits.
"""

import argparse
import multiprocessing
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import mean, median, pstdev

import numpy as np
from protocol import available, data_directory
from sklearn.decomposition import NMF
from sklearn.semi_supervised import LabelSpreading
from speed_parts import fitted_in_own_process, roofline, save, steps_of_a_sweep
from threadpoolctl import threadpool_limits

from ronmf import RONMF
from ronmf.datasets import load
from ronmf.system.platform import cores

# Name, samples (None: all), labelled share
CASES = (("usps", None, 0.05), ("mnist", 20000, 0.05), ("coil100", None, 0.1))
Draw = tuple[np.ndarray, np.ndarray, np.ndarray, tuple[int, ...] | None]


def draw(name: str, size: int | None, rate: float, folder: Path | None, seed: int) -> Draw:
    """Return pixels, classes, given labels (-1 elsewhere) and the shape of a picture."""
    dataset, rng = load(name, folder), np.random.RandomState(seed)
    chosen = rng.permutation(len(dataset.X))[:size]
    X, truth = np.asarray(dataset.X[chosen], dtype=np.float32), dataset.y[chosen]
    y = np.full(len(truth), -1)
    for j in np.unique(truth):
        members = rng.permutation(np.flatnonzero(truth == j))
        y[members[: max(1, round(rate * len(members)))]] = j
    return X, truth, y, dataset.image_shape


def timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def models(shape: tuple[int, ...] | None) -> dict[str, object]:
    return {
        "LabelSpreading": LabelSpreading(kernel="knn", n_neighbors=7),
        "plain": RONMF(graph="plain", random_state=0),
        "default": RONMF(image_shape=shape, random_state=0),
    }


def whole_fits(name: str, draws: list[Draw]) -> list[dict]:
    """Return a row for each model: median seconds, ratio to the rival, accuracies."""
    seconds: dict[str, list[float]] = {}
    right: dict[str, list[tuple[float, float]]] = {}
    for X, truth, y, shape in draws:
        for label, model in models(shape).items():
            seconds.setdefault(label, []).append(timed(lambda m=model, X=X, y=y: m.fit(X, y)))
            hits = model.transduction_ == truth
            right.setdefault(label, []).append((float(hits[y == -1].mean()), float(hits.mean())))
    rows = []
    for label, times in seconds.items():
        ratios = [a / b for a, b in zip(times, seconds["LabelSpreading"], strict=True)]
        unlabelled, every = zip(*right[label], strict=True)
        rows.append(
            {
                "data": f"{name} {len(draws[0][0])}",
                "fit": label,
                "seconds": median(times),
                "ratio": median(ratios),
                "unlabelled": mean(unlabelled),
                "std": pstdev(unlabelled),
                "all samples": mean(every),
            }
        )
    return rows


def sweeps(name: str, case: Draw, repeats: int) -> dict:
    """Return what a sweep costs beside an iteration of NMF of the same rank."""
    X, _, y, _ = case
    rank, iterations = len(np.unique(y[y >= 0])), 20
    ours, theirs, steps = [], [], []
    for _ in range(repeats):
        rival = NMF(rank, solver="mu", init="random", max_iter=iterations, tol=0, random_state=0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            theirs.append(timed(lambda m=rival: m.fit(X)) / iterations)
        by_step, per_sweep = steps_of_a_sweep(X, y)
        ours.append(per_sweep)
        steps.append(by_step)
    least = roofline(*X.shape, rank, X.dtype)
    return {
        "data": f"{name} {X.shape[0]} x {X.shape[1]}, rank {rank}",
        "sweep ms": 1e3 * median(ours),
        "NMF(mu) ms": 1e3 * median(theirs),
        "ratio": median(a / b for a, b in zip(ours, theirs, strict=True)),
        **{f"{step} ms": 1e3 * median(s[step] for s in steps) for step in steps[0]},
        "roofline ms": 1e3 * least,
        "share of roofline": least / median(ours),
    }


def refit_and_query(name: str, case: Draw) -> dict:
    """Return a refit with ten more labels over the first fit, and the time for one new sample."""
    X, truth, y, shape = case
    model = RONMF(image_shape=shape, warm_start=True, random_state=0)
    first = timed(lambda: model.fit(X, y))
    more = y.copy()
    asked = np.random.RandomState(0).permutation(np.flatnonzero(y < 0))[:10]
    more[asked] = truth[asked]
    again = timed(lambda: model.fit(X, more))
    model.predict(X[:1])
    one = median(timed(lambda i=i: model.predict(X[i : i + 1])) for i in range(20))
    return {
        "data": f"{name} {len(X)}",
        "first s": first,
        "refit s": again,
        "ratio": again / first,
        "predict one, ms": 1e3 * one,
    }


@contextmanager
def busy_cores() -> Iterator[None]:
    """Keep as many cores busy as there are, by other processes."""
    others = [multiprocessing.Process(target=_spin, daemon=True) for _ in range(cores())]
    for other in others:
        other.start()
    try:
        time.sleep(1)
        yield
    finally:
        for other in others:
            other.kill()


def _spin() -> None:
    matrix = np.random.RandomState(0).rand(300, 300)
    with threadpool_limits(1):  # one core each
        while True:
            matrix @ matrix


def beside_others(name: str, case: Draw) -> dict:
    X, _, y, shape = case
    model = RONMF(image_shape=shape, random_state=0)
    alone = timed(lambda: model.fit(X, y))
    with busy_cores():
        crowded = timed(lambda: model.fit(X, y))
    return {
        "data": f"{name} {len(X)}",
        "alone s": alone,
        "busy s": crowded,
        "ratio": crowded / alone,
    }


def table(title: str, rows: list[dict]) -> str:
    def text(value: object) -> str:
        if not isinstance(value, float):
            return str(value)
        return (
            f"{value:.3f}" if abs(value) < 1 else f"{value:.2f}" if value < 100 else f"{value:.0f}"
        )

    lines = [f"### {title}", "", "| " + " | ".join(rows[0]) + " |", "|" + "---|" * len(rows[0])]
    return "\n".join(lines + ["| " + " | ".join(map(text, row.values())) + " |" for row in rows])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", help="folder of the real sets (default: $RONMF_DATA)")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--save", type=Path, help="folder for speed.json and speed.md")
    options = parser.parse_args()
    folder = data_directory(options.data)
    cases = [case for case in CASES if available(case[0], folder)] or [("digits", None, 0.05)]
    sections: dict[str, list[dict]] = {}

    def tell(title: str, row: dict) -> None:
        sections.setdefault(title, []).append(row)
        print(title, {k: round(v, 3) if isinstance(v, float) else v for k, v in row.items()})

    for name, size, rate in cases:
        draws = [draw(name, size, rate, folder, seed) for seed in range(options.repeats)]
        for row in whole_fits(name, draws):
            tell("Whole fits", row)
        tell("Sweeps", sweeps(name, draws[0], options.repeats))
        tell("Refit with ten more labels, and one new sample", refit_and_query(name, draws[0]))
        for graph in ("plain", "auto"):
            tell("Memory above X", fitted_in_own_process(name, draws[0], graph))
    name, size, rate = cases[0]
    tell("Beside busy cores", beside_others(name, draw(name, size, rate, folder, 0)))
    report = "\n\n".join(table(title, rows) for title, rows in sections.items())
    print(f"\n{report}")
    if options.save:
        save(options.save, "speed", {"sections": sections}, report)


if __name__ == "__main__":
    main()
