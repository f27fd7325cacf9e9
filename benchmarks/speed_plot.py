"""Plot what ``speed.py`` and ``growth.py`` have saved.

    python benchmarks/speed_plot.py [--folder results/speed]

Writes ``speed.svg`` there: the time of whole fits over that of scikit-learn's label spreading, and
how the time grows with samples.
"""

import argparse
import json
from pathlib import Path

import matplotlib.pyplot as plt

COLOURS = {"plain": "#8da0cb", "default": "#fc8d62"}


def plot_fits(axis: plt.Axes, rows: list[dict]) -> None:
    """Draw the ratios of whole fits to label spreading."""
    names = list(dict.fromkeys(row["data"] for row in rows))
    for place, (fit, colour) in enumerate(COLOURS.items()):
        ratios = [row["ratio"] for row in rows if row["fit"] == fit]
        spots = [i + 0.4 * place - 0.2 for i in range(len(names))]
        bars = axis.bar(spots, ratios, 0.38, color=colour, label=fit)
        axis.bar_label(bars, fmt="%.2f", fontsize=8)
    axis.axhline(1.0, color="gray", linewidth=0.8, linestyle="--", zorder=0)
    axis.margins(y=0.1)
    axis.set_xticks(range(len(names)), names)
    axis.set_ylabel("time / LabelSpreading")
    axis.legend(frameon=False)


def plot_growth(axis: plt.Axes, rows: list[dict]) -> None:
    """Draw the time of fits over the number of samples."""
    for row in (row for row in rows if row["grows"] == "samples"):
        label = f"{row['fit']}: exponent {row['exponent']:.2f}"
        axis.loglog(row["sizes"], row["seconds"], "o-", color=COLOURS[row["fit"]], label=label)
        axis.set_xticks(row["sizes"], [f"{size:,}" for size in row["sizes"]])
    axis.set_xticks([], minor=True)
    axis.set_yticks([1, 3, 10, 30], ["1", "3", "10", "30"])
    axis.set_yticks([], minor=True)
    axis.set_xlabel("samples of mnist")
    axis.set_ylabel("seconds")
    axis.legend(frameon=False)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, default=Path("results/speed"))
    folder = parser.parse_args().folder
    fits = json.loads((folder / "speed.json").read_text())["sections"]["Whole fits"]
    growth = json.loads((folder / "growth.json").read_text())["rows"]
    plt.rcParams["svg.hashsalt"] = "ronmf"  # the same plot is the same file
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.2), layout="constrained")
    plot_fits(left, fits)
    plot_growth(right, growth)
    figure.savefig(folder / "speed.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
