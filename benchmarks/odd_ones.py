"""Damaged pictures: what finds them, and what does not.

    python benchmarks/odd_ones.py [--data DIR] [--seeds 5] [--first-seed 1000]
                                  [--sets digits ...] [--save FILE]

All classes, five labels each, at most 1500 samples. One unlabelled picture in twenty is damaged: a
block of a third of it is covered in one gray, or 30 % of its pixels are black or white, or all are
random, or its values are turned round. Area under the ROC curve, damaged pictures against other
unlabelled ones: of ``outlier_score_``, of ``novelty_`` and of one minus ``certainty_``, means over
draws.

The seeds are others than those with which the method was made (0 and 1).
"""

import argparse
import warnings
from functools import partial
from pathlib import Path

import numpy as np
from protocol import available, data_directory, load_dataset, thin
from saved_rows import SavedRows
from sklearn.metrics import roc_auc_score

from ronmf import RONMF

SETS = ("digits", "usps", "mnist", "umist", "coil20", "yale", "orl10p")
KINDS = ("covered", "salt and pepper", "random", "turned round")
SCORES = ("outlier_score_", "novelty_", "1 - certainty_")
_MOST, _LABELS, _SHARE, _SIDE, _DENSITY = 1500, 5, 0.05, 0.58, 0.3


def damaged(
    X: np.ndarray, shape: tuple[int, ...], kind: str, white: float, rng: np.random.Generator
) -> np.ndarray:
    """Return damaged copies of pictures."""
    if kind == "turned round":
        return white - X
    if kind == "random":
        return white * rng.random(X.shape)
    found = X.copy()
    if kind == "salt and pepper":
        hit = rng.random(X.shape) < _DENSITY
        found[hit] = white * (rng.random(hit.sum()) < 0.5)
        return found
    pictures, sides = found.reshape(-1, *shape[:2]), [round(_SIDE * side) for side in shape[:2]]
    for picture in pictures:
        top, left = (
            rng.integers(whole - side + 1) for whole, side in zip(shape, sides, strict=False)
        )
        picture[top : top + sides[0], left : left + sides[1]] = white * rng.random()
    return found


def measure(name: str, data: Path | None, kind: str, seed: int) -> dict[str, float]:
    """Return how well each score tells damaged pictures."""
    dataset = thin(load_dataset(name, data), _MOST, seed)
    truth = np.unique(dataset.y, return_inverse=True)[1]
    rng, y = np.random.default_rng((seed, 80)), np.full(len(truth), -1)
    for j in range(truth.max() + 1):
        y[rng.permutation(np.flatnonzero(truth == j))[:_LABELS]] = j
    free, X = np.flatnonzero(y < 0), np.array(dataset.X, dtype=np.float64)
    bad = rng.permutation(free)[: max(5, round(_SHARE * len(free)))]
    X[bad] = damaged(X[bad], dataset.image_shape, kind, X.max(), rng)
    model = RONMF(image_shape=dataset.image_shape, random_state=seed).fit(X, y)
    scores = (model.outlier_score_, model.novelty_, 1 - model.certainty_)
    hit = np.isin(free, bad)
    return {
        score: float(roc_auc_score(hit, found[free]))
        for score, found in zip(SCORES, scores, strict=True)
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", help="folder of the real sets (default: $RONMF_DATA)")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--first-seed", type=int, default=1000)
    parser.add_argument("--sets", nargs="+", default=SETS, choices=SETS)
    parser.add_argument("--save", help="file of JSON lines; what is there is not computed again")
    options = parser.parse_args()
    data = data_directory(options.data)
    warnings.simplefilter("ignore")
    rows = SavedRows(options.save, ("set", "kind", "seed"))
    sets = [name for name in options.sets if available(name, data)]
    print("| damage | set | " + " | ".join(SCORES) + " |\n|---|---|" + "---|" * len(SCORES))
    for kind in KINDS:
        means = []
        for name in sets:
            found = [
                rows.row(partial(measure, name, data, kind, seed), set=name, kind=kind, seed=seed)
                for seed in range(options.first_seed, options.first_seed + options.seeds)
            ]
            means.append([np.mean([row[score] for row in found]) for score in SCORES])
            print(line(kind, name, means[-1]), flush=True)
        print(line(kind, "mean", np.mean(means, axis=0)), flush=True)


def line(kind: str, name: str, values: object) -> str:
    """Return a line of the table."""
    return f"| {kind} | {name} | " + " | ".join(f"{v:.3f}" for v in values) + " |"


if __name__ == "__main__":
    main()
