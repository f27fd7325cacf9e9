r"""Do the methods differ? Ranks over datasets, Friedman, Nemenyi and Wilcoxon tests.

The mean metric of each method on each of N datasets is ranked, 1 for the best of k methods, ties
sharing their mean rank. Friedman's test asks whether the average ranks could be equal. Two methods
differ by Nemenyi's test if their average ranks differ by at least

.. math:: CD = \frac{q_{\alpha,k,\infty}}{\sqrt 2} \sqrt{\frac{k (k + 1)}{6 N}},

with q the quantile of the studentized range. Single pairs are tested in :mod:`.pairwise_tests`.

References
----------
J. Demšar, Statistical comparisons of classifiers over multiple data sets, JMLR 7 (2006).
"""

from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd
from scipy import stats

from .pairwise_tests import Pair, compare_pairs
from .reading_order import ordered
from .summaries import check_score, refuse_variants, summarise

__all__ = ["Ranking", "critical_difference", "rank_matrix", "rank_methods"]


@dataclass(frozen=True)
class Ranking:
    """Methods compared over datasets.

    Attributes
    ----------
    methods : tuple of str
        Best average rank first; of equal ones, in the order of the registry.
    average_ranks : tuple of float
        Their average ranks, 1 being best on every dataset.
    n_datasets : int
        Number N of datasets.
    statistic, p_value : float
        Friedman's chi-squared and its p-value (k - 1 degrees of freedom, corrected for ties).
    alpha : float
        Level of all tests.
    critical_difference : float
        Nemenyi's.
    groups : tuple of tuples of str
        Largest runs of neighbours in rank that Nemenyi's test does not tell apart.
    pairs : tuple of Pair
        Every two methods, smallest p-value first.
    notes : tuple of str
        What the means leave out.
    """

    methods: tuple[str, ...]
    average_ranks: tuple[float, ...]
    n_datasets: int
    statistic: float
    p_value: float
    alpha: float
    critical_difference: float
    groups: tuple[tuple[str, ...], ...]
    pairs: tuple[Pair, ...]
    notes: tuple[str, ...] = ()

    def describe(self) -> str:
        """Return what may be concluded, and what not, in a few sentences."""
        k, n, alpha = len(self.methods), self.n_datasets, self.alpha
        differ = self.p_value < alpha
        said = [
            f"Over {n} datasets, {k} methods {'differ' if differ else 'do not differ'}"
            f" significantly by Friedman's test (chi-squared {self.statistic:.2f},"
            f" p = {self.p_value:.2g}, level {alpha:g}).",
            f"Best average rank: {self.methods[0]} ({self.average_ranks[0]:.2f}), worst:"
            f" {self.methods[-1]} ({self.average_ranks[-1]:.2f}); Nemenyi's critical difference"
            f" is {self.critical_difference:.2f}.",
        ]
        if not differ:
            said.append("Differences between single methods should not be read from it.")
        else:
            same = next((group for group in self.groups if self.methods[0] in group), ())
            others = ", ".join(name for name in same if name != self.methods[0])
            said.append(
                f"Nemenyi's test does not tell {self.methods[0]} from {others}."
                if others
                else f"By Nemenyi's test {self.methods[0]} differs from every other method."
            )
        found = sum(pair.p_holm < alpha for pair in self.pairs)
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
        return " ".join([*said, *self.notes])


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


def rank_methods(
    rows: pd.DataFrame, metric: str = "acc", scope: str = "unlabelled", alpha: float = 0.05
) -> Ranking:
    """Compare the methods of tidy rows over their datasets.

    Parameters
    ----------
    rows : DataFrame
        Tidy rows of one condition for each dataset: every method has a mean on every dataset.
    metric : str, default="acc"
        A key of :data:`ronmf.metrics.METRICS`; higher is better.
    scope : {"unlabelled", "all"}, default="unlabelled"
        Samples that are scored.
    alpha : float, default=0.05
        Level of the tests.
    """
    check_score(metric)
    cells = summarise(rows, ["dataset"], ["method"], metric, scope)
    refuse_variants(rows)
    means = pd.Series({(left[0], top[0]): cell.mean for (left, top), cell in cells.items()})
    methods = [head for (head,) in ordered(["method"], [top for _, top in cells])]
    lost = [
        f"{top[0]} on {left[0]} ({cell.failed} of {cell.n + cell.failed})"
        for (left, top), cell in cells.items()
        if cell.failed
    ]
    notes = (f"Means leave out failed runs of {', '.join(lost)}.",) if lost else ()
    return rank_matrix(means.unstack()[methods], alpha, notes)


def rank_matrix(means: pd.DataFrame, alpha: float = 0.05, notes: tuple[str, ...] = ()) -> Ranking:
    """Compare methods from a matrix of results, datasets by methods, higher being better.

    Parameters
    ----------
    means : DataFrame
        One row per dataset, one column per method.
    alpha : float, default=0.05
        Level of the tests.
    notes : tuple of str, default=()
        Sentences to add to the description.

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
    holes = np.argwhere(~np.isfinite(means.to_numpy(dtype=float)))
    if len(holes):
        dataset, method = means.index[holes[0][0]], means.columns[holes[0][1]]
        raise ValueError(
            f"{method} has no mean on {dataset}; run it there, or leave out the method or the"
            " dataset."
        )
    # Means of equal results may differ in the last digit; that is no difference.
    values = means.to_numpy(dtype=float).round(12)
    ranks = stats.rankdata(-values, axis=1).mean(axis=0)
    order = np.argsort(ranks, kind="stable")
    names, ranks, values = [str(means.columns[j]) for j in order], ranks[order], values[:, order]
    if np.ptp(values, axis=1).any():
        statistic, p_value = map(float, stats.friedmanchisquare(*values.T))
    else:
        statistic, p_value = 0.0, 1.0  # all equal everywhere, where scipy divides by zero
    distance = critical_difference(len(names), len(means), alpha)
    return Ranking(
        methods=tuple(names),
        average_ranks=tuple(ranks.tolist()),
        n_datasets=len(means),
        statistic=statistic,
        p_value=p_value,
        alpha=alpha,
        critical_difference=distance,
        groups=_groups(names, ranks, distance),
        pairs=compare_pairs(names, values),
        notes=notes,
    )


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
