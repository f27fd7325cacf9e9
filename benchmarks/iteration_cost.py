"""What an iteration of each multiplicative method costs beside one of scikit-learn's NMF.

Every method and ``NMF(solver="mu")`` of the same rank run the same number of iterations from one
start on the same data, in turns; the ratio of the times is printed. Graph and k-means are left out:
they are no part of an iteration.

    python benchmarks/iteration_cost.py --data folder    # mnist, 20000 samples
"""

import argparse
import time
import warnings
from collections.abc import Callable

import numpy as np
from protocol import data_directory, load
from sklearn.decomposition import NMF
from sklearn.preprocessing import normalize

from ronmf import neighbor_graph
from ronmf.baselines._multiplicative.cauchy_fit import TruncatedCauchyFit
from ronmf.baselines._multiplicative.loop import Problem, minimise
from ronmf.bench import METHODS, make_method
from ronmf.labels.encoding import encode_labels

# Products with arrays of the data's size in an iteration; NMF has two.
PRODUCTS = {"CDCF": 4, "TruncatedCauchyNMF": 6}


def one_run(name: str, X: np.ndarray, y: np.ndarray, W: object) -> Callable[[int], float]:
    """Return a function that times so many iterations of a method."""
    n_clusters = len(np.unique(y[y >= 0]))
    changes = {"components_per_class": 1} if name == "RSNMF" else {}
    model = make_method(name, n_clusters, random_state=0, **changes)
    known = encode_labels(y, len(X), None)
    problem = model._problem(X, known, W)
    if name == "TruncatedCauchyNMF":
        problem = Problem(TruncatedCauchyFit(X, 0.1, 0.3), (), problem.start)

    def timed(iterations: int) -> float:
        start = time.perf_counter()
        minimise(problem, np.random.RandomState(0), max_iter=iterations, tol=0.0)
        return time.perf_counter() - start

    return timed


def scikit_learn(X: np.ndarray, rank: int) -> Callable[[int], float]:
    def timed(iterations: int) -> float:
        model = NMF(
            rank, solver="mu", init="random", max_iter=iterations, tol=1e-12, random_state=0
        )
        start = time.perf_counter()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model.fit(X)
        return time.perf_counter() - start

    return timed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", help="folder of the real datasets")
    parser.add_argument("--iterations", type=int, default=20)
    parser.add_argument("--repeats", type=int, default=5)
    arguments = parser.parse_args()
    folder = data_directory(arguments.data)
    name = "digits" if folder is None else "mnist"
    X, truth = load(name, folder)
    X = normalize(X[:20000])
    truth = truth[: len(X)]
    y = np.where(np.arange(len(X)) % 10 < 3, truth, -1)
    W = neighbor_graph(X, 5, weights="heat", heat_width=1.0).affinity
    rank = len(np.unique(truth))
    print(f"{name}: {X.shape[0]} x {X.shape[1]}, rank {rank}, {arguments.iterations} iterations")
    names = [n for n in METHODS if hasattr(METHODS[n].build, "_problem")]
    rival = scikit_learn(X, rank)
    rival(2)
    print(f"{'method':20s} {'ms an iteration':>16s} {'NMF(mu)':>9s} {'ratio':>6s} {'products':>9s}")
    for name in names:
        method = one_run(name, X, y, W)
        method(1)
        ours, theirs = [], []
        for _ in range(arguments.repeats):  # in turns, so that both meet the same machine
            ours.append(method(arguments.iterations))
            theirs.append(rival(arguments.iterations))
        a, b = np.median(ours) / arguments.iterations, np.median(theirs) / arguments.iterations
        print(
            f"{name:20s} {1e3 * a:16.1f} {1e3 * b:9.1f} {a / b:6.2f} {PRODUCTS.get(name, 2):9d}",
            flush=True,
        )


if __name__ == "__main__":
    main()
