"""What the factors of RONMF are good for beside accuracy, each beside the same without factors.

    python benchmarks/factorisation_uses.py --data DIR --save FILE.jsonl

Six classes, at most 100 samples of each, 30 % labels, draws of seeds 0 to 2.

- New samples: half of the unlabelled samples are held out. Accuracy on them of the graph's links,
  which need the training set, and of small models, with their size as 32-bit numbers. The models
  without factors learn from the labels that propagation on the same graph found.
- Outlier pixels: one pixel position in ten shows random values in half of the samples. Area under
  the ROC curve of ``group_weights_``, of the residuals beside class means, and of the variance.
- Outlier samples: one sample of another class, or of shuffled pixels, for every twenty. Area under
  the ROC curve of ``outlier_score_``, of the same formula with residuals beside class means
  and with no residuals at all.

One line for every draw is kept in FILE.jsonl; those already there are not computed again.
"""

import argparse
import pickle
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
from factorisation import SETS, Rows, dataset
from factorisation_regimes import Ground, split_classes
from protocol import available, data_directory
from sklearn.cluster import KMeans
from sklearn.linear_model import RidgeClassifier
from sklearn.metrics import roc_auc_score
from sklearn.preprocessing import normalize

from ronmf import RONMF
from ronmf.bench import View, draw_case
from ronmf.datasets import Dataset
from ronmf.labels.uncertainty import outlier_scores

SEEDS = range(3)
KILOBYTE, NUMBER = 1024, 4  # bytes


def nearest(X: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Return the number of the point in whose direction each sample lies most nearly."""
    return (X @ normalize(points).T).argmax(axis=1)


def class_means(X: np.ndarray, labels: np.ndarray) -> np.ndarray:
    return np.stack([X[labels == j].mean(axis=0) for j in range(labels.max() + 1)])


def size_of_factors(model: RONMF) -> float:
    """Return kilobytes: of each feature its part and its value there, and all amplitudes."""
    count = 1.5 * model.components_.shape[1] + model.amplitudes_.size  # parts in 16 bits
    return count * NUMBER / KILOBYTE


def new_samples(pictures: Dataset, seed: int) -> dict[str, float]:
    """Return accuracies on new samples and the sizes of what has to be kept."""
    case = draw_case(pictures, n_classes=6, samples_per_class=100, seed=seed)
    X, y, truth = case.view.X, case.view.y, case.truth_for_pictures
    free = np.flatnonzero(y < 0)
    new = np.random.default_rng(seed).choice(free, len(free) // 2, replace=False)
    old = np.setdiff1d(np.arange(len(y)), new)
    ground = Ground.of(View(X[old], y[old], 6, case.view.image_shape), "auto")
    model, labels = ground.model, ground.propagate()
    alone = ground.refit()  # a given graph links no new sample: the factors decide
    many = ground.refit(n_components=min(60, X.shape[1]))
    finer, owner = split_classes(X[old], y[old], 3)
    split = ground.refit(finer)
    means = class_means(X[old], labels)
    groups = [
        KMeans(min(3, (labels == j).sum()), n_init=3, random_state=0).fit(X[old][labels == j])
        for j in range(6)
    ]
    centres = np.concatenate([group.cluster_centers_ for group in groups])
    centre_class = np.repeat(np.arange(6), [len(group.cluster_centers_) for group in groups])
    linear = RidgeClassifier().fit(X[old], labels)
    rows = NUMBER * X.shape[1] / KILOBYTE
    found = {
        "links to the training set": (model.predict(X[new]), len(pickle.dumps(model)) / KILOBYTE),
        "factors": (alone.predict(X[new]), size_of_factors(alone)),
        "factors, 60 parts": (many.predict(X[new]), size_of_factors(many)),
        "factors, 3 sub-classes": (owner[split.predict(X[new])], size_of_factors(split)),
        "nearest of prototypes_": (nearest(X[new], model.prototypes_), 6 * rows),
        "no factors: nearest class mean": (nearest(X[new], means), 6 * rows),
        "no factors: 3 centres of a class": (
            centre_class[nearest(X[new], centres)],
            len(centres) * rows,
        ),
        "no factors: ridge classifier": (linear.predict(X[new]), 6 * rows),
    }
    values = {f"acc {name}": float((p == truth[new]).mean()) for name, (p, _) in found.items()}
    values |= {f"kB {name}": size for name, (_, size) in found.items()}
    return values | {"kB pictures alone": len(old) * rows}


def outlier_pixels(pictures: Dataset, seed: int) -> dict[str, float]:
    """Return areas under the curve for pixels that were spoilt on purpose."""
    case = draw_case(pictures, n_classes=6, samples_per_class=100, seed=seed, scaling="none")
    rng, X = np.random.default_rng(seed), case.view.X.copy()
    bad = rng.permutation(X.shape[1]) < X.shape[1] / 10
    hit = (rng.random(X.shape) < 0.5) & bad
    X = normalize(np.where(hit, rng.random(X.shape), X))
    ground = Ground.of(View(X, case.view.y, 6, case.view.image_shape), "plain")
    labels = ground.propagate()
    residual = X - class_means(X, labels)[labels]
    scores = {
        "group_weights_": -ground.model.group_weights_,
        "no factors: residuals beside class means": (residual**2).sum(axis=0),
        "no factors: variance": X.var(axis=0),
    }
    values = {f"pixels {name}": roc_auc_score(bad, score) for name, score in scores.items()}
    return values | {"share of weights 0": float((ground.model.group_weights_ == 0).mean())}


def outlier_samples(pictures: Dataset, seed: int) -> dict[str, float]:
    """Return areas under the curve for samples that belong to no class."""
    case = draw_case(pictures, n_classes=6, samples_per_class=100, seed=seed)
    everything = draw_case(pictures, samples_per_class=100, seed=seed).view.X
    rng, view, values = np.random.default_rng(seed), case.view, {}
    drawn = {row.tobytes() for row in view.X}
    others = np.stack([row for row in everything if row.tobytes() not in drawn])
    count = max(3, len(view.X) // 20)
    some = view.X[rng.choice(len(view.X), count, replace=False)]
    strange = {
        "other class": others[rng.choice(len(others), count, replace=False)],
        "shuffled": rng.permuted(some, axis=1),
    }
    for kind, odd in strange.items():
        X = np.concatenate([view.X, odd])
        y = np.concatenate([view.y, np.full(count, -1)])
        ground = Ground.of(View(X, y, 6, view.image_shape), "auto")
        model, labels = ground.model, ground.propagate()
        lengths = np.linalg.norm(X - class_means(X, labels)[labels], axis=1)
        remote, sure = model.graph_.remoteness(), model.label_distributions_
        scores = {
            "outlier_score_": model.outlier_score_,
            "no factors: residuals beside class means": outlier_scores(lengths, remote, sure),
            "no factors: graph alone": outlier_scores(np.ones(len(X)), remote, sure),
        }
        for name, score in scores.items():
            area = roc_auc_score(np.arange(len(X)) >= len(view.X), score)
            values[f"{kind} {name}"] = float(area)
    return values


STUDIES = {
    "new samples": new_samples,
    "outlier pixels": outlier_pixels,
    "outlier samples": outlier_samples,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", help="folder of the real sets (default: $RONMF_DATA)")
    parser.add_argument("--save", type=Path, help="file of finished draws, added to")
    options = parser.parse_args()
    folder, rows = data_directory(options.data), Rows(options.save)
    warnings.simplefilter("ignore")
    sets = [name for name in SETS if available(name, folder)]

    def collect(title: str, name: str) -> list[dict[str, float]]:
        def compute(seed: int) -> Callable[[list[str]], dict[str, float]]:
            return lambda missing: STUDIES[title](dataset(name, folder), seed)

        # A draw that was measured says how long it took
        return [rows.get((title, name, seed), ["seconds"], compute(seed)) for seed in SEEDS]

    for title in STUDIES:
        found = {name: collect(title, name) for name in sets}
        print(f"\n**{title}** ({len(SEEDS)} draws)\n\n| | {' | '.join(sets)} |")
        print(f"|---|{'---|' * len(sets)}", flush=True)
        for what in found[sets[0]][0]:
            if what != "seconds":
                cells = [np.array([draw[what] for draw in draws]) for draws in found.values()]
                form = "{:.0f}" if what.startswith("kB") else "{:.3f} ± {:.3f}"
                print(f"| {what} | {' | '.join(form.format(c.mean(), c.std()) for c in cells)} |")
    print(f"\n{rows.minutes:.0f} minutes of one core")


if __name__ == "__main__":
    main()
