r"""Do the methods differ? Ranks over datasets, Friedman, Nemenyi and Wilcoxon tests.

The mean metric of each method on each of N datasets is ranked, 1 for the best of k methods, ties
sharing their mean rank. Friedman's test asks whether the average ranks could be equal. Two methods
differ by Nemenyi's test if their average ranks differ by at least

.. math:: CD = \frac{q_{\alpha,k,\infty}}{\sqrt 2} \sqrt{\frac{k (k + 1)}{6 N}},

with q the quantile of the studentized range. Every two methods are compared by Wilcoxon's
signed-rank test with Holm's correction.

References
----------
J. Demšar, Statistical comparisons of classifiers over multiple data sets, JMLR 7 (2006).
S. Holm, A simple sequentially rejective multiple test procedure, Scand. J. Statistics 6 (1979).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations

import numpy as np
import pandas as pd
from scipy import stats

from .grid import summarise
from .opponents import contestants
from .selection import clean, complete, metric_label

__all__ = ["Ranking", "critical_difference", "holm", "rank_matrix", "rank_methods"]
__all__ += ["signed_rank"]


@dataclass(frozen=True)
class Ranking:
    """Methods compared over datasets.

    Attributes
    ----------
    methods : tuple of str
        Best average rank first; of equal ones, in the order of the registry.
    average_ranks : tuple of float
        Their average ranks, 1 being best on every dataset.
    datasets : tuple of str
        Names of the N datasets.
    statistic, p_value : float
        Friedman's chi-squared and its p-value (k - 1 degrees of freedom, corrected for ties).
    alpha : float
        Level of all tests.
    critical_difference : float
        Nemenyi's.
    groups : tuple of tuples of str
        Largest runs of neighbours in rank that Nemenyi's test does not tell apart.
    pairs : dict
        Wilcoxon's p-value, with Holm's correction, of every two methods, the better one first.
    left_out : tuple of str
        Changes of other methods, and what did not run everywhere.
    notes : tuple of str
        What the means leave out.
    """

    methods: tuple[str, ...]
    average_ranks: tuple[float, ...]
    datasets: tuple[str, ...]
    statistic: float
    p_value: float
    alpha: float
    critical_difference: float
    groups: tuple[tuple[str, ...], ...]
    pairs: dict[tuple[str, str], float]
    left_out: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def rank(self, method: str) -> float:
        """Return the average rank of a method."""
        return self.average_ranks[self.methods.index(method)]

    def describe(self) -> str:
        """Return what may be concluded, and what not, in a few sentences."""
        k, n, alpha = len(self.methods), len(self.datasets), self.alpha
        differ = self.p_value < alpha
        said = [
            f"Over {n} datasets, {k} methods {'differ' if differ else 'do not differ'}"
            f" significantly by Friedman's test (chi-squared {self.statistic:.2f},"
            f" p = {self.p_value:.2g}, level {alpha:g}).",
            f"Best average rank: {self.methods[0]} ({self.average_ranks[0]:.2f}), worst:"
            f" {self.methods[-1]} ({self.average_ranks[-1]:.2f}); Nemenyi's critical difference"
            f" is {self.critical_difference:.2f}.",
        ]
        same = next((group for group in self.groups if self.methods[0] in group), ())
        if not differ:
            said.append("Differences between single methods should not be read from it.")
        elif same:
            said.append(
                f"Nemenyi's test does not tell {self.methods[0]} from {', '.join(same[1:])}."
            )
        else:
            said.append(f"By Nemenyi's test {self.methods[0]} differs from every other method.")
        found = sum(p_value < alpha for p_value in self.pairs.values())
        said.append(
            f"Wilcoxon's test with Holm's correction finds {found} of {len(self.pairs)} pairs"
            " different."
        )
        if 2.0 ** (1 - n) * len(self.pairs) >= alpha:
            said.append(
                f"With {n} datasets it could find none, whatever the results: the smallest"
                f" possible p-value is {2.0 ** (1 - n):.2g}, before correction."
            )
        if n < 10:
            said.append(f"{n} datasets are few: a difference not found may still be there.")
        if self.left_out:
            names = ", ".join(self.left_out)
            left_out = f"Left out, changes of another method or not run everywhere: {names}."
        return " ".join([*said, *self.notes, *([left_out] if self.left_out else [])])


def rank_methods(
    rows: pd.DataFrame, metric: str = "acc", scope: str = "unlabelled", alpha: float = 0.05
) -> Ranking:
    """Compare methods over datasets on clean data.

    Parameters
    ----------
    rows : DataFrame
        Tidy rows. A method or dataset on which too little ran to compare is left out, and so are
        changes of a method that is there itself.
    metric : str, default="acc"
        A key of :data:`ronmf.metrics.METRICS`; higher is better.
    scope : {"unlabelled", "all"}, default="unlabelled"
        Samples that are scored.
    alpha : float, default=0.05
        Level of the tests.
    """
    metric_label(f"{metric}_{scope}")
    kept, left_out = _opponents(rows)
    grid = summarise(kept, ["dataset"], ["method"], [(metric, scope)])[metric, scope]
    means = pd.DataFrame(
        [[grid.cells[key, head].mean for head in grid.columns] for key in grid.rows],
        [dataset for (dataset,) in grid.rows],
        [method for (method,) in grid.columns],
    )
    lost = [
        f"{method} on {dataset} ({cell.failed} of {cell.n + cell.failed})"
        for ((dataset,), (method,)), cell in grid.cells.items()
        if cell.failed
    ]
    notes = (f"Means leave out failed runs of {', '.join(lost)}.",) if lost else ()
    return rank_matrix(means, alpha, left_out=left_out, notes=notes)


def _opponents(rows: pd.DataFrame) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Return clean rows of opponents that all met, and the names of those left out."""
    kept = clean(rows)
    names = list(kept["method"].unique())
    opponents = contestants(names)
    kept = kept[kept["method"].isin(opponents)]
    if kept["dataset"].nunique() < 2 or len(opponents) < 3:
        raise ValueError(
            "too few clean rows to rank; run a plan of at least 3 methods on 2 datasets."
        )
    kept, absent = complete(kept)
    return kept, (*(name for name in names if name not in opponents), *absent)


def rank_matrix(means: pd.DataFrame, alpha: float = 0.05, **notes: tuple[str, ...]) -> Ranking:
    """Compare methods from a matrix of results, datasets by methods, higher being better.

    Parameters
    ----------
    means : DataFrame
        One row per dataset, one column per method.
    alpha : float, default=0.05
        Level of the tests.
    **notes
        What else the ranking says.

    Examples
    --------
    >>> results = pd.DataFrame({"a": [0.9, 0.8], "b": [0.7, 0.6], "c": [0.5, 0.4]})
    >>> rank_matrix(results).average_ranks
    (1.0, 2.0, 3.0)
    """
    if not 0.0 < alpha < 1.0:
        raise ValueError(f"alpha={alpha!r} is not a level; give a number between 0 and 1.")
    if len(means.columns) < 3 or len(means) < 2:
        raise ValueError(
            f"there are {len(means.columns)} methods on {len(means)} datasets; the tests need at"
            " least 3 methods and 2 datasets."
        )
    # Means of equal results may differ in the last digit; that is no difference.
    values = means.to_numpy(dtype=float).round(12)
    ranks = stats.rankdata(-values, axis=1).mean(axis=0)
    order = np.argsort(ranks, kind="stable")
    names, ranks, values = [str(means.columns[j]) for j in order], ranks[order], values[:, order]
    statistic, p_value = 0.0, 1.0  # all equal everywhere, where scipy divides by zero
    if np.ptp(values, axis=1).any():
        statistic, p_value = map(float, stats.friedmanchisquare(*values.T))
    distance = critical_difference(len(names), len(means), alpha)
    return Ranking(
        tuple(names),
        tuple(ranks.tolist()),
        tuple(map(str, means.index)),
        statistic,
        p_value,
        alpha,
        distance,
        _groups(names, ranks, distance),
        _pairs(names, values),
        **notes,
    )


@cache  # the quantile takes a third of a second
def critical_difference(n_methods: int, n_datasets: int, alpha: float = 0.05) -> float:
    """Return Nemenyi's critical difference of average ranks.

    Examples
    --------
    Demšar's example, four methods on 14 datasets at level 0.1:

    >>> round(critical_difference(4, 14, 0.1), 2)
    1.12
    """
    q = stats.studentized_range.ppf(1.0 - alpha, n_methods, np.inf) / np.sqrt(2.0)
    return float(q * np.sqrt(n_methods * (n_methods + 1) / (6.0 * n_datasets)))


def _groups(names: list[str], ranks: np.ndarray, distance: float) -> tuple[tuple[str, ...], ...]:
    """Return the largest runs of sorted ranks that span less than `distance`."""
    found: list[tuple[str, ...]] = []
    reach = 0
    for start in range(len(names)):
        end = int(np.searchsorted(ranks, ranks[start] + distance, side="left"))
        if end > reach and end - start > 1:
            found.append(tuple(names[start:end]))
        reach = max(reach, end)
    return tuple(found)


def _pairs(names: list[str], values: np.ndarray) -> dict[tuple[str, str], float]:
    """Test every two columns of `values`, datasets by methods."""
    pairs, p_values = [], []
    for i, j in combinations(range(len(names)), 2):
        difference = values[:, i] - values[:, j]
        pairs.append((names[i], names[j]) if difference.sum() >= 0 else (names[j], names[i]))
        p_values.append(signed_rank(difference))
    return dict(zip(pairs, holm(p_values).tolist(), strict=True))


def signed_rank(difference: Sequence[float] | np.ndarray) -> float:
    """Return the exact two-sided p-value of Wilcoxon's signed-rank test.

    Zeros are left out, as Wilcoxon did, and tied sizes share their mean rank. If neither side is
    better every sign is a fair coin; the sum of the ranks with a plus then has a distribution that
    is built up rank by rank. Unlike that of :func:`scipy.stats.wilcoxon` it is exact with ties too.

    Examples
    --------
    Five differences of the same sign have a chance of 2 / 2^5:

    >>> signed_rank([0.1, 0.2, 0.3, 0.4, 0.5])
    0.0625
    """
    # Means of equal results may differ in the last digit; that is no difference.
    some = np.round(difference, 12)
    some = some[some != 0]
    doubled = np.rint(2 * stats.rankdata(np.abs(some))).astype(int)  # ties make half ranks
    chance = np.ones(1)
    for rank in doubled:
        chance = (np.pad(chance, (0, rank)) + np.pad(chance, (rank, 0))) / 2
    plus = int(doubled[some > 0].sum())
    return float(min(1.0, 2 * min(chance[: plus + 1].sum(), chance[plus:].sum())))


def holm(p_values: Sequence[float]) -> np.ndarray:
    """Return Holm's corrected p-values, in the order given.

    They keep the chance of any false finding among all tests below the level.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).round(6).tolist()
    [0.03, 0.06, 0.06]
    """
    p = np.asarray(p_values, dtype=float)
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    return np.minimum(stepped, 1.0)[np.argsort(order)]
