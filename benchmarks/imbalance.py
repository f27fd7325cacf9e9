"""Classes of very different sizes: what the class prior does to them.

    python benchmarks/imbalance.py [--data DIR] [--seeds 10] [--first-seed 1000]
                                   [--sets digits usps mnist] [--save FILE]

All ten classes, at most 2000 samples of usps and mnist. Either sizes fall in equal steps from the
largest class to one of a twentieth or a fiftieth ("tail"), or half of the classes have a twentieth
or a fiftieth of the samples of the others ("step"); which are rare is drawn. Labels are either two
per class, or a twentieth of all samples, drawn at random, at least one of each class. Accuracy and
balanced accuracy on unlabelled samples, means over draws, of RONMF with and without its class
prior and of scikit-learn's label spreading on unit-length samples.

The seeds are others than those with which the method was made (0 to 3).
"""

import argparse
import warnings
from functools import partial
from pathlib import Path

import numpy as np
from protocol import available, data_directory, load_dataset, thin
from saved_rows import SavedRows
from sklearn.metrics import accuracy_score, balanced_accuracy_score
from sklearn.preprocessing import normalize
from sklearn.semi_supervised import LabelSpreading

from ronmf import RONMF

SETS = ("digits", "usps", "mnist")
RATIOS, SHAPES, LABELS = (20, 50), ("tail", "step"), ("two", "random")
METHODS = ("prior", "no prior", "label spreading")
_MOST, _FEWEST = 2000, 4  # samples of a set, and of a class
_SHARE = 0.05  # of the samples that get a label, where these are drawn at random


def sizes(largest: int, n_classes: int, ratio: int, shape: str) -> np.ndarray:
    """Return the sizes of classes, from the commonest to the rarest."""
    if shape == "tail":
        found = largest * float(ratio) ** -np.linspace(0, 1, n_classes)
    else:
        found = np.where(np.arange(n_classes) < n_classes // 2, largest, largest / ratio)
    return np.maximum(found.round().astype(int), _FEWEST)


def measure(
    name: str, data: Path | None, ratio: int, shape: str, labels: str, seed: int
) -> dict[str, float]:
    """Return accuracy and balanced accuracy of each method."""
    whole = thin(load_dataset(name, data), None if name == "digits" else 2 * _MOST, seed)
    rng = np.random.default_rng((seed, 50))
    codes = np.unique(whole.y, return_inverse=True)[1]
    n_classes = codes.max() + 1
    count = sizes(int(np.bincount(codes).min()), n_classes, ratio, shape)
    rows = np.concatenate(
        [
            rng.permutation(np.flatnonzero(codes == j))[: count[place]]
            for place, j in enumerate(rng.permutation(n_classes))
        ]
    )
    X, truth = whole.X[rows], codes[rows]
    drawn = np.concatenate([rng.permutation(np.flatnonzero(truth == j))[:2] for j in range(10)])
    if labels == "random":
        some = rng.permutation(len(truth))[: round(_SHARE * len(truth))]
        drawn = np.union1d(some, drawn[::2])
    y = np.full(len(truth), -1)
    y[drawn] = truth[drawn]
    free, found = y < 0, {}
    for method in METHODS:
        if method == "label spreading":
            rival = LabelSpreading(kernel="knn", n_neighbors=7).fit(normalize(X), y)
            predicted = rival.transduction_
        else:
            prior = "labels" if method == "prior" else None
            model = RONMF(image_shape=whole.image_shape, class_prior=prior, random_state=seed)
            predicted = model.fit(X, y).transduction_
        found[method] = accuracy_score(truth[free], predicted[free])
        found[f"{method}, balanced"] = balanced_accuracy_score(truth[free], predicted[free])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", help="folder of the real sets (default: $RONMF_DATA)")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first-seed", type=int, default=1000)
    parser.add_argument("--sets", nargs="+", default=SETS, choices=SETS)
    parser.add_argument("--save", help="file of JSON lines; what is there is not computed again")
    options = parser.parse_args()
    data = data_directory(options.data)
    warnings.simplefilter("ignore")
    keys = "set", "ratio", "shape", "labels", "seed"
    rows = SavedRows(options.save, keys)
    columns = [f"{method}{what}" for what in ("", ", balanced") for method in METHODS]
    print("| set | sizes | labels | " + " | ".join(columns) + " |\n|" + "---|" * (3 + len(columns)))
    for name in options.sets:
        if not available(name, data):
            print(f"| {name} | not there: --data |")
            continue
        means = []
        for ratio in RATIOS:
            for shape in SHAPES:
                for labels in LABELS:
                    found = [
                        rows.row(
                            partial(measure, name, data, ratio, shape, labels, seed),
                            **dict(zip(keys, (name, ratio, shape, labels, seed), strict=True)),
                        )
                        for seed in range(options.first_seed, options.first_seed + options.seeds)
                    ]
                    means.append([np.mean([row[c] for row in found]) for c in columns])
                    values = " | ".join(f"{v:.3f}" for v in means[-1])
                    print(f"| {name} | 1:{ratio} {shape} | {labels} | {values} |", flush=True)
        values = " | ".join(f"{v:.3f}" for v in np.mean(means, axis=0))
        print(f"| {name} | mean | | {values} |", flush=True)


if __name__ == "__main__":
    main()
