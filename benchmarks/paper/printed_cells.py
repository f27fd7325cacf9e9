"""What the paper's printed cells say of themselves: averages, metrics, noise, ranks.

    python benchmarks/paper/printed_cells.py

No data and no fit; only the 672 cells of the paper's tables and their printed averages.
"""

import numpy as np
import pandas as pd
from published import printed

from ronmf.bench.reporting.ranking import rank_matrix

METHODS = list(printed()["method"].unique())  # in the order of print
OWN = METHODS[-3:]
BLOCKS = {
    "Type I": ("tabclean1", "none"),
    "Type II": ("tabclean2", "none"),
    "Type III": ("tabclean3", "none"),
    "Type IV": ("tabclean4", "none"),
    "Poisson": ("tabnoise1", "poisson"),
    "salt and pepper": ("tabnoise1", "salt_pepper"),
}
# The last row of each block as printed: means, then deviations, in the order of METHODS.
AVERAGES = {
    "Type I": """.584 .565 .602 .609 .626 .585 .496 .689 .689 .872 .900 .933
                 .063 .085 .084 .076 .109 .067 .084 .041 .041 .042 .036 .037""",
    "Type II": """.738 .722 .893 .739 .719 .439 .760 .966 .965 .870 .915 .934
                  .090 .070 .108 .108 .096 .084 .105 .073 .073 .012 .018 .020""",
    "Type III": """.635 .579 .701 .569 .619 .470 .550 .904 .822 .912 .930 .935
                   .049 .037 .083 .064 .021 .026 .035 .069 .064 .015 .014 .021""",
    "Type IV": """.593 .577 .566 .615 .558 .450 .565 .607 .821 .916 .963 .963
                  .082 .076 .072 .065 .075 .057 .060 .067 .033 .177 .126 .125""",
    "Poisson": """.654 .614 .736 .619 .629 .318 .620 .807 .641 .797 .797 .963
                  .108 .117 .139 .107 .132 .055 .113 .130 .049 .116 .116 .076""",
    "salt and pepper": """.562 .529 .617 .527 .554 .292 .541 .695 .609 .512 .512 .944
                          .053 .071 .080 .059 .079 .043 .060 .054 .022 .222 .222 .104""",
}
ROUNDING = 0.001  # an average that is off by no more may have been rounded on the way


def printed_averages(block: str) -> pd.DataFrame:
    """Return the printed averages of a block: mean and std of each method."""
    numbers = [float(text) for text in AVERAGES[block].split()]
    return pd.DataFrame({"mean": numbers[:12], "std": numbers[12:]}, index=METHODS)


def recomputed_averages(block: str) -> pd.DataFrame:
    """Return the averages of the block's printed cells."""
    table, noise = BLOCKS[block]
    cells = printed()
    cells = cells[(cells.table == table) & (cells.noise == noise)]
    return cells.groupby("method")[["mean", "std"]].mean().loc[METHODS]


def averages() -> None:
    print("1. averages: printed, and of the printed cells, where they differ by more than rounding")
    for kind, name in (("mean", "means"), ("std", "deviations")):
        for block in BLOCKS:
            theirs, ours = printed_averages(block)[kind], recomputed_averages(block)[kind]
            wrong = theirs.index[(theirs - ours).abs() > ROUNDING + 1e-9]
            listed = ", ".join(f"{m} {theirs[m]:.3f} for {ours[m]:.3f}" for m in wrong)
            print(f"   {name}, {block}: {len(wrong)} of 12" + f": {listed}" * bool(listed))


def metrics_of(cells: pd.DataFrame) -> pd.DataFrame:
    index = ["noise", "dataset", "method"]
    return cells.pivot(index=index, columns="metric", values="mean").reset_index()


def accuracy_above_purity() -> None:
    cells = metrics_of(printed())
    above = cells[cells.acc > cells.purity + 1e-9]
    own = above.method.isin(OWN)
    print("2. ACC above PUR, which cannot be where both are of the same samples")
    print(f"   RONMF {own.sum()} of {cells.method.isin(OWN).sum()} cells,", end=" ")
    print(f"other methods {(~own).sum()} of {(~cells.method.isin(OWN)).sum()}")
    for cell in above.itertuples():
        print(f"   {cell.dataset:8} {cell.method:8} ACC {cell.acc:.3f}  PUR {cell.purity:.3f}")


def better_under_noise() -> None:
    cells = printed()
    key = ["dataset", "metric", "method"]
    clean = cells[cells.noise == "none"].set_index(key)["mean"]
    noisy = cells[cells.noise != "none"].set_index(key)
    higher = noisy["mean"] > noisy.index.map(clean) + 1e-9
    counts = higher.groupby("method").sum()
    print("3. cells that are higher under noise than without, of 24 for each method")
    print("   " + ", ".join(f"{method} {counts[method]}" for method in METHODS))
    for dataset, method in (("coil20", "RONMF-M"), ("yale", "RONMF-E"), ("usps", "k-means")):
        row = dataset, "acc", method
        poisson = noisy[noisy.noise == "poisson"]["mean"][row]
        print(
            f"   {dataset}, {method}: ACC {clean[row]:.3f} clean, {poisson:.3f} with Poisson noise"
        )


def ranks() -> None:
    cells = printed()
    cells = cells[(cells.noise == "none") & (cells.metric == "acc")]
    means = cells.pivot(index="dataset", columns="method", values="mean")[METHODS]
    print("4. Nemenyi's test of the printed ACC, 12 methods on 8 datasets")
    for alpha in (0.05, 0.1):
        ranking = rank_matrix(means, alpha)
        rank = dict(zip(ranking.methods, ranking.average_ranks, strict=True))
        print(f"   level {alpha:g}: critical difference {ranking.critical_difference:.3f}")
        for own in OWN:
            gaps = {method: rank[method] - rank[own] for method in METHODS}
            found = [m for m in METHODS if gaps[m] >= ranking.critical_difference]
            print(f"   {own} (rank {rank[own]:.3f}) differs from {', '.join(found)};", end=" ")
            print(f"distance to k-means {gaps['k-means']:.3f}")


def whole_classes_lost() -> None:
    cells = printed()
    cells = cells[cells.metric == "acc"]
    print(
        "5. ACC of ten perfect runs but for some that lose one of six equal classes, nothing else"
    )
    for lost in range(4):
        runs = np.where(np.arange(10) < lost, 5 / 6, 1.0)
        mean, std = runs.mean(), runs.std(ddof=1)
        close = ((cells["mean"] - mean).abs() < 5e-4) & ((cells["std"] - std).abs() < 1e-3)
        where = cells[close].groupby(["dataset", "noise"], sort=False)["method"].agg(", ".join)
        print(f"   {lost} runs: {mean:.3f} ± {std:.3f}; so printed for", end=" ")
        print("; ".join(f"{d} {n}: {names}" for (d, n), names in where.items()))


PARTS = (averages, accuracy_above_purity, better_under_noise, ranks, whole_classes_lost)

if __name__ == "__main__":
    for part in PARTS:
        part()
