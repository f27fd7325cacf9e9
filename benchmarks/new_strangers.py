"""Strangers among new samples: of classes that the fit has seen without a label, and of others.

    python benchmarks/new_strangers.py [--data DIR] [--photos DIR] [--seeds 5] [--first-seed 1000]
                                       [--sets digits ...] [--save FILE]

Half of the classes have five labels each. The fit has seven in ten samples of these and of as many
further classes as make up half, three quarters or all of the classes; new samples are the rest.
Share of new samples with a ``novelty(X)`` above one half: of labelled classes, of those that the
fit has seen without a label, of those that it has not seen, and of uniform noise.

The seeds are others than those with which the method was made (0 and 1).
"""

import argparse
import warnings
from functools import partial
from pathlib import Path

import numpy as np
from novelty import SETS, STRANGE, draw
from photographs import PHOTOS, photo_directory
from protocol import available, data_directory
from saved_rows import SavedRows

from ronmf import RONMF

IN_THE_FIT = (0.5, 0.75, 1.0)
COLUMNS = ("labelled", "seen", "unseen", "noise")
_LABELS, _SHARE, _NOISE = 5, 0.7, 100


def measure(
    name: str, data: Path | None, photos: Path | None, inside: float, seed: int
) -> dict[str, float | None]:
    """Return the share of new samples of each kind that are called strangers."""
    X, truth, shape = draw(name, data, photos, seed)
    rng = np.random.default_rng((seed, 31))
    classes = rng.permutation(truth.max() + 1)
    labelled = classes[: max(2, len(classes) // 2)]
    seen = classes[: max(len(labelled), round(inside * len(classes)))]
    fitted = np.isin(truth, seen) & (rng.random(len(truth)) < _SHARE)
    y = np.full(len(truth), -1)
    for j in labelled:
        y[rng.permutation(np.flatnonzero(fitted & (truth == j)))[:_LABELS]] = j
    model = RONMF(image_shape=shape, random_state=seed).fit(X[fitted], y[fitted])
    new = truth[~fitted]
    strange = model.novelty(X[~fitted]) > STRANGE
    kinds = np.isin(new, labelled), np.isin(new, seen), np.full(len(new), True)
    found, left = {}, np.full(len(new), True)
    for column, kind in zip(COLUMNS, kinds, strict=False):
        rows, left = kind & left, left & ~kind
        found[column] = float(strange[rows].mean()) if rows.any() else None
    noise = X.max() * rng.random((_NOISE, X.shape[1]))
    return found | {"noise": float((model.novelty(noise) > STRANGE).mean())}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", help="folder of the real sets (default: $RONMF_DATA)")
    parser.add_argument("--photos", help="folder of photographs (default: $RONMF_PHOTOS)")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--first-seed", type=int, default=1000)
    parser.add_argument("--sets", nargs="+", default=SETS, choices=SETS)
    parser.add_argument("--save", help="file of JSON lines; what is there is not computed again")
    options = parser.parse_args()
    data, photos = data_directory(options.data), photo_directory(options.photos)
    warnings.simplefilter("ignore")
    rows = SavedRows(options.save, ("set", "inside", "seed"))
    sets = [s for s in options.sets if (photos if s in PHOTOS else available(s, data))]
    print("| classes in the fit | set | " + " | ".join(COLUMNS) + " |")
    print("|---|---|" + "---|" * len(COLUMNS))
    for inside in IN_THE_FIT:
        means = []
        for name in sets:
            found = [
                rows.row(
                    partial(measure, name, data, photos, inside, seed),
                    set=name,
                    inside=inside,
                    seed=seed,
                )
                for seed in range(options.first_seed, options.first_seed + options.seeds)
            ]
            table = [[np.nan if row[c] is None else row[c] for c in COLUMNS] for row in found]
            means.append(np.mean(table, axis=0))
            print(line(inside, name, means[-1]), flush=True)
        print(line(inside, "mean", np.mean(means, axis=0)), flush=True)


def line(inside: float, name: str, values: np.ndarray) -> str:
    """Return a line of the table."""
    shown = " | ".join(f"{v:.3f}".replace("nan", "-") for v in values)
    return f"| {inside:.0%} | {name} | {shown} |"


if __name__ == "__main__":
    main()
