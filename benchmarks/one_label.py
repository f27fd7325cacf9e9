"""One label per class: accuracy, luck, and whether certainty is honest.

    python benchmarks/one_label.py [--data DIR] [--photos DIR] [--seeds 10] [--first-seed 1000]
                                   [--states 5] [--sets digits ...] [--labels 1 5] [--share 0.3]
                                   [--shuffle] [--save FILE]

All classes and all samples of a set, of usps and mnist 2000 drawn at random; photographs are
compared by the embeddings of the project's own small network. The seed draws samples and labels, so
many of each class at random; a share below one labels that part of every class instead. The method
is RONMF with its defaults, told the shape of pictures. With one label it is fitted to every draw
with several random states, else with one. On samples without a label:

- accuracy, mean over the random states of a draw, mean ± standard deviation over draws;
- luck: the largest minus the smallest accuracy of the random states, median and largest of draws;
- calibration error of ``certainty_`` (15 bins of equal width), mean over draws; certainty minus
  accuracy, so that its sign tells whether it is too high;
- seconds of processor time of a fit.

With --shuffle each random state also takes the samples in an order of its own: internal seeds that
are the same for every fit would hide luck otherwise. The seeds are others than those with which the
method was made (0 to 5).
"""

import argparse
import time
import warnings
from functools import partial
from pathlib import Path

import numpy as np
from novelty import calibration_error, draw
from photographs import PHOTOS, photo_directory
from protocol import available, data_directory
from saved_rows import SavedRows

from ronmf import RONMF

SETS = ("yale", "umist", "orl10p", "coil20", "usps", "mnist", "digits", *PHOTOS)
KEYS = ("accuracy", "error", "bias", "seconds")
HEADS = ("set", "accuracy", "luck", "largest", "calibration error", "too sure by", "seconds")


def drawn_labels(truth: np.ndarray, labels: float, seed: int) -> np.ndarray:
    """Return so many labels of each class, or such a share of them, -1 elsewhere."""
    rng = np.random.default_rng((seed, 31))
    y = np.full(len(truth), -1)
    for j in range(truth.max() + 1):
        members = rng.permutation(np.flatnonzero(truth == j))
        wanted = round(labels * len(members)) if labels < 1 else int(labels)
        y[members[: max(1, min(wanted, len(members) - 1))]] = j
    return y


def measure(
    name: str,
    data: Path | None,
    photos: Path | None,
    labels: float,
    shuffle: bool,
    seed: int,
    state: int,
) -> dict[str, float]:
    """Return what a fit is worth on the samples without a label."""
    X, truth, shape = draw(name, data, photos, seed)
    y = drawn_labels(truth, labels, seed)
    if shuffle:
        order = np.random.default_rng((seed, state)).permutation(len(y))
        X, truth, y = X[order], truth[order], y[order]
    start = time.process_time()
    model = RONMF(image_shape=shape, random_state=1000 * seed + state).fit(X, y)
    seconds = time.process_time() - start
    free = y < 0
    sure, right = model.certainty_[free], (model.transduction_ == truth)[free]
    return {
        "accuracy": float(right.mean()),
        "error": calibration_error(sure, right),
        "bias": float(sure.mean() - right.mean()),
        "seconds": round(seconds, 2),
    }


def line(name: str, draws: list[list[dict[str, float]]]) -> tuple[str, np.ndarray]:
    """Return a line of the table from the fits of each draw, and its numbers."""
    each = {key: [np.mean([row[key] for row in rows]) for rows in draws] for key in KEYS}
    luck = [np.ptp([row["accuracy"] for row in rows]) for rows in draws]
    numbers = [np.mean(each["accuracy"]), np.median(luck), np.max(luck)]
    numbers += [np.mean(each[key]) for key in ("error", "bias", "seconds")]
    spread = np.std(each["accuracy"], ddof=1) if len(draws) > 1 else 0.0
    return as_line(name, numbers, f" ± {spread:.3f}"), np.array(numbers)


def as_line(name: str, numbers: "list[float] | np.ndarray", spread: str = "") -> str:
    accuracy, luck, largest, error, bias, seconds = numbers
    cells = f"{accuracy:.3f}{spread} | {luck:.3f} | {largest:.3f} | {error:.3f} | {bias:+.3f}"
    return f"| {name} | {cells} | {seconds:.1f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", help="folder of the real sets (default: $RONMF_DATA)")
    parser.add_argument("--photos", help="folder of photographs (default: $RONMF_PHOTOS)")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first-seed", type=int, default=1000)
    parser.add_argument("--states", type=int, default=5, help="random states at one label")
    parser.add_argument("--sets", nargs="+", default=SETS, choices=SETS)
    parser.add_argument("--labels", nargs="+", type=int, default=[1, 5], help="labels per class")
    parser.add_argument("--share", nargs="+", type=float, default=[], help="shares of labels")
    parser.add_argument("--shuffle", action="store_true", help="another order for each state")
    parser.add_argument("--save", help="file of JSON lines; what is there is not computed again")
    options = parser.parse_args()
    data, photos = data_directory(options.data), photo_directory(options.photos)
    warnings.simplefilter("ignore")
    rows = SavedRows(options.save, ("set", "labels", "shuffle", "seed", "state"))
    for labels in [*options.labels, *options.share]:
        amount = f"{labels:.0%} of the labels" if labels < 1 else f"{labels} per class"
        states = options.states if labels == 1 else 1
        print(f"\n{amount}, {options.seeds} draws, {states} random states\n")
        print("| " + " | ".join(HEADS) + " |\n|" + "---|" * len(HEADS))
        table = []
        for name in options.sets:
            if not (photos if name in PHOTOS else available(name, data)):
                print(f"| {name} | not there: --data, --photos |")
                continue
            made = partial(measure, name, data, photos, labels, options.shuffle)
            draws = [
                [
                    rows.row(
                        partial(made, seed, state),
                        set=name,
                        labels=labels,
                        shuffle=options.shuffle,
                        seed=seed,
                        state=state,
                    )
                    for state in range(states)
                ]
                for seed in range(options.first_seed, options.first_seed + options.seeds)
            ]
            text, numbers = line(name, draws)
            print(text, flush=True)
            table.append(numbers)
        if table:
            print(as_line("mean", np.mean(table, axis=0)))


if __name__ == "__main__":
    main()
