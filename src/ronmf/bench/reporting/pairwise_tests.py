"""Every two methods over the same datasets: Wilcoxon's signed-rank test with Holm's correction.

References
----------
F. Wilcoxon, Individual comparisons by ranking methods, Biometrics Bulletin 1 (1945).
S. Holm, A simple sequentially rejective multiple test procedure, Scand. J. Statistics 6 (1979).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy import stats

__all__ = ["Pair", "compare_pairs", "holm", "paired_t", "signed_rank"]


@dataclass(frozen=True)
class Pair:
    """Wilcoxon's test of two methods; `better` has the higher mean over datasets."""

    better: str
    worse: str
    p_value: float
    p_holm: float


def compare_pairs(names: Sequence[str], values: np.ndarray) -> tuple[Pair, ...]:
    """Test every two columns of `values`, datasets by methods; smallest p-value first."""
    tested = []
    for i, j in combinations(range(len(names)), 2):
        difference = values[:, i] - values[:, j]
        first, second = (i, j) if difference.sum() >= 0 else (j, i)
        tested.append((names[first], names[second], signed_rank(difference)))
    corrected = holm([p for *_, p in tested])
    pairs = [Pair(*test, float(p)) for test, p in zip(tested, corrected, strict=True)]
    return tuple(sorted(pairs, key=lambda pair: pair.p_value))


def signed_rank(difference: Sequence[float] | np.ndarray) -> float:
    """Return the exact two-sided p-value of Wilcoxon's signed-rank test.

    Zeros are left out, as Wilcoxon did, and tied sizes share their mean rank. If neither side is
    better every sign is a fair coin; the sum of the ranks with a plus then has a distribution that
    is built up rank by rank, exact with ties too.

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
    chance = np.zeros(doubled.sum() + 1)
    chance[0] = 1.0
    for rank in doubled:
        chance[rank:] = (chance[rank:] + chance[: len(chance) - rank]) / 2
        chance[:rank] /= 2
    plus = int(doubled[some > 0].sum())
    return float(min(1.0, 2 * min(chance[: plus + 1].sum(), chance[plus:].sum())))


def paired_t(difference: Sequence[float] | np.ndarray) -> float:
    """Return the two-sided p-value of Student's paired t test.

    Examples
    --------
    >>> round(paired_t([0.1, 0.2, 0.3]), 4)
    0.0742
    >>> paired_t([0.0, 0.0, 0.0])
    1.0
    """
    # Means of equal results may differ in the last digit; that is no difference.
    some = np.round(difference, 12)
    if np.ptp(some) == 0:  # where scipy divides by zero
        return float(some[0] == 0)
    return float(stats.ttest_1samp(some, 0.0).pvalue)


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
    corrected = np.empty_like(p)
    corrected[order] = np.minimum(stepped, 1.0)
    return corrected
