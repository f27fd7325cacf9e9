"""Nothing to find: labels drawn at random, and noise without labels.

    python benchmarks/nothing_there.py [--draws 20] [--first-seed 1000]

- 250 of scikit-learn's digits, 40 of them with a label of one of two classes, or of five, drawn at
  random: in how many draws ``diagnose()`` says "chance" or that there is no evidence;
- noise (uniform or normal, as rows or as pictures) without labels, with a number of clusters and
  with "auto": how many samples have a certainty above 0.9, and in how many draws ``fit`` warns;
- beside it real clusters without labels, where ``fit`` should say nothing of the kind: digits as
  they are, and ten well separated groups.

The seeds are others than those with which the method was made (0 to 9).
"""

import argparse
import warnings

import numpy as np
from sklearn.datasets import load_digits, make_blobs

from ronmf import RONMF
from ronmf.estimators.trouble import TroubleWarning

SURE = 0.9
_HONEST = {"chance", "no evidence", "little evidence"}
_NOTHING = {"no structure", "one cluster"}


def random_labels(n_classes: int, seed: int) -> bool:
    """Return whether a fit to random labels says that they tell nothing."""
    rng = np.random.default_rng((seed, 70))
    digits = load_digits()
    rows = rng.permutation(len(digits.data))[:250]
    y = np.full(250, -1)
    y[rng.permutation(250)[:40]] = rng.integers(n_classes, size=40)
    model = RONMF(image_shape=(8, 8), random_state=seed).fit(digits.data[rows], y)
    return any(trouble.kind in _HONEST for trouble in model.diagnose())


def noise(kind: str, seed: int) -> np.ndarray:
    """Return rows, or pictures, in which there is nothing."""
    rng = np.random.default_rng((seed, 71))
    if kind == "uniform pictures":
        return rng.random((400, 12, 12))
    return rng.random((400, 20)) if kind == "uniform rows" else rng.normal(size=(400, 20))


def clusters(kind: str, seed: int) -> np.ndarray:
    """Return samples with clusters."""
    if kind == "digits":
        rows = np.random.default_rng((seed, 72)).permutation(1797)[:600]
        return load_digits().images[rows]
    return make_blobs(500, 15, centers=10, random_state=seed)[0]


def without_labels(X: np.ndarray, n_clusters: int | str, seed: int) -> tuple[float, bool]:
    """Return the share of sure samples, and whether the fit warned that nothing is there."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = RONMF(n_clusters, random_state=seed).fit(X)
    told = any(issubclass(each.category, TroubleWarning) for each in caught)
    told = told and any(trouble.kind in _NOTHING for trouble in model.diagnose())
    return float((model.certainty_ > SURE).mean()), told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=20)
    parser.add_argument("--first-seed", type=int, default=1000)
    options = parser.parse_args()
    seeds = range(options.first_seed, options.first_seed + options.draws)
    warnings.simplefilter("ignore")
    print("| random labels | draws that say so |\n|---|---|")
    for n_classes in (2, 5):
        told = sum(random_labels(n_classes, seed) for seed in seeds)
        print(f"| of {n_classes} classes | {told} of {len(seeds)} |", flush=True)
    print("\n| without labels | clusters | samples above 0.9 | draws that warn |")
    print("|---|---|---|---|")
    kinds = {"uniform rows": noise, "normal rows": noise, "uniform pictures": noise}
    kinds |= {"digits": clusters, "groups": clusters}
    for kind, make in kinds.items():
        for n_clusters in (2, 10, "auto"):
            found = [without_labels(make(kind, seed), n_clusters, seed) for seed in seeds]
            sure, told = np.mean([row[0] for row in found]), sum(row[1] for row in found)
            print(f"| {kind} | {n_clusters} | {sure:.3f} | {told} of {len(seeds)} |", flush=True)


if __name__ == "__main__":
    main()
