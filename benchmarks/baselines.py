"""Every method of the registry beside the results saved by the authors of LpCNMF.

    python benchmarks/baselines.py --data DIR [--seeds 10] [--sets coil20 umist yale]

Six classes drawn at random, 30 % labels, samples of unit length in random order. Accuracy as the
reference has it: clusters are matched with classes by one Hungarian map over all samples, and
unlabelled samples are scored (mean ± standard deviation over seeds); "all" scores all of them.
"""

import argparse
from collections.abc import Callable
from pathlib import Path

import numpy as np
from protocol import Draw, available, data_directory, draw

from ronmf.bench import METHODS, make_method
from ronmf.labels.assignment import match_names

SETS = ("coil20", "umist", "yale")
# Mean of ten runs at six classes, from the result files in the authors' repository. Unsupervised
# methods were scored on all samples there.
SAVED = {
    "k-means": (0.792, 0.626, 0.497), "NMF": (0.749, 0.649, 0.532), "GNMF": (0.921, 0.745, 0.402),
    "RSNMF": (0.625, 0.524, 0.438), "SNMFDSR": (0.765, 0.756, 0.552), "CDCF": (0.548, 0.475, 0.371),
    "CNMF": (0.579, 0.532, 0.487), "LpNMF": (0.766, 0.689, 0.398), "LpCNMF": (0.933, 0.963, 0.613),
}  # fmt: skip

# Shown elsewhere: settings that are slow and no rival, and methods that the papers do not have.
LEFT_OUT = {"LabelSpreading", "SelfTraining", "Propagation, chosen graph"}
LEFT_OUT |= {name for name in METHODS if name.endswith("printed")}


def shuffled(data: Draw, seed: int) -> Draw:
    order = np.random.default_rng(seed).permutation(len(data.y))
    return Draw(data.X[order], data.y[order], data.truth[order])


def by_name(name: str, **changes: object) -> Callable[[Draw, int], np.ndarray]:
    def cluster(data: Draw, seed: int) -> np.ndarray:
        model = make_method(name, 6, random_state=seed, **changes)
        if getattr(model, "graph", None) == "auto":  # all methods on the same graph
            model.set_params(graph="plain", class_prior=None)
        return model.fit_predict(data.X, data.y)

    return cluster


def misaligned_cnmf(data: Draw, seed: int) -> np.ndarray:
    """CNMF as released: labels are laid on the first samples, whichever these are."""
    given = np.sort(data.y[data.y >= 0])
    y = np.concatenate([given, np.full(len(data.y) - len(given), -1)])
    return make_method("CNMF", 6, random_state=seed).fit_predict(data.X, y)


def accuracy(found: np.ndarray, data: Draw) -> tuple[float, float]:
    """Return the share of unlabelled, and of all, samples that the best map gets right."""
    right = match_names(found, data.truth, 6)[found] == data.truth
    return float(right[data.y == -1].mean()), float(right.mean())


def rows() -> dict[str, Callable[[Draw, int], np.ndarray]]:
    table = {name: by_name(name) for name in METHODS if name not in LEFT_OUT}
    table["LpCNMF, k-means on AZ"] = by_name("LpCNMF", assign="kmeans")
    table["CNMF, misaligned"] = misaligned_cnmf
    return table


def cell(cluster: Callable, name: str, folder: Path | None, seeds: int) -> str:
    scores = []
    for seed in range(seeds):
        data = shuffled(draw(name, seed, folder), seed)
        scores.append(accuracy(cluster(data, seed), data))
    (unlabelled, everything), spread = np.mean(scores, axis=0), np.std(scores, axis=0)[0]
    return f"{unlabelled:.3f} ± {spread:.3f} / {everything:.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", help="folder of the real sets (default: $RONMF_DATA)")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--sets", nargs="+", default=SETS, choices=SETS)
    options = parser.parse_args()
    folder = data_directory(options.data)
    sets = [name for name in options.sets if available(name, folder)]
    if not sets:
        parser.exit(0, "skipped: no real set in the data directory (--data or RONMF_DATA)\n")
    print("| method | " + " | ".join(f"{name}: unlabelled / all | saved" for name in sets) + " |")
    print("|---|" + "---|---|" * len(sets))
    for method, cluster in rows().items():
        cells = []
        for name in sets:
            saved = SAVED.get(method)
            cells.append(cell(cluster, name, folder, options.seeds))
            cells.append(f"{saved[SETS.index(name)]:.3f}" if saved else "")
        print(f"| {method} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
