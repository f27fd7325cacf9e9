"""No labels at all, and classes that nobody labelled: RONMF beside methods that cluster.

    python benchmarks/no_labels.py [--data DIR] [--seeds 10] [--sets digits yale ...]
                                   [--save FILE.jsonl]

All classes, at most 2000 samples drawn at random, of unit length; mean ± standard deviation over
seeds, which draw the samples and start the methods.

1. No labels: every method knows the samples and the number of classes. Accuracy under the best
   one-to-one map of clusters to classes, and mutual information over the larger entropy.
2. Classes nobody labelled: 30 % of the samples of half the classes, drawn at random, have labels,
   and RONMF looks for all classes among all samples. Scored are the samples of the other half, by
   the best map inside them. "RONMF, strict" counts as wrong what it put into a labelled class; the
   map may otherwise take such a cluster for another class. Rivals have the easier task: they see
   the samples of the other half alone and know how many classes these are of.

With --save, a line per fit is kept with all scores and seconds, and what is in the file is not
computed again.
"""

import argparse
import sys
import time
import warnings
from functools import lru_cache, partial
from pathlib import Path

import numpy as np
from comparison import Scores, comparison, markdown, mean_and_spread
from protocol import available, data_directory, load_dataset, thin
from rivals import CLUSTERERS
from saved_rows import SavedRows

from ronmf import RONMF
from ronmf.bench import Case, draw_case
from ronmf.metrics import clustering_accuracy, nmi

SETS = ("digits", "yale", "umist", "orl10p", "coil20", "usps", "mnist", "coil100")
MOST_SAMPLES = 2000
ON_HALF = ("RONMF", "spectral", "k-means")


@lru_cache(maxsize=1)
def drawn(name: str, folder: Path | None, seed: int) -> Case:
    return draw_case(
        thin(load_dataset(name, folder), MOST_SAMPLES, seed), label_rate=0.3, seed=seed
    )


def without_labels(method: str, name: str, folder: Path | None, seed: int) -> dict:
    """Return how well a method's clusters of all samples agree with the classes."""
    case, start = drawn(name, folder, seed), time.perf_counter()
    view, truth = case.view, case.truth_for_pictures
    found = CLUSTERERS[method](view.X, view.n_clusters, seed, view.image_shape)
    seconds = round(time.perf_counter() - start, 3)
    scores = {"accuracy": clustering_accuracy(truth, found), "nmi": nmi(truth, found)}
    return {**scores, "seconds": seconds}


def unlabelled_classes(method: str, name: str, folder: Path | None, seed: int) -> dict:
    """Return how well the classes of which no sample has a label are told apart."""
    case = drawn(name, folder, seed)
    view, truth = case.view, case.truth_for_pictures
    order = np.random.default_rng((seed, 101)).permutation(view.n_clusters)
    named, unnamed = np.sort(order[: len(order) // 2]), order[len(order) // 2 :]
    hidden = np.isin(truth, unnamed)
    start = time.perf_counter()
    if method != "RONMF":
        found = CLUSTERERS[method](view.X[hidden], len(unnamed), seed, view.image_shape)
        seconds = round(time.perf_counter() - start, 3)
        return {"accuracy": clustering_accuracy(truth[hidden], found), "seconds": seconds}
    y = np.where(hidden, -1, view.y)
    model = RONMF(view.n_clusters, image_shape=view.image_shape, random_state=seed).fit(view.X, y)
    seconds, found = round(time.perf_counter() - start, 3), model.labels_
    # The clusters of the labelled classes come first, in the order of their names.
    names, new = np.append(named, unnamed), hidden & (found >= len(named))
    elsewhere = ~hidden & (y == -1)
    inside = clustering_accuracy(truth[new], found[new]) if new.any() else 0.0
    return {
        "accuracy": clustering_accuracy(truth[hidden], found[hidden]),
        "accuracy_strict": inside * float(new.sum() / hidden.sum()),
        "accuracy_labelled_classes": float((names[found] == truth)[elsewhere].mean()),
        "seconds": seconds,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", help="folder of the real sets (default: $RONMF_DATA)")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--sets", nargs="+", default=SETS, choices=SETS)
    parser.add_argument("--save", help="file of JSON lines; what is there is not computed again")
    options = parser.parse_args()
    folder, seeds = data_directory(options.data), range(options.seeds)
    warnings.simplefilter("ignore")
    rows = SavedRows(options.save, ("task", "set", "seed", "method"))

    accuracy: Scores = {}
    information: Scores = {}
    half: Scores = {}
    strict: dict[str, list[str]] = {}
    for name in options.sets:
        if not available(name, folder):
            print(f"{name} skipped: not in the data directory (--data or RONMF_DATA)\n")
            continue
        free: dict[str, list[dict]] = {method: [] for method in CLUSTERERS}
        other: dict[str, list[dict]] = {method: [] for method in ON_HALF}
        for seed in seeds:
            for method, results in free.items():
                work = partial(without_labels, method, name, folder, seed)
                results.append(rows.row(work, task="none", set=name, seed=seed, method=method))
            for method, results in other.items():
                work = partial(unlabelled_classes, method, name, folder, seed)
                results.append(rows.row(work, task="half", set=name, seed=seed, method=method))
        accuracy[name] = {m: [row["accuracy"] for row in results] for m, results in free.items()}
        information[name] = {m: [row["nmi"] for row in results] for m, results in free.items()}
        half[name] = {m: [row["accuracy"] for row in results] for m, results in other.items()}
        strict[name] = [
            mean_and_spread([row[what] for row in other["RONMF"]])
            for what in ("accuracy_strict", "accuracy_labelled_classes")
        ]
        print(f"{name}: done", file=sys.stderr, flush=True)
    if not accuracy:
        return
    print(f"No labels, accuracy; draws: {len(seeds)}\n\n{comparison(accuracy)}\n")
    print(f"No labels, normalised mutual information\n\n{comparison(information)}\n")
    print(f"Classes nobody labelled, accuracy inside them\n\n{comparison(half)}\n")
    heads = ["set", "RONMF, strict", "RONMF, unlabelled samples of the labelled classes"]
    print(markdown(heads, ([name, *cells] for name, cells in strict.items())) + "\n")


if __name__ == "__main__":
    main()
