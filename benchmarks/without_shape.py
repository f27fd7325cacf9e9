"""RONMF that is not told that its samples are pictures, beside propagation on their pixels.

    python benchmarks/without_shape.py [--data DIR] [--seeds 10] [--sets usps mnist]
                                       [--save FILE.jsonl]

Six classes drawn at random, 250 samples of each, 30 % labelled. All methods get samples of unit
length; RONMF has its defaults and no `image_shape`, so its graphs are of these rows alone. The
table has the same form as that of ``few_labels.py``.

With --save, a line per fit is kept, and what is in the file is not computed again.
"""

import argparse
import warnings
from dataclasses import replace
from functools import partial
from pathlib import Path

from comparison import Scores, comparison
from protocol import available, data_directory, load_dataset
from rivals import CLASSIFIERS
from saved_rows import SavedRows

from ronmf.bench import draw_case

SETS = ("digits", "coil20", "usps", "mnist")
USUAL_SETS = ("usps", "mnist")


def measure(method: str, name: str, folder: Path | None, seed: int) -> dict:
    """Return a method's accuracy on samples without a given label, and on all."""
    case = draw_case(
        load_dataset(name, folder), n_classes=6, samples_per_class=250, label_rate=0.3, seed=seed
    )
    found = CLASSIFIERS[method](replace(case.view, image_shape=None), seed)
    right = found == case.truth_for_pictures
    return {
        "accuracy": float(right[case.view.y == -1].mean()),
        "accuracy_all": float(right.mean()),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", help="folder of the real sets (default: $RONMF_DATA)")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--sets", nargs="+", default=USUAL_SETS, choices=SETS)
    parser.add_argument("--save", help="file of JSON lines; what is there is not computed again")
    options = parser.parse_args()
    folder = data_directory(options.data)
    warnings.simplefilter("ignore")
    rows = SavedRows(options.save, ("set", "seed", "method"))
    scores: Scores = {}
    for name in options.sets:
        if not available(name, folder):
            print(f"{name} skipped: not in the data directory (--data or RONMF_DATA)\n")
            continue
        scores[name] = {}
        for method in CLASSIFIERS:
            found = [
                rows.row(
                    partial(measure, method, name, folder, seed), set=name, seed=seed, method=method
                )
                for seed in range(options.seeds)
            ]
            scores[name][method] = [row["accuracy"] for row in found]
    if scores:
        print(f"No image_shape; draws: {options.seeds}; accuracy elsewhere\n")
        print(comparison(scores))


if __name__ == "__main__":
    main()
