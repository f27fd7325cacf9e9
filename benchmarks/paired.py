"""Two versions of the code on the same draws: how accurate, how fast, and how sure that is.

    PYTHONPATH=OLD/src python benchmarks/paired.py run old.json --data DIR
    python benchmarks/paired.py run new.json --data DIR
    python benchmarks/paired.py compare old.json new.json

Draws of seven sets with one label per class up to 30 % labels, clean, noisy and covered pictures,
with the shape of the pictures and without, on up to some thousand samples. Seeds begin at 1000, so
no published table has them. ``--part`` keeps to the draws whose name has that text in it.
"""

import argparse
import json
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from protocol import available, data_directory

from ronmf import RONMF
from ronmf.baselines import HarmonicLabelPropagation
from ronmf.bench import draw_case
from ronmf.datasets import load

FIRST_SEED = 1000
SETS = ("yale", "umist", "orl10p", "coil20", "coil100", "usps", "mnist")
MOST = {"umist": 19, "coil20": 36, "coil100": 36, "usps": 60, "mnist": 60}  # samples of a class
CLEAN = {"1 label": {"labels_per_class": 1}, "2 labels": {"labels_per_class": 2}}
CLEAN |= {"5 labels": {"labels_per_class": 5}, "30 %": {}, "30 %, no shape": {"shape": False}}
BAD = {
    "salt and pepper 0.3": {"noise": "salt_pepper", "noise_level": 0.3},
    "Gaussian 0.5": {"noise": "gaussian", "noise_level": 0.5},
    "covered 0.3": {"noise": "occlusion_random", "noise_level": 0.3},
}
SMALL = [
    (name, setting, {"n_classes": 6, "samples_per_class": MOST.get(name), **how})
    for name in SETS
    for setting, how in (CLEAN | BAD).items()
]
# Samples so many that the graph is chosen on a part of them
LARGE = [
    (name, f"large, {setting}", {"samples_per_class": most, **how})
    for name, most in (("usps", 300), ("mnist", 300), ("coil100", 24), ("coil20", None))
    for setting, how in {
        "1 label": {"labels_per_class": 1},
        "5 labels": {"labels_per_class": 5},
        "10 %": {"label_rate": 0.1},
        "10 %, salt and pepper 0.3": {"label_rate": 0.1, **BAD["salt and pepper 0.3"]},
    }.items()
]


def draws(folder: Path | None, part: str, seeds: range) -> Iterator[tuple[str, object, bool]]:
    """Yield the name of each draw, the case, and whether the pictures' shape is told."""
    for name, setting, how in SMALL + LARGE:
        if part not in f"{name}, {setting}," or not available(name, folder):
            continue
        drawn = {key: value for key, value in how.items() if key != "shape"}
        for seed in seeds:
            case = draw_case(load(name, folder), seed=seed, **drawn)
            yield f"{name}, {setting}, {seed}", case, how.get("shape", True)


def run(folder: Path | None, part: str, seeds: range, propagation: bool) -> dict[str, list[float]]:
    """Return the accuracy on the unlabelled samples of every draw, and the seconds it took."""
    found = {}
    for name, case, shaped in draws(folder, part, seeds):
        view = case.view
        shape = view.image_shape if shaped else None
        known = {"image_shape": shape, "random_state": 0}
        if propagation:
            known |= {"graph": "auto", "class_prior": "labels"}
        kind = HarmonicLabelPropagation if propagation else RONMF
        start = time.perf_counter()
        labels = kind(view.n_clusters, **known).fit(view.X, view.y).labels_
        seconds = time.perf_counter() - start
        found[name] = [case.score(labels)["acc_unlabelled"], seconds]
        print(f"{name}: {found[name][0]:.4f} ({seconds:.1f} s)", flush=True)
    return found


def compare(old: dict[str, list[float]], new: dict[str, list[float]]) -> None:
    """Print mean differences, new minus old, with a 95 % interval: by setting, by set, and all."""
    names = [name for name in old if name in new]
    groups = {"all": names}
    for place in (1, 0):
        for name in names:
            data, rest = name.split(", ", 1)
            groups.setdefault((data, rest.rsplit(", ", 1)[0])[place], []).append(name)
    print(f"{'draws':38} {'n':>4} {'old':>7} {'new':>7} {'difference':>20} {'time':>6}")
    for group, own in groups.items():
        a, b = np.array([old[n] for n in own]), np.array([new[n] for n in own])
        gap = b[:, 0] - a[:, 0]
        half = 1.96 * gap.std(ddof=1) / len(gap) ** 0.5 if len(gap) > 1 else float("nan")
        middle = f"{gap.mean():+.4f} [{gap.mean() - half:+.4f}, {gap.mean() + half:+.4f}]"
        ratio = b[:, 1].sum() / a[:, 1].sum()
        means = f"{a[:, 0].mean():7.4f} {b[:, 0].mean():7.4f}"
        print(f"{group:38} {len(own):4} {means} {middle:>24} {ratio:6.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    runs = commands.add_parser("run", help="fit every draw with the version that is imported")
    runs.add_argument("file", type=Path)
    runs.add_argument("--data", help="data directory (default: $RONMF_DATA)")
    runs.add_argument("--part", default="", help="text in the name of a draw")
    runs.add_argument("--seeds", type=int, default=2)
    runs.add_argument("--first", type=int, default=FIRST_SEED, help="first seed")
    runs.add_argument("--propagation", action="store_true", help="propagation alone, for speed")
    versions = commands.add_parser("compare", help="two files of results")
    versions.add_argument("old", type=Path)
    versions.add_argument("new", type=Path)
    options = parser.parse_args()
    if options.command == "compare":
        compare(*(json.loads(path.read_text()) for path in (options.old, options.new)))
        return
    warnings.simplefilter("ignore")
    seeds = range(options.first, options.first + options.seeds)
    found = run(data_directory(options.data), options.part, seeds, options.propagation)
    options.file.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
