"""Does the factorisation earn its place? RONMF beside label propagation on the same graph.

    python benchmarks/factorisation.py --data DIR --save FILE.jsonl            # seeds 100 and up
    python benchmarks/factorisation.py --data DIR --save FILE.jsonl --confirm  # seeds 0 to 9

Each regime of ``factorisation_regimes.py`` and label propagation on the same graph (with the class
prior) classify the same draws: six classes (all of digits), at most 100 samples of each, 30 %
labels unless the setting says one. Printed, for every setting and set: mean difference of the
accuracy on unlabelled samples, half the width of its 95 % confidence interval, and p of the paired
t test over draws. With ``--confirm`` only those regimes run, on other draws, that gained 0.02 or
more on three sets before. ``factorisation_uses.py`` measures what else the factors are good for.

One line for every draw is kept in FILE.jsonl; those already there are not computed again.
"""

import argparse
import json
import time
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path

import numpy as np
from factorisation_regimes import CONTROLS, REGIMES, Ground
from protocol import available, data_directory
from scipy import stats

from ronmf.bench import draw_case
from ronmf.datasets import Dataset, load

SETS = ("yale", "umist", "orl10p", "coil20", "usps", "mnist", "digits")
FIRST, CONFIRM = 100, range(10)
GAIN, LEVEL, ENOUGH = 0.02, 0.01, 3  # what a regime must bring, with which p, on how many sets


# Those that need a graph of other pictures: choosing one takes most of the time
NEW_GRAPHS = (
    "c: graph of pictures without deviating entries",
    "d: graph of weighed pixels",
    "control: graph of a plain low-rank fit",
    "control: graph of median-filtered pictures",
)
EVERYTHING = [*REGIMES, *CONTROLS]
SAME_GRAPH = [name for name in EVERYTHING if name not in NEW_GRAPHS]
BAD_GRAPH = [name for name in EVERYTHING if name not in ("b: parts x 2", "b: parts x 5")]
# One label cannot be split
ONE_LABEL = [name for name in SAME_GRAPH if "sub-classes" not in name and name in BAD_GRAPH]
FEW = [name for name in SAME_GRAPH if name.startswith(("RONMF", "g: graph weight /", "a: 3 sub"))]


@dataclass(frozen=True)
class Setting:
    """A graph, a noise, a number of labels, what is tried there, and on how many draws."""

    regimes: list[str]
    graph: str = "auto"
    noise: str = "none"
    level: float = 0.0
    labels_per_class: int | None = None
    n_draws: int = 5


COVER, SPECKS = ("occlusion_random", 0.3), ("salt_pepper", 0.3)
SETTINGS = {
    "plain graph, salt and pepper 0.3": Setting(BAD_GRAPH, "plain", *SPECKS),
    "plain graph, random cover 0.3": Setting(BAD_GRAPH, "plain", *COVER),
    "plain graph, gaussian 0.7": Setting(BAD_GRAPH, "plain", "gaussian", 0.7, n_draws=3),
    "chosen graph": Setting(SAME_GRAPH),
    "chosen graph, one label of a class": Setting(ONE_LABEL, labels_per_class=1),
    "chosen graph, salt and pepper 0.3": Setting(FEW, "auto", *SPECKS, n_draws=3),
    "chosen graph, random cover 0.3": Setting([*FEW, *NEW_GRAPHS[:2]], "auto", *COVER, n_draws=3),
}


class Rows:
    """Figures by key and name, each computed once and kept in a file."""

    def __init__(self, file: Path | None) -> None:
        self.file = file
        self.values: defaultdict[tuple, dict[str, float]] = defaultdict(dict)
        lines = file.read_text().splitlines() if file is not None and file.exists() else []
        for row in map(json.loads, lines):
            self._add(tuple(row["key"]), row["values"])

    def _add(self, key: tuple, values: dict[str, float]) -> None:
        before = self.values[key].get("seconds", 0.0)
        self.values[key] |= values | {"seconds": before + values["seconds"]}

    def get(
        self, key: tuple, names: list[str], compute: Callable[[list[str]], dict[str, float]]
    ) -> dict[str, float]:
        """Return the figures of `key`; `compute` is asked for those names that are missing."""
        missing = [name for name in names if name not in self.values[key]]
        if missing:
            begin = time.process_time()
            values = compute(missing)
            values["seconds"] = round(time.process_time() - begin, 1)
            self._add(key, values)
            if self.file is not None:
                with self.file.open("a") as lines:
                    lines.write(json.dumps({"key": key, "values": values}) + "\n")
        return self.values[key]

    @property
    def minutes(self) -> float:
        """What all of it took of one core."""
        return sum(row["seconds"] for row in self.values.values()) / 60


@lru_cache(maxsize=1)
def dataset(name: str, folder: Path | None) -> Dataset:
    return load(name, folder)


def accuracies(
    pictures: Dataset, setting: Setting, seed: int, regimes: list[str]
) -> dict[str, float]:
    """Return the accuracy of propagation and of some regimes on one draw."""
    case = draw_case(
        pictures,
        n_classes=None if pictures.name == "digits" else 6,
        samples_per_class=100,
        labels_per_class=setting.labels_per_class,
        noise=setting.noise,
        noise_level=setting.level,
        seed=seed,
    )
    ground, known = Ground.of(case.view, setting.graph), {**REGIMES, **CONTROLS}
    found = {"propagation": ground.propagate()}
    found |= {regime: known[regime](ground) for regime in regimes}
    return {what: case.score(labels)["acc_unlabelled"] for what, labels in found.items()}


def paired(differences: np.ndarray) -> tuple[float, float, float]:
    """Return mean, half the 95 % interval and two-sided p of the paired t test."""
    mean, error = differences.mean(), differences.std(ddof=1) / np.sqrt(len(differences))
    if error == 0:
        return mean, 0.0, float(mean == 0)
    degrees = len(differences) - 1
    width = stats.t.ppf(0.975, degrees) * error
    return mean, width, float(2 * stats.t.sf(abs(mean) / error, degrees))


def compare(draws: list[dict], regime: str) -> tuple[float, float, float]:
    return paired(np.array([draw[regime] - draw["propagation"] for draw in draws]))


def print_table(title: str, rows: dict[str, list[dict]], regimes: list[str]) -> None:
    print(f"\n**{title}** ({len(next(iter(rows.values())))} draws)\n")
    print(f"| | {' | '.join(rows)} | sets |\n|---|{'---|' * (len(rows) + 1)}")
    print(f"| propagation, same graph | {levels(rows.values(), 'propagation')} | |")
    for regime in regimes:
        results = [compare(draws, regime) for draws in rows.values()]
        gains = sum(mean >= GAIN and p < LEVEL for mean, _, p in results)
        print(f"| {regime} | {' | '.join(map(cell, results))} | {gains} |", flush=True)


def print_remedies(noise: str, plain: dict[str, list], chosen: dict[str, list]) -> None:
    """Print what repairs a bad graph, on the draws of both."""
    count = len(next(iter(chosen.values())))
    print(f"\n**What repairs the graph, {noise}** ({count} draws)\n")
    print(f"| | {' | '.join(plain)} |\n|---|{'---|' * len(plain)}")
    for what in ("propagation", *NEW_GRAPHS):
        cells = levels([draws[:count] for draws in plain.values()], what)
        print(f"| plain graph: {what.split(': ')[-1]} | {cells} |")
    print(f"| chosen graph: propagation | {levels(chosen.values(), 'propagation')} |")


def levels(sets: Iterable[list[dict]], what: str) -> str:
    accuracy = [np.array([draw[what] for draw in draws]) for draws in sets]
    return " | ".join(f"{values.mean():.3f} ± {values.std():.3f}" for values in accuracy)


def cell(result: tuple[float, float, float]) -> str:
    mean, width, p = result
    text = f"{mean:+.3f} ± {width:.3f}, p {p:.2g}" if width else f"{mean:+.3f}"
    return f"**{text}**" if mean >= GAIN and p < LEVEL else text


def promising(rows: dict[str, list[dict]], regimes: list[str]) -> list[str]:
    """Return the regimes that gained enough on enough sets, whatever p; controls are none."""

    def n_gains(regime: str) -> int:
        return sum(compare(draws, regime)[0] >= GAIN for draws in rows.values())

    return [name for name in regimes if name in REGIMES and n_gains(name) >= ENOUGH]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", help="folder of the real sets (default: $RONMF_DATA)")
    parser.add_argument("--save", type=Path, help="file of finished draws, added to")
    parser.add_argument("--confirm", action="store_true", help="promising regimes, other draws")
    options = parser.parse_args()
    folder, rows = data_directory(options.data), Rows(options.save)
    warnings.simplefilter("ignore")
    sets = [name for name in SETS if available(name, folder)]

    def collect(title: str, seeds: range, regimes: list[str]) -> dict[str, list[dict]]:
        def draw(name: str, seed: int) -> dict[str, float]:
            compute = partial(accuracies, dataset(name, folder), SETTINGS[title], seed)
            return rows.get((title, name, seed), regimes, compute)

        return {name: [draw(name, seed) for seed in seeds] for name in sets}

    looked = {}
    for title, setting in SETTINGS.items():
        seeds = range(FIRST, FIRST + setting.n_draws)
        looked[title] = collect(title, seeds, setting.regimes)
        if not options.confirm:
            print_table(title, looked[title], setting.regimes)
        elif candidates := promising(looked[title], setting.regimes):
            regimes = [*candidates, *CONTROLS]
            print_table(title, collect(title, CONFIRM, regimes), regimes)
    if not options.confirm:
        for noise in ("salt and pepper 0.3", "random cover 0.3"):
            print_remedies(noise, looked[f"plain graph, {noise}"], looked[f"chosen graph, {noise}"])
    print(f"\n{rows.minutes:.0f} minutes of one core")


if __name__ == "__main__":
    main()
