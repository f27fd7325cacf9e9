"""Rows that are embeddings: photographs as a network sees them, and a few labels of each class.

    python benchmarks/embedded_rows.py [--photos DIR] [--data DIR] [--sets trash grocery]
                                    [--labels 1 2 5 10] [--seeds 10] [--first-seed 1000]
                                    [--save FILE.jsonl]

Whole sets of photographs, embedded by the project's own small network; other sets are there to
compare (their pixels are rows here: nobody is told the shape of pictures; usps and mnist: 2000
samples). The seed draws the labels. RONMF has its defaults. Its rivals:

- harmonic label propagation on the plain graph (``ronmf.baselines``), as rows are and of unit
  length;
- scikit-learn's LabelSpreading over seven neighbours of rows of unit length;
- k-means on rows of unit length that starts from the means of the labelled rows, which keep their
  classes;
- logistic regression on the labelled rows, of unit length or standardised; C by cross-validation
  (as many folds as labels, at most five), with one label C = 1.

Accuracy on the samples without a given label, mean ± standard deviation over draws; then the lead
over the best rival, with its interval. The seeds are others than those with which the method was
made (0 to 4).
"""

import argparse
import sys
import time
import warnings
from functools import lru_cache, partial
from pathlib import Path

import numpy as np
from comparison import OURS, Scores, comparison
from novelty import SETS, draw
from photographs import PHOTOS, photo_directory
from protocol import available, data_directory
from saved_rows import SavedRows
from sklearn.linear_model import LogisticRegression, LogisticRegressionCV
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler, normalize
from sklearn.semi_supervised import LabelSpreading

from ronmf import RONMF, HarmonicLabelPropagation

_WEIGHTS = np.logspace(-1, 5, 7)  # C of rows of unit length
_ROUNDS = 50  # of k-means


def harmonic(X: np.ndarray, y: np.ndarray, seed: int) -> np.ndarray:
    return HarmonicLabelPropagation(random_state=seed).fit(X, y).transduction_


def spreading(X: np.ndarray, y: np.ndarray, seed: int) -> np.ndarray:
    return LabelSpreading(kernel="knn", n_neighbors=7).fit(X, y).transduction_


def seeded_means(X: np.ndarray, y: np.ndarray, seed: int) -> np.ndarray:
    """Return clusters of k-means whose start, and labelled members, are the labelled rows."""
    labels = y.copy()
    for _ in range(_ROUNDS):
        known = np.flatnonzero(labels >= 0)
        means = np.eye(y.max() + 1)[labels[known]].T @ X[known]
        means /= np.bincount(labels[known])[:, None]
        nearest = ((means**2).sum(axis=1) - 2 * X @ means.T).argmin(axis=1)
        found = np.where(y >= 0, y, nearest)
        if (found == labels).all():
            break
        labels = found
    return labels


def regression(X: np.ndarray, y: np.ndarray, seed: int) -> np.ndarray:
    """Return what logistic regression on the labelled rows says of all."""
    known = np.flatnonzero(y >= 0)
    centre = X[known].mean(axis=0)
    # The penalty sees only the space of the labelled rows: the same predictions in a tenth of time
    span = np.linalg.svd(X[known] - centre, full_matrices=False)[2]
    Z, folds = (X - centre) @ span.T, min(5, np.bincount(y[known]).min())
    if folds < 2:
        model = LogisticRegression(C=1.0, max_iter=500)
    else:
        # Standardised rows are longer by the root of the number of columns
        weights = _WEIGHTS / max(1.0, np.mean(np.sum(X**2, axis=1)))
        split = StratifiedKFold(folds, shuffle=True, random_state=seed)
        model = LogisticRegressionCV(Cs=weights, cv=split, max_iter=200)
    return model.fit(Z[known], y[known]).predict(Z)


def standardised(X: np.ndarray) -> np.ndarray:
    return StandardScaler().fit_transform(X)


METHODS = {
    OURS: (lambda X, y, seed: RONMF(random_state=seed).fit(X, y).transduction_, None),
    "propagation": (harmonic, None),
    "propagation, unit": (harmonic, normalize),
    "LabelSpreading": (spreading, normalize),
    "seeded k-means": (seeded_means, normalize),
    "regression, unit": (regression, normalize),
    "regression, standardised": (regression, standardised),
}


@lru_cache(maxsize=1)
def rows_of(
    name: str, data: Path | None, photos: Path | None, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return rows and their classes; sets that are not thinned are the same for every seed."""
    X, truth, _ = draw(name, data, photos, seed)
    return X, truth


def measure(
    method: str, name: str, data: Path | None, photos: Path | None, labels: int, seed: int
) -> dict[str, float]:
    """Return the accuracy of a method on one draw, and its seconds."""
    X, truth = rows_of(name, data, photos, seed)
    rng = np.random.default_rng((seed, 70))
    y = np.full(len(truth), -1)
    for j in np.unique(truth):
        y[rng.permutation(np.flatnonzero(truth == j))[:labels]] = j
    fit, form = METHODS[method]
    start = time.perf_counter()
    found = fit(X if form is None else form(X), y, seed)
    seconds = time.perf_counter() - start
    return {"accuracy": float((found == truth)[y < 0].mean()), "seconds": round(seconds, 3)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", help="folder of the real sets (default: $RONMF_DATA)")
    parser.add_argument("--photos", help="folder of photographs (default: $RONMF_PHOTOS)")
    parser.add_argument("--sets", nargs="+", default=PHOTOS, choices=SETS)
    parser.add_argument("--labels", nargs="+", type=int, default=[1, 2, 5, 10])
    parser.add_argument("--methods", nargs="+", default=list(METHODS), choices=METHODS)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first-seed", type=int, default=1000)
    parser.add_argument("--save", help="file of JSON lines; what is there is not computed again")
    options = parser.parse_args()
    data, photos = data_directory(options.data), photo_directory(options.photos)
    warnings.simplefilter("ignore")
    rows = SavedRows(options.save, ("set", "labels", "seed", "method"))
    scores: Scores = {}
    for name in options.sets:
        if not (photos if name in PHOTOS else available(name, data)):
            print(f"{name} skipped: not there (--data, --photos)\n")
            continue
        for labels in options.labels:
            found = scores[f"{name}, {labels}"] = {}
            for method in options.methods:
                found[method] = [
                    rows.row(
                        partial(measure, method, name, data, photos, labels, seed),
                        set=name,
                        labels=labels,
                        seed=seed,
                        method=method,
                    )["accuracy"]
                    for seed in range(options.first_seed, options.first_seed + options.seeds)
                ]
                text = f"{np.mean(found[method]):.4f} ± {np.std(found[method]):.4f}"
                print(f"{name}, {labels} per class: {method} {text}", file=sys.stderr, flush=True)
    if scores and len(options.methods) > 1 and OURS in options.methods:
        print(comparison(scores))


if __name__ == "__main__":
    main()
