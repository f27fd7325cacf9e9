"""Whether probabilities are honest, outliers are found, and asking pays.

    python benchmarks/uncertainty.py [--data DIR] [--seeds 3]

digits, and coil20 and usps where they are found; six classes drawn at random.

- Calibration: expected calibration error (ten bins) on unlabelled samples, of plain memberships
  and of ``label_distributions_``.
- Outliers: pictures of noise, of shuffled pixels, inverted ones and ones of another class are mixed
  in, one for every twenty; area under the ROC curve of ``outlier_score_``.
- Asking: from two labels per class, five rounds of six asked by ``query`` or drawn at random;
  accuracy on the samples that are then unlabelled.

The lower the first, and the higher the others, the better.
"""

import argparse
import warnings

import numpy as np
from calibration import calibration_error
from protocol import available, data_directory
from sklearn.metrics import roc_auc_score
from sklearn.preprocessing import normalize

from ronmf import RONMF
from ronmf.bench import draw_case
from ronmf.datasets import load
from ronmf.labels.class_prior import normalize_rows


def fit(X: np.ndarray, y: np.ndarray, image_shape: tuple[int, int]) -> RONMF:
    return RONMF(image_shape=image_shape, random_state=0).fit(X, y)


def strangers(X: np.ndarray, other: np.ndarray, rng: np.random.Generator) -> dict[str, np.ndarray]:
    count = max(3, len(X) // 20)
    some = X[rng.choice(len(X), count, replace=False)]
    return {
        "noise": rng.random(some.shape),
        "shuffled": rng.permuted(some, axis=1),
        "inverted": X.max() - some,
        "other class": other[rng.choice(len(other), min(count, len(other)), replace=False)],
    }


def asked(X: np.ndarray, truth: np.ndarray, shape: tuple[int, int], how: str, seed: int) -> float:
    rng = np.random.default_rng(seed)
    y = np.full(len(X), -1)
    for j in np.unique(truth):
        y[rng.choice(np.flatnonzero(truth == j), 2, replace=False)] = j
    for _ in range(5):
        if how == "query":
            next_ones = fit(X, y, shape).query(6)
        else:
            next_ones = rng.choice(np.flatnonzero(y == -1), 6, replace=False)
        y[next_ones] = truth[next_ones]
    return float((fit(X, y, shape).transduction_ == truth)[y == -1].mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", help="folder of the real sets (default: $RONMF_DATA)")
    parser.add_argument("--seeds", type=int, default=3)
    options = parser.parse_args()
    folder = data_directory(options.data)
    warnings.simplefilter("ignore")
    for name in ("digits", "coil20", "usps"):
        if not available(name, folder):
            print(f"{name:8} skipped: not in the data directory (--data or RONMF_DATA)")
            continue
        dataset, results = load(name, folder), {}
        for seed in range(options.seeds):
            case = draw_case(dataset, n_classes=6, label_rate=0.1, seed=seed, samples_per_class=100)
            view, truth, rng = case.view, case.truth_for_pictures, np.random.default_rng(seed)
            model, free = fit(view.X, view.y, view.image_shape), view.y == -1
            raw = calibration_error(normalize_rows(model.membership_)[free], truth[free], 10)
            honest = calibration_error(model.label_distributions_[free], truth[free], 10)
            results.setdefault("ECE of memberships", []).append(raw)
            results.setdefault("ECE calibrated", []).append(honest)
            everything = draw_case(dataset, seed=seed, samples_per_class=100)
            drawn = {row.tobytes() for row in view.X}
            other = np.stack([r for r in everything.view.X if r.tobytes() not in drawn])
            for kind, odd in strangers(view.X, other, rng).items():
                X = np.concatenate([view.X, normalize(odd)])
                y = np.concatenate([view.y, np.full(len(odd), -1)])
                score = fit(X, y, view.image_shape).outlier_score_
                area = roc_auc_score(np.arange(len(X)) >= len(view.X), score)
                results.setdefault(f"AUC {kind}", []).append(area)
            for how in ("query", "random"):
                accuracy = asked(view.X, truth, view.image_shape, how, seed)
                results.setdefault(f"labels by {how}", []).append(accuracy)
        print(name)
        for what, values in results.items():
            print(f"  {what:18} {np.mean(values):.3f} ± {np.std(values):.3f}")


if __name__ == "__main__":
    main()
