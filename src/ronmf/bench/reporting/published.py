"""The paper's printed tables as data, and our means beside them.

References
----------
Tables of clustering results in "Robust Orthogonal NMF with Label Propagation for Image
Clustering", arXiv:2504.21472.
"""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import pandas as pd

from ...metrics import METRICS
from .reading_order import ordered
from .summaries import check_score, refuse_variants, summarise

__all__ = [
    "COPIED_NOISE",
    "COPIED_ROW",
    "OWN_METHODS",
    "WRONG_AVERAGES",
    "PrintedCell",
    "compare_with_printed",
    "printed",
    "printed_cell",
    "printed_metrics",
]

COPIED_ROW = "the F1 rows of COIL20 and COIL100 are identical in all 12 cells"
COPIED_NOISE = (
    "all baselines but SNMFSP are identical, mean and deviation, under Poisson and under"
    " salt-and-pepper noise"
)
# The averages are no cells of ours: where one is shown it is computed from the printed cells.
WRONG_AVERAGES = (
    "the printed averages are not those of their cells in 27 places, among them LpCNMF in Type I"
    " (0.689 for 0.656) and Type II (0.966 for 0.933), and all twelve under Poisson noise"
)

OWN_METHODS = ("RONMF-M", "RONMF-S", "RONMF-E")


@dataclass(frozen=True)
class PrintedCell:
    """One cell of the paper: mean, deviation, and why it is doubtful ("" when it is not)."""

    mean: float
    std: float
    doubt: str


def printed() -> pd.DataFrame:
    """Return the 672 printed cells with our names.

    Returns
    -------
    DataFrame
        Columns table, noise, dataset, metric, method, mean, std, doubt. The paper gives no level
        for its noises.

    Examples
    --------
    >>> cells = printed()
    >>> len(cells), sorted(cells.metric.unique())
    (672, ['acc', 'f1', 'nmi', 'purity'])
    """
    return _read().copy()


@cache
def _read() -> pd.DataFrame:
    with files(__package__).joinpath("published.csv").open(encoding="utf-8") as file:
        cells = pd.read_csv(file)
    cells["dataset"] = cells["dataset"].str.lower()
    cells["metric"] = cells["metric"].map({each.short: name for name, each in METRICS.items()})
    cells["noise"] = cells["noise"].str.replace("-", "_")
    row = (cells["metric"] == "f1") & cells["dataset"].isin(["coil20", "coil100"])
    cells["doubt"] = ""
    cells.loc[row & (cells["noise"] == "none"), "doubt"] = COPIED_ROW
    baseline = ~cells["method"].isin([*OWN_METHODS, "SNMFSP"])
    cells.loc[baseline & (cells["noise"] != "none"), "doubt"] = COPIED_NOISE
    return cells


def printed_metrics() -> list[str]:
    """Return the metrics that the paper prints.

    Examples
    --------
    >>> printed_metrics()
    ['acc', 'f1', 'nmi', 'purity']
    """
    return [metric for metric in METRICS if metric in set(_read()["metric"])]


@cache
def _cells() -> dict[tuple[str, str, str, str], PrintedCell]:
    return {
        (c.dataset, c.noise, c.metric, c.method): PrintedCell(c.mean, c.std, c.doubt)
        for c in _read().itertuples()
    }


def printed_cell(dataset: str, noise: str, metric: str, method: str) -> PrintedCell | None:
    """Return the paper's cell, or None where it prints none.

    "RONMF-E, printed", the algorithm as printed, has the cell of "RONMF-E".

    Examples
    --------
    >>> printed_cell("umist", "none", "acc", "k-means")
    PrintedCell(mean=0.716, std=0.07, doubt='')
    >>> printed_cell("digits", "none", "acc", "k-means") is None
    True
    """
    return _cells().get((dataset, noise, metric, method.removesuffix(", printed")))


def compare_with_printed(
    rows: pd.DataFrame, metric: str = "acc", scope: str = "unlabelled"
) -> pd.DataFrame:
    """Return our means and the printed ones, a line for each of our cells.

    Parameters
    ----------
    rows : DataFrame
        Tidy rows without variants.
    metric : str, default="acc"
        A key of :data:`ronmf.metrics.METRICS`; the paper prints no ARI.
    scope : {"unlabelled", "all"}, default="unlabelled"
        Samples scored in our runs.

    Returns
    -------
    DataFrame
        Columns dataset, noise, noise_level, metric, method, mean, std, n, failed, printed_mean,
        printed_std, difference (ours minus printed) and doubt; NaN where there is no value.
    """
    check_score(metric)
    index, columns = ["dataset", "noise", "noise_level"], ["method"]
    cells = summarise(rows, index, columns, metric, scope)
    refuse_variants(rows)
    names = [*index, *columns]
    lines = []
    for key in ordered(names, [left + top for left, top in cells]):
        dataset, noise, level, method = key
        ours = cells[key[:3], key[3:]]
        theirs = printed_cell(dataset, noise, metric, method)
        theirs = theirs or PrintedCell(float("nan"), float("nan"), "")
        lines.append(
            {
                "dataset": dataset,
                "noise": noise,
                "noise_level": level,
                "metric": metric,
                "method": method,
                "mean": ours.mean,
                "std": ours.std,
                "n": ours.n,
                "failed": ours.failed,
                "printed_mean": theirs.mean,
                "printed_std": theirs.std,
                "difference": ours.mean - theirs.mean,
                "doubt": theirs.doubt,
            }
        )
    return pd.DataFrame(lines)
