"""Who won on clean data, by how much on the same draws, and what ranks over datasets say.

RONMF-M, -S and -E are variants of one method: the best of them stands for it. Propagation
on the graph that RONMF chose is no opponent, since the graph is RONMF's: it is compared on its own.
Nor are changes of a method that is there itself.
"""

import math
from dataclasses import dataclass

import pandas as pd

from .grid import Grid, summarise
from .opponents import CHOSEN_GRAPH, contestants, is_own
from .ranking import Ranking, rank_methods
from .selection import clean, complete
from .summary import Summary, half_width

__all__ = ["Contest", "Gap", "hold_contest"]

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
    """The methods that ran on the same clean datasets.

    Attributes
    ----------
    rows : DataFrame
        The rows that are compared, failed ones too.
    grid : Grid
        Accuracy on unlabelled samples, datasets by methods.
    means : dict
        The average over datasets of each method, best first.
    left_out : list of str
        Methods and datasets that did not meet all others.
    ranking : Ranking or None
        Ranks of opponents over datasets; None with fewer than three of them or two datasets.
    """

    rows: pd.DataFrame
    grid: Grid
    means: dict[str, Summary]
    left_out: list[str]
    ranking: Ranking | None

    @property
    def datasets(self) -> list[str]:
        """Names of the datasets."""
        return [dataset for (dataset,) in self.grid.rows]

    @property
    def own(self) -> list[str]:
        """The variants of RONMF that stand for themselves, best first."""
        return [method for method in contestants(self.means) if is_own(method)]

    @property
    def others(self) -> list[str]:
        """Methods that are neither RONMF nor use its graph, best first."""
        found = contestants(self.means)
        return [m for m in found if not is_own(m) and m != CHOSEN_GRAPH]

    @property
    def pair(self) -> list[str]:
        """The two to compare, the better one first, or the only one.

        RONMF's best variant and the best of all others; the best two where RONMF did not run.
        """
        two = [*self.own[:1], *self.others[:1]] if self.own else contestants(self.means)[:2]
        return sorted(two, key=list(self.means).index)

    def gap(self, first: str, second: str) -> Gap:
        """Return how far one method is ahead of another."""
        good = self.rows[self.rows["status"] == "ok"]
        draws = (
            good.pivot(index=["dataset", "seed"], columns="method", values="acc_unlabelled")
            .reindex(columns=[first, second])
            .dropna()
        )
        if draws.empty:
            return Gap(math.nan, math.nan, 0, 0, 0, 0)
        by_dataset = (draws[first] - draws[second]).groupby(level="dataset", sort=False)
        means, stds = by_dataset.mean(), by_dataset.std(ddof=0)
        half = half_width(stds.tolist(), by_dataset.size().tolist())
        ahead, behind = int((means >= _LEVEL).sum()), int((means <= -_LEVEL).sum())
        level = len(means) - ahead - behind
        return Gap(float(means.mean()), half, len(draws), ahead, level, behind)


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
    grid = summarise(kept, ["dataset"], ["method"], [("acc", "unlabelled")])["acc", "unlabelled"]
    ((_, averages),) = grid.averaged(lambda _: ()).values()
    # of equals, in reading order
    best = sorted(averages.items(), key=lambda item: -round(item[1].mean, 12))
    many = len(contestants(m for (m,) in grid.columns)) >= 3 and len(grid.rows) >= 2
    ranking = rank_methods(kept) if many else None
    return Contest(kept, grid, {method: mean for (method,), mean in best}, left_out, ranking)
