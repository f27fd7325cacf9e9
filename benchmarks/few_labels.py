"""One and five labels per class, all classes: RONMF beside methods made for few labels.

    python benchmarks/few_labels.py [--data DIR] [--seeds 10] [--sets digits yale ...]
                                    [--labels 1 5] [--save FILE.jsonl]

All samples of a set; of usps and mnist 2000 drawn at random, of coil100 36 of each class. The seed
draws samples and labels. All methods get samples of unit length:

- RONMF with its defaults, told the shape of the pictures;
- harmonic label propagation on the plain graph of pixels (``ronmf.baselines``);
- scikit-learn's LabelSpreading over seven neighbours;
- Poisson MBO (``pip install '.[rivals]'``) over ten neighbours. It is told the true sizes of
  all classes, which no other method knows.

Mean ± standard deviation over seeds of the accuracy on the samples without a given label, and the
mean difference between RONMF and the best rival with its 95 % confidence interval (Student's t over
paired draws; in the last row over sets). With --save, a line per fit is kept with the accuracy on
these and on all samples and seconds, and what is in the file is not computed again.
"""

import argparse
import sys
import time
import warnings
from functools import lru_cache, partial
from pathlib import Path

import numpy as np
from comparison import Scores, comparison
from protocol import available, data_directory, load_dataset, thin
from rivals import CLASSIFIERS, POISSON, has_poisson, poisson_mbo
from saved_rows import SavedRows

from ronmf.bench import Case, draw_case

SETS = ("digits", "yale", "umist", "orl10p", "coil20", "usps", "mnist", "coil100")
MOST_SAMPLES = {"usps": 2000, "mnist": 2000}
# With all 72 of a class a fit takes minutes.
MOST_PER_CLASS = {"coil100": 36}


@lru_cache(maxsize=1)
def drawn(name: str, folder: Path | None, labels: int, seed: int) -> Case:
    return draw_case(
        thin(load_dataset(name, folder), MOST_SAMPLES.get(name), seed),
        labels_per_class=labels,
        samples_per_class=MOST_PER_CLASS.get(name),
        seed=seed,
    )


def measure(method: str, name: str, folder: Path | None, labels: int, seed: int) -> dict:
    """Return a method's accuracy on samples without a given label and on all, and its seconds."""
    case = drawn(name, folder, labels, seed)
    truth, start = case.truth_for_pictures, time.perf_counter()
    if method == POISSON:
        found = poisson_mbo(case.view, np.bincount(truth))
    else:
        found = CLASSIFIERS[method](case.view, seed)
    seconds = time.perf_counter() - start
    right = found == truth
    return {
        "accuracy": float(right[case.view.y == -1].mean()),
        "accuracy_all": float(right.mean()),
        "seconds": round(seconds, 3),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", help="folder of the real sets (default: $RONMF_DATA)")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--sets", nargs="+", default=SETS, choices=SETS)
    parser.add_argument("--labels", nargs="+", type=int, default=[1, 5], help="labels per class")
    parser.add_argument("--save", help="file of JSON lines; what is there is not computed again")
    options = parser.parse_args()
    folder = data_directory(options.data)
    warnings.simplefilter("ignore")
    rows = SavedRows(options.save, ("set", "labels", "seed", "method"))
    methods = list(CLASSIFIERS)
    if has_poisson():
        methods.append(POISSON)
    else:
        print(f"{POISSON} is left out: pip install '.[rivals]' for it.\n")

    tables: dict[int, Scores] = {labels: {} for labels in options.labels}
    for name in options.sets:
        if not available(name, folder):
            print(f"{name} skipped: not in the data directory (--data or RONMF_DATA)\n")
            continue
        for labels in options.labels:
            scores: dict[str, list[float]] = {method: [] for method in methods}
            for seed in range(options.seeds):
                for method in methods:
                    row = rows.row(
                        partial(measure, method, name, folder, labels, seed),
                        set=name,
                        labels=labels,
                        seed=seed,
                        method=method,
                    )
                    scores[method].append(row["accuracy"])
            tables[labels][name] = scores
            print(f"{name}, {labels} per class: done", file=sys.stderr, flush=True)
    for labels, scores_by_set in tables.items():
        if scores_by_set:
            print(f"Labels per class: {labels}; draws: {options.seeds}; accuracy elsewhere\n")
            print(comparison(scores_by_set) + "\n", flush=True)


if __name__ == "__main__":
    main()
