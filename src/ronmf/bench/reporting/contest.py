"""Who won on clean data, by how much on the same draws, and what ranks over datasets say.

RONMF-M, -S and -E are variants of one method: the best of them stands for it. Propagation
on the graph that RONMF chose is no opponent, since the graph is RONMF's: it is compared on its own.
Nor are changes of a method that is there itself.
"""

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd

from .contestants import CHOSEN_GRAPH, contestants, is_own
from .intervals import half_width
from .reading_order import ordered
from .selection import clean, complete
from .statistics import Ranking, rank_methods
from .summaries import Summary, refuse_variants, summarise
from .table_lines import average_of

__all__ = ["Contest", "Gap", "hold_contest"]

_SCORE = ("acc", "unlabelled")
_LEVEL = 0.0005  # what three digits cannot show is no difference


@dataclass(frozen=True)
class Gap:
    """How far one method is ahead of another, on draws that both had.

    Attributes
    ----------
    mean, half : float
        Mean over datasets of the mean difference, and half of its 95 % interval over draws; NaN
        where a dataset has a single draw.
    draws : int
        How many draws both had.
    ahead, level, behind : int
        Datasets on which the first method has the higher mean, the same in three digits, the lower.
    """

    mean: float
    half: float
    draws: int
    ahead: int
    level: int
    behind: int

    @property
    def known(self) -> bool:
        """Whether there are draws enough to tell chance from difference."""
        return not math.isnan(self.half)

    @property
    def tied(self) -> bool:
        """Whether three digits show no difference, or chance may have made it."""
        return abs(self.mean) < _LEVEL or (self.known and abs(self.mean) <= self.half)


@dataclass(frozen=True)
class Contest:
    """The methods that ran on the same clean datasets, best mean first.

    Attributes
    ----------
    rows : DataFrame
        The rows that are compared, failed ones too.
    methods, datasets : tuple of str
        What is compared on what.
    means : dict
        The average over datasets of each method.
    by_dataset : dict
        The result of each method on each dataset.
    first : str
    second : str or None
        The two to compare: RONMF's best variant and the best of all others, the better one first;
        the best two where RONMF did not run; None where there is no such method.
    graph : str or None
        Propagation on RONMF's graph, if it ran.
    ranking : Ranking or None
        Ranks of opponents over datasets; None with fewer than three of them or two datasets.
    left_out : tuple of str
        Methods and datasets that did not meet all others.
    """

    rows: pd.DataFrame
    methods: tuple[str, ...]
    datasets: tuple[str, ...]
    means: dict[str, Summary]
    by_dataset: dict[str, dict[str, Summary]]
    first: str
    second: str | None
    graph: str | None
    ranking: Ranking | None
    left_out: tuple[str, ...]

    @property
    def own(self) -> tuple[str, ...]:
        """The variants of RONMF that stand for themselves, best first."""
        return tuple(method for method in contestants(self.methods) if is_own(method))

    @property
    def others(self) -> tuple[str, ...]:
        """Methods that are neither RONMF nor use its graph, best first."""
        found = contestants(self.methods)
        return tuple(m for m in found if not is_own(m) and m != CHOSEN_GRAPH)

    def gap(self, first: str, second: str) -> Gap:
        """Return how far one method is ahead of another."""
        good = self.rows[self.rows["status"] == "ok"]
        table = good.pivot_table(
            index=["dataset", "seed"], columns="method", values="acc_unlabelled", sort=False
        )
        table = table.reindex(columns=[first, second]).dropna()
        differences = (table[first] - table[second]).groupby(level="dataset", sort=False)
        stats = differences.agg(["mean", "count", lambda values: np.std(values.to_numpy())])
        means = stats["mean"].to_numpy()
        if not len(means):
            return Gap(math.nan, math.nan, 0, 0, 0, 0)
        half = half_width(stats.iloc[:, 2].tolist(), stats["count"].tolist())
        ahead, behind = int((means >= _LEVEL).sum()), int((means <= -_LEVEL).sum())
        level = len(means) - ahead - behind
        return Gap(float(means.mean()), half, len(table), ahead, level, behind)

    def rank(self, method: str) -> float:
        """Return the average rank of a method."""
        assert self.ranking is not None
        return self.ranking.average_ranks[self.ranking.methods.index(method)]


def hold_contest(rows: pd.DataFrame) -> Contest:
    """Compare the methods that ran everywhere on clean data, by accuracy on unlabelled samples.

    Parameters
    ----------
    rows : DataFrame
        Tidy rows; those of one clean setting of each dataset count, the paper's where there is
        one.
    """
    kept, left_out = complete(clean(rows))
    if kept.empty:
        raise ValueError("no method has a good run on clean data; look at the failed runs.")
    cells = summarise(kept, ["dataset"], ["method"], *_SCORE)
    refuse_variants(kept)
    datasets = [key for (key,) in ordered(["dataset"], [left for left, _ in cells])]
    methods = [key for (key,) in ordered(["method"], [top for _, top in cells])]
    by_dataset = {m: {d: cells[(d,), (m,)] for d in datasets} for m in methods}
    means = {m: average_of(list(found.values())) for m, found in by_dataset.items()}
    methods.sort(key=lambda method: -round(means[method].mean, 12))  # of equals, in reading order
    opponents = contestants(methods)
    own = [method for method in opponents if is_own(method)]
    others = [method for method in opponents if not is_own(method) and method != CHOSEN_GRAPH]
    pair = sorted([*own[:1], *others[:1]], key=methods.index) if own else opponents[:2]
    many = len(opponents) >= 3 and len(datasets) >= 2
    ranked = kept[kept["method"].isin(opponents)]
    return Contest(
        rows=kept,
        methods=tuple(methods),
        datasets=tuple(datasets),
        means=means,
        by_dataset=by_dataset,
        first=pair[0],
        second=pair[1] if len(pair) > 1 else None,
        graph=CHOSEN_GRAPH if CHOSEN_GRAPH in methods else None,
        ranking=rank_methods(ranked, *_SCORE) if many else None,
        left_out=tuple(left_out),
    )
