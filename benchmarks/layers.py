"""How many clusters ``n_clusters="auto"`` finds, and how good they are, with and without labels.

    python benchmarks/layers.py [--data DIR] [--photos DIR] [--seeds 10] [--first-seed 1000]
                                [--sets digits ...] [--parts none half all] [--save FILE]

Sets and draws are those of ``novelty.py``. Nobody says how many classes there are.

- ``none``: no labels. The number of clusters, the matched accuracy, the best number of a layer,
  the matched accuracy of the layer with it, and draws in which these numbers are within a quarter
  of the truth.
- ``half``: five labels for each of half of the classes. The matched accuracy over all samples
  without a label (each class is matched with one cluster, as in category discovery), beside that of
  spectral clustering (10 neighbours) and of k-means, which are told the true number, on rows of
  unit length; and the accuracy of samples of named classes.
- ``all``: 1, 2 and 5 labels for every class. Draws in which a cluster is added to these.
"""

import argparse
import warnings
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from novelty import SETS, draw
from photographs import PHOTOS, photo_directory
from protocol import available, data_directory
from saved_rows import SavedRows
from sklearn.cluster import KMeans, SpectralClustering
from sklearn.neighbors import kneighbors_graph

from ronmf import RONMF
from ronmf.metrics import clustering_accuracy

WITHIN = 0.25
FULL = (1, 2, 5)  # labels of every class
COLUMNS = {
    "none": ("classes", "clusters", "accuracy", "within", "best", "best_accuracy", "best_within"),
    "half": ("classes", "clusters", "accuracy", "spectral", "k_means", "named"),
    "all": tuple(f"added at {labels}" for labels in FULL),
}


def labels_of(truth: np.ndarray, share: float, labels: int, seed: int) -> np.ndarray:
    """Return labels of some samples of a share of the classes, -1 elsewhere."""
    rng = np.random.default_rng((seed, 30))
    given = rng.permutation(truth.max() + 1)[: max(2, round(share * (truth.max() + 1)))]
    y = np.full(len(truth), -1)
    for j in given:
        members = rng.permutation(np.flatnonzero(truth == j))
        y[members[: min(labels, len(members) - 1)]] = j
    return y


def near(n_clusters: int, truth: np.ndarray) -> bool:
    """Whether a number is within a quarter of that of the classes."""
    return bool(abs(n_clusters - (truth.max() + 1)) <= WITHIN * (truth.max() + 1))


def without_labels(X: np.ndarray, truth: np.ndarray, model: RONMF) -> dict[str, Any]:
    """Return what is found without labels."""
    model.fit(X)
    counts = [layer.n_clusters for layer in model.layers_]
    best = int(np.abs(np.log(np.array(counts) / (truth.max() + 1))).argmin())
    return {
        "clusters": len(model.classes_),
        "accuracy": clustering_accuracy(truth, model.labels_),
        "within": near(len(model.classes_), truth),
        "best": counts[best],
        "best_accuracy": clustering_accuracy(truth, model.at_layer(best).labels_),
        "best_within": near(counts[best], truth),
    }


def half_labelled(X: np.ndarray, truth: np.ndarray, model: RONMF, seed: int) -> dict[str, Any]:
    """Return what is found with labels of half of the classes, beside two rivals."""
    y = labels_of(truth, 0.5, 5, seed)
    model.fit(X, y)
    free, n_classes = y < 0, truth.max() + 1
    length = np.linalg.norm(X, axis=1, keepdims=True)
    rows = X / np.where(length > 0, length, 1.0)
    graph = kneighbors_graph(rows, 10)
    spectral = SpectralClustering(n_classes, affinity="precomputed", random_state=seed)
    k_means = KMeans(n_clusters=n_classes, n_init=5, random_state=seed)
    named = np.isin(truth, y) & free
    return {
        "clusters": len(model.classes_),
        "accuracy": clustering_accuracy(truth[free], model.labels_[free]),
        "spectral": clustering_accuracy(
            truth[free], spectral.fit_predict(graph.maximum(graph.T))[free]
        ),
        "k_means": clustering_accuracy(truth[free], k_means.fit_predict(rows)[free]),
        "named": float((model.transduction_ == truth)[named].mean()),
    }


def all_labelled(X: np.ndarray, truth: np.ndarray, model: RONMF, seed: int) -> dict[str, Any]:
    """Return whether clusters are added where every class has labels."""
    found = {}
    for labels in FULL:
        model.fit(X, labels_of(truth, 1.0, labels, seed))
        found[f"added at {labels}"] = bool(len(model.classes_) > truth.max() + 1)
    return found


def measure(part: str, name: str, data: Path | None, photos: Path | None, seed: int) -> dict:
    """Return the figures of a draw."""
    X, truth, shape = draw(name, data, photos, seed)
    model = RONMF("auto", image_shape=shape, random_state=seed)
    row: dict[str, Any] = {"classes": int(truth.max()) + 1}
    if part == "none":
        return row | without_labels(X, truth, model)
    if part == "half":
        return row | half_labelled(X, truth, model, seed)
    return row | all_labelled(X, truth, model, seed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", help="folder of the real sets (default: $RONMF_DATA)")
    parser.add_argument("--photos", help="folder of photographs (default: $RONMF_PHOTOS)")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first-seed", type=int, default=1000)
    parser.add_argument("--sets", nargs="+", default=SETS, choices=SETS)
    parser.add_argument("--parts", nargs="+", default=list(COLUMNS), choices=list(COLUMNS))
    parser.add_argument("--save", help="file of JSON lines; what is there is not computed again")
    options = parser.parse_args()
    data, photos = data_directory(options.data), photo_directory(options.photos)
    warnings.simplefilter("ignore")
    rows = SavedRows(options.save, ("part", "set", "seed"))
    for part in options.parts:
        columns = COLUMNS[part]
        print(f"\n| {part} | " + " | ".join(columns) + " |\n|---|" + "---|" * len(columns))
        means = []
        for name in options.sets:
            if not (photos if name in PHOTOS else available(name, data)):
                print(f"| {name} | not there: --data, --photos |")
                continue
            found = [
                rows.row(
                    partial(measure, part, name, data, photos, seed),
                    part=part,
                    set=name,
                    seed=seed,
                )
                for seed in range(options.first_seed, options.first_seed + options.seeds)
            ]
            table = np.array([[row[key] for key in columns] for row in found], dtype=float)
            means.append(table.mean(axis=0))
            print(line(name, means[-1]), flush=True)
        if means:
            print(line("mean", np.mean(means, axis=0)))


def line(name: str, values: np.ndarray) -> str:
    """Return a line of the table."""
    return f"| {name} | " + " | ".join(f"{value:.3g}" for value in values) + " |"


if __name__ == "__main__":
    main()
