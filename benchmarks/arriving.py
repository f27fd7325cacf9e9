"""Labels that arrive one by one: no step may destroy what was there.

    python benchmarks/arriving.py [--data DIR] [--photos DIR] [--seeds 10] [--first-seed 1000]
                                  [--sets digits ...] [--save FILE]

A fit of RONMF with ``n_clusters="auto"`` and ``warm_start=True`` begins without labels. Then each
class, in random order, gets one label in each of five rounds, drawn at random among its samples
without one; after every label of the first round, and after every third of the classes in later
rounds, it is fitted again. Told is the matched accuracy over all samples: at the beginning, when
all classes have one label, and at the end; the largest fall from one step to the next; and how many
steps fall by more than 0.03. Sets and draws are those of ``novelty.py``; of those with more than 20
classes, 20 drawn at random are used.
"""

import argparse
import warnings
from functools import partial
from pathlib import Path

import numpy as np
from novelty import SETS, draw
from photographs import PHOTOS, photo_directory
from protocol import available, data_directory
from saved_rows import SavedRows

from ronmf import RONMF
from ronmf.metrics import clustering_accuracy

MOST_CLASSES, ROUNDS, FALL = 20, 5, 0.03


def measure(name: str, data: Path | None, photos: Path | None, seed: int) -> dict[str, float]:
    """Return how accuracy goes on as labels arrive."""
    X, truth, shape = draw(name, data, photos, seed)
    rng = np.random.default_rng((seed, 31))
    kept = rng.permutation(truth.max() + 1)[:MOST_CLASSES]
    some = np.isin(truth, kept)
    X, truth = X[some], np.unique(truth[some], return_inverse=True)[1]
    y = np.full(len(truth), -1)
    model = RONMF("auto", image_shape=shape, warm_start=True, random_state=seed)
    accuracy = [clustering_accuracy(truth, model.fit(X, y).labels_)]
    clusters = [len(model.classes_)]
    n_classes = truth.max() + 1
    for turn in range(ROUNDS):
        pause = 1 if turn == 0 else -(-n_classes // 3)
        for i, j in enumerate(rng.permutation(n_classes)):
            free = np.flatnonzero((truth == j) & (y < 0))
            if len(free):
                y[rng.choice(free)] = j
            if (i + 1) % pause == 0 or i + 1 == n_classes:
                accuracy.append(clustering_accuracy(truth, model.fit(X, y).labels_))
                clusters.append(len(model.classes_))
    falls = -np.diff(accuracy)
    return {
        "without labels": accuracy[0],
        "one label each": accuracy[n_classes],
        "in the end": accuracy[-1],
        "largest fall": float(falls.max()),
        "falls": int((falls > FALL).sum()),
        "steps": len(falls),
        "accuracy": [round(float(a), 4) for a in accuracy],
        "clusters": clusters,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", help="folder of the real sets (default: $RONMF_DATA)")
    parser.add_argument("--photos", help="folder of photographs (default: $RONMF_PHOTOS)")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first-seed", type=int, default=1000)
    parser.add_argument("--sets", nargs="+", default=SETS, choices=SETS)
    parser.add_argument("--save", help="file of JSON lines; what is there is not computed again")
    options = parser.parse_args()
    data, photos = data_directory(options.data), photo_directory(options.photos)
    warnings.simplefilter("ignore")
    rows = SavedRows(options.save, ("set", "seed"))
    columns = ("without labels", "one label each", "in the end", "largest fall")
    print("| set | " + " | ".join(columns) + " | falls above 0.03 |\n|---|" + "---|" * 5)
    falls = steps = 0
    for name in options.sets:
        if not (photos if name in PHOTOS else available(name, data)):
            print(f"| {name} | not there: --data, --photos |")
            continue
        found = [
            rows.row(partial(measure, name, data, photos, seed), set=name, seed=seed)
            for seed in range(options.first_seed, options.first_seed + options.seeds)
        ]
        means = [np.mean([row[key] for row in found]) for key in columns[:3]]
        worst = max(row["largest fall"] for row in found)
        own = sum(row["falls"] for row in found), sum(row["steps"] for row in found)
        falls, steps = falls + own[0], steps + own[1]
        numbers = " | ".join(f"{value:.3f}" for value in (*means, worst))
        print(f"| {name} | {numbers} | {own[0]} of {own[1]} |", flush=True)
    print(f"\n{falls} of {steps} steps")


if __name__ == "__main__":
    main()
