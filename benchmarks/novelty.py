"""Strangers: half of the classes get labels, and nobody says how many there are.

    python benchmarks/novelty.py [--data DIR] [--photos DIR] [--seeds 10] [--first-seed 1000]
                                 [--sets digits ...] [--labels 5] [--share 0.5 1] [--save FILE]

All samples of a set, of usps and mnist 2000 drawn at random. The share of the classes that is given
has five labels each, drawn at random; the samples of the others are strangers. With a share of 1
there are none. Photographs are compared by the embeddings of the project's own small network. The
method is RONMF with its defaults, told the shape of pictures. On samples without a label, mean over
draws:

- AUC of ``novelty_``, and of one minus the probability of the class: strangers against others;
- strangers above one half of novelty, and others above it;
- strangers, and others, shown as sure: a certainty of 0.9 or more, before novelty counts and with;
- the calibration error of the certainty (15 bins), before and with; a stranger is never right;
- the accuracy of the others;
- draws in which ``diagnose()`` speaks of strangers.

The seeds are others than those with which the method was made (0 to 3).
"""

import argparse
import warnings
from functools import partial
from pathlib import Path

import numpy as np
from photographs import PHOTOS, embeddings, photo_directory
from protocol import available, data_directory, load_dataset, thin
from saved_rows import SavedRows
from sklearn.metrics import roc_auc_score

from ronmf import RONMF

SETS = ("umist", "orl10p", "coil20", "usps", "mnist", "digits", "yale", *PHOTOS)
MOST_SAMPLES = {"usps": 2000, "mnist": 2000}
SURE, STRANGE = 0.9, 0.5
COLUMNS = {
    "auc": "AUC",
    "auc_before": "(by certainty)",
    "strange_above": "strangers > 1/2",
    "named_above": "others > 1/2",
    "strange_sure_before": "strangers sure before",
    "strange_sure": "now",
    "named_sure_before": "others sure before",
    "named_sure": "now",
    "error_before": "calibration error before",
    "error": "now",
    "accuracy": "accuracy of others",
    "told": "told",
}


def calibration_error(sure: np.ndarray, right: np.ndarray, n_bins: int = 15) -> float:
    """Return the mean gap between certainty and accuracy over equal bins of certainty."""
    bins = np.minimum((sure * n_bins).astype(int), n_bins - 1)
    gaps = [
        (bins == b).mean() * abs(sure[bins == b].mean() - right[bins == b].mean())
        for b in np.unique(bins)
    ]
    return float(sum(gaps))


def draw(name: str, data: Path | None, photos: Path | None, seed: int) -> tuple:
    """Return samples, their classes, and the shape of pictures."""
    if name in PHOTOS:
        assert photos is not None
        return *embeddings(name, photos), None
    dataset = thin(load_dataset(name, data), MOST_SAMPLES.get(name), seed)
    return dataset.X, np.unique(dataset.y, return_inverse=True)[1], dataset.image_shape


def measure(
    name: str, data: Path | None, photos: Path | None, labels: int, share: float, seed: int
) -> dict[str, float]:
    """Return what a fit says of strangers and of others."""
    X, truth, shape = draw(name, data, photos, seed)
    rng = np.random.default_rng((seed, 30))
    given = rng.permutation(truth.max() + 1)[: max(2, round(share * (truth.max() + 1)))]
    y = np.full(len(truth), -1)
    for j in given:
        members = rng.permutation(np.flatnonzero(truth == j))
        y[members[: min(labels, len(members) - 1)]] = j
    model = RONMF(image_shape=shape, random_state=seed).fit(X, y)
    free = y < 0
    strange = ~np.isin(truth, given)[free]
    before = model.label_distributions_.max(axis=1)[free]
    sure, novelty = model.certainty_[free], model.novelty_[free]
    right = (model.transduction_ == truth)[free]
    both = strange.any()
    return {
        "auc": roc_auc_score(strange, novelty) if both else np.nan,
        "auc_before": roc_auc_score(strange, -before) if both else np.nan,
        "strange_above": (novelty > STRANGE)[strange].mean() if both else np.nan,
        "named_above": (novelty > STRANGE)[~strange].mean(),
        "strange_sure_before": (before >= SURE)[strange].mean() if both else np.nan,
        "strange_sure": (sure >= SURE)[strange].mean() if both else np.nan,
        "named_sure_before": (before >= SURE)[~strange].mean(),
        "named_sure": (sure >= SURE)[~strange].mean(),
        "error_before": calibration_error(before, right),
        "error": calibration_error(sure, right),
        "accuracy": right[~strange].mean(),
        "told": float(any(trouble.kind == "strangers" for trouble in model.diagnose())),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", help="folder of the real sets (default: $RONMF_DATA)")
    parser.add_argument("--photos", help="folder of photographs (default: $RONMF_PHOTOS)")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first-seed", type=int, default=1000)
    parser.add_argument("--sets", nargs="+", default=SETS, choices=SETS)
    parser.add_argument("--labels", type=int, default=5)
    parser.add_argument("--share", nargs="+", type=float, default=[0.5, 1.0])
    parser.add_argument("--save", help="file of JSON lines; what is there is not computed again")
    options = parser.parse_args()
    data, photos = data_directory(options.data), photo_directory(options.photos)
    warnings.simplefilter("ignore")
    rows = SavedRows(options.save, ("set", "labels", "share", "seed"))
    for share in options.share:
        print(f"\nLabels for {share:.0%} of the classes, {options.labels} each\n")
        print("| set | " + " | ".join(COLUMNS.values()) + " |\n|---|" + "---|" * len(COLUMNS))
        means = []
        for name in options.sets:
            if not (photos if name in PHOTOS else available(name, data)):
                print(f"| {name} | not there: --data, --photos |")
                continue
            found = [
                rows.row(
                    partial(measure, name, data, photos, options.labels, share, seed),
                    set=name,
                    labels=options.labels,
                    share=share,
                    seed=seed,
                )
                for seed in range(options.first_seed, options.first_seed + options.seeds)
            ]
            table = np.array([[row[key] for key in COLUMNS] for row in found], dtype=float)
            means.append(table.mean(axis=0))
            print(line(name, means[-1]), flush=True)
        if means:
            print(line("mean", np.mean(means, axis=0)))


def line(name: str, values: np.ndarray) -> str:
    """Return a line of the table."""
    return f"| {name} | " + " | ".join(f"{v:.3f}".replace("nan", "-") for v in values) + " |"


if __name__ == "__main__":
    main()
