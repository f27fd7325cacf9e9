"""Whether ``label_issues`` puts wrong labels first, beside cleanlab.

    python benchmarks/label_issues.py [--data DIR] [--seeds 5] [--first-seed 0]
                                      [--sets digits usps coil20 mnist] [--save FILE.jsonl]

All classes, at most 2000 samples drawn at random, 30 % of them labelled, and 10 % of the labels
replaced by another class at random. The given labels are ranked, and the area under the ROC curve
tells how well the wrong ones come first: 1 where all of them do. Mean ± standard deviation over
seeds. Beside ``RONMF.label_issues()`` stand the three scores of cleanlab [1]_ on the same
probabilities, those that the other labels give (``distributions``), and the best of the three on
ten-fold cross-validated logistic regression of the labelled samples' pixels; and what comes with
every fit: ``label_distributions_``, in which a label has its own say, and whether
``transduction_`` differs from the label.

It needs ``pip install '.[rivals]'``. With --save, a line per draw is kept, and what is in the
file is not computed again.

.. [1] C. Northcutt, L. Jiang and I. Chuang. Confident learning: estimating uncertainty in dataset
   labels. JAIR 70, 2021.
"""

import argparse
import warnings
from functools import partial
from pathlib import Path

import numpy as np
from cleanlab.rank import get_label_quality_scores
from comparison import markdown, mean_and_spread
from protocol import available, data_directory, load_dataset, thin
from saved_rows import SavedRows
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from ronmf import RONMF
from ronmf.bench import draw_case, flip_labels

SETS = ("digits", "usps", "coil20", "mnist")
MOST_SAMPLES, LABELLED, WRONG = 2000, 0.3, 0.1
SCORES = ("self_confidence", "normalized_margin", "confidence_weighted_entropy")
_FLIPS = 7  # a stream of random numbers of their own


def areas_of_cleanlab(labels: np.ndarray, P: np.ndarray, wrong: np.ndarray) -> dict[str, float]:
    found = {}
    for score in SCORES:
        quality = get_label_quality_scores(labels, P, method=score)
        found[score] = float(roc_auc_score(wrong, -quality))
    return found


def measure(name: str, folder: Path | None, seed: int) -> dict[str, float]:
    dataset = thin(load_dataset(name, folder), MOST_SAMPLES, seed)
    case = draw_case(dataset, label_rate=LABELLED, seed=seed)
    view, truth = case.view, case.truth_for_pictures
    y = flip_labels(view.y, WRONG, np.random.default_rng((seed, _FLIPS)))
    model = RONMF(image_shape=view.image_shape, random_state=seed).fit(view.X, y)
    issues = model.label_issues()
    samples, labels = issues.samples, issues.given
    if len(samples) != (y >= 0).sum():
        raise ValueError("some labels were not judged, so the ranking is of fewer than all")
    wrong, rank = (y != truth)[samples], np.arange(len(samples))
    own = model.label_distributions_[samples, labels]
    logistic = cross_val_predict(
        LogisticRegression(max_iter=1000),
        view.X[samples],
        labels,
        cv=StratifiedKFold(10, shuffle=True, random_state=seed),
        method="predict_proba",
    )
    return {
        "label_issues": float(roc_auc_score(wrong, -rank)),
        **areas_of_cleanlab(labels, issues.distributions, wrong),
        "logistic": max(areas_of_cleanlab(labels, logistic, wrong).values()),
        "label_distributions_": float(roc_auc_score(wrong, -own)),
        "transduction_": float(roc_auc_score(wrong, model.transduction_[samples] != labels)),
        "found": float(wrong[: wrong.sum()].mean()),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", help="folder of the real sets (default: $RONMF_DATA)")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--sets", nargs="+", default=SETS, choices=SETS)
    parser.add_argument("--save", help="file of JSON lines; what is there is not computed again")
    options = parser.parse_args()
    folder = data_directory(options.data)
    warnings.simplefilter("ignore")
    rows, table = SavedRows(options.save, ("set", "seed")), []
    columns = ("label_issues", *SCORES, "logistic", "label_distributions_", "transduction_")
    for name in options.sets:
        if not available(name, folder):
            print(f"{name} skipped: not in the data directory (--data or RONMF_DATA)\n")
            continue
        results = [
            rows.row(partial(measure, name, folder, seed), set=name, seed=seed)
            for seed in range(options.first_seed, options.first_seed + options.seeds)
        ]
        found = mean_and_spread([row["found"] for row in results])
        cells = [_four_digits([row[column] for row in results]) for column in columns]
        table.append([name, *cells, found])
    print(f"Draws: {options.seeds}\n")
    print(markdown(["set", *columns, "wrong ones among as many first"], table))


def _four_digits(values: list[float]) -> str:
    return f"{np.mean(values):.4f} ± {np.std(values):.4f}"


if __name__ == "__main__":
    main()
