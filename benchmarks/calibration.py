"""Whether the probabilities of ``label_distributions_`` are honest, from one label per class on.

    python benchmarks/calibration.py [--data DIR] [--seeds 3] [--sets usps mnist coil20]
                                     [--labels 1 5 15 33] [--save FILE.jsonl]

All classes, at most 5000 samples drawn at random; at least one of a class has no label. On the
samples without a given label: the expected calibration error (fifteen bins of equal width of the
largest probability), the mean of that probability, and the accuracy of the class that has it; mean
± standard deviation over seeds. The lower the first the better, and the next two should agree.

With --save, a line per fit is kept, and what is in the file is not computed again.
"""

import argparse
import time
import warnings
from functools import partial
from pathlib import Path

import numpy as np
from comparison import markdown, mean_and_spread
from protocol import available, data_directory, load_dataset, thin
from saved_rows import SavedRows

from ronmf import RONMF
from ronmf.bench import draw_case

SETS = ("digits", "yale", "coil20", "usps", "mnist")
USUAL_SETS = ("usps", "mnist", "coil20")
MOST_SAMPLES = 5000
COLUMNS = ("calibration_error", "confidence", "accuracy")


def calibration_error(P: np.ndarray, truth: np.ndarray, n_bins: int) -> float:
    """Return the mean gap between confidence and accuracy over equal bins of confidence."""
    confidence, right = P.max(axis=1), P.argmax(axis=1) == truth
    bins = np.minimum((confidence * n_bins).astype(int), n_bins - 1)
    gaps = [
        (bins == b).mean() * abs(confidence[bins == b].mean() - right[bins == b].mean())
        for b in np.unique(bins)
    ]
    return float(sum(gaps))


def measure(name: str, folder: Path | None, labels: int, seed: int) -> dict[str, float]:
    dataset = thin(load_dataset(name, folder), MOST_SAMPLES, seed)
    case = draw_case(dataset, labels_per_class=labels, seed=seed)
    view, truth, start = case.view, case.truth_for_pictures, time.perf_counter()
    model = RONMF(image_shape=view.image_shape, random_state=seed).fit(view.X, view.y)
    P, seconds = model.label_distributions_, time.perf_counter() - start
    P, truth = P[view.y == -1], truth[view.y == -1]
    return {
        "calibration_error": calibration_error(P, truth, n_bins=15),
        "confidence": float(P.max(axis=1).mean()),
        "accuracy": float((P.argmax(axis=1) == truth).mean()),
        "seconds": round(seconds, 3),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", help="folder of the real sets (default: $RONMF_DATA)")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--sets", nargs="+", default=USUAL_SETS, choices=SETS)
    parser.add_argument("--labels", nargs="+", type=int, default=[1, 5, 15, 33])
    parser.add_argument("--save", help="file of JSON lines; what is there is not computed again")
    options = parser.parse_args()
    folder = data_directory(options.data)
    warnings.simplefilter("ignore")
    rows, table = SavedRows(options.save, ("set", "labels", "seed")), []
    for name in options.sets:
        if not available(name, folder):
            print(f"{name} skipped: not in the data directory (--data or RONMF_DATA)\n")
            continue
        for labels in options.labels:
            results = [
                rows.row(
                    partial(measure, name, folder, labels, seed), set=name, labels=labels, seed=seed
                )
                for seed in range(options.seeds)
            ]
            cells = (mean_and_spread([row[column] for row in results]) for column in COLUMNS)
            table.append([name, str(labels), *cells])
    print(f"Draws: {options.seeds}\n")
    heads = ["set", "labels per class", "calibration error", "mean confidence", "accuracy"]
    print(markdown(heads, table))


if __name__ == "__main__":
    main()
