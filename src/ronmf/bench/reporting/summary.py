r"""The runs of a cell: their mean, how sure it is, and how it is written.

The mean of n draws with deviation s (ddof = 0) has the squared standard error
:math:`e^2 = s^2 / (n - 1)`, with :math:`n - 1` degrees of freedom. The mean of k such means, of
draws that have nothing to do with each other, has

.. math:: e^2 = \frac{1}{k^2} \sum_i e_i^2, \qquad
          \nu = \Bigl(\sum_i e_i^2\Bigr)^2 \Big/ \sum_i \frac{e_i^4}{n_i - 1},

and its 95 % interval reaches :math:`t_{0.975,\nu}\, e` to either side.

References
----------
B. L. Welch, The generalization of "Student's" problem, Biometrika 34 (1947).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from scipy.special import stdtrit

from ...metrics import METRICS

__all__ = ["COSTS", "Summary", "average_of", "half_width", "marks"]

COSTS = {"seconds": "Run time in seconds"}
"""Columns of the rows of which less is better, as a title."""


@dataclass(frozen=True)
class Summary:
    """The runs of one cell.

    Attributes
    ----------
    mean, std : float
        Over the runs that succeeded (deviation with ddof = 0). NaN when none did; the deviation
        of a single run is NaN too, as 0 would claim a spread nobody measured.
    n, failed : int
        Runs that succeeded, runs that failed.
    seeds : frozenset of int
        Seeds of all of them.
    half : float, default=nan
        Half of the 95 % interval of the mean over draws; NaN for a single run.
    """

    mean: float
    std: float
    n: int
    failed: int
    seeds: frozenset[int] = frozenset()
    half: float = math.nan

    @property
    def failures(self) -> str:
        """How many runs failed, in words; "" if none did."""
        return f"failed ({self.failed} of {self.n + self.failed})" if self.failed else ""

    def number(self, value: float, metric: str) -> str:
        """Return a number with three decimals for a score, and about three digits for a cost."""
        digits = 3 if metric not in COSTS else 3 - sum(self.mean >= least for least in (1, 10, 100))
        return f"{value:.{digits}f}"

    def competing(self, metric: str) -> float | None:
        """Return the mean as it is printed; None where runs failed, which takes no part."""
        return float(self.number(self.mean, metric)) if self.n and not self.failed else None

    def bounds(self, metric: str = "acc") -> tuple[str, str] | None:
        """Return the 95 % interval of the mean as text, cut where no mean can be; None without one.

        Examples
        --------
        >>> Summary(0.98, 0.1, 3, 0, half=0.05).bounds()
        ('0.930', '1.000')
        """
        if math.isnan(self.half):
            return None
        low = -math.inf if metric == "ari" else 0.0  # which chance may bring below 0
        high = 1.0 if metric in METRICS else math.inf
        ends = max(self.mean - self.half, low), min(self.mean + self.half, high)
        return self.number(ends[0], metric), self.number(ends[1], metric)

    def text(self, metric: str = "acc", interval: bool = False) -> str:
        """Return mean ± deviation, and how many runs failed.

        With `interval`, the 95 % interval of the mean follows in brackets.

        Examples
        --------
        >>> Summary(0.5, 0.1, 2, 1, half=0.2).text(interval=True)
        '0.500 ± 0.100 [0.300, 0.700], failed (1 of 3)'
        """
        if not self.n:
            return self.failures
        text = self.number(self.mean, metric)
        if not math.isnan(self.std):  # a single run has no spread
            text += f" ± {self.number(self.std, metric)}"
        if interval and (ends := self.bounds(metric)):
            text += f" [{', '.join(ends)}]"
        return ", ".join(filter(None, (text, self.failures)))


def average_of(cells: Sequence[Summary]) -> Summary:
    """Return the average of means and of deviations; its interval is that of the mean of means."""
    return Summary(
        mean=math.fsum(cell.mean for cell in cells) / len(cells),
        std=math.fsum(cell.std for cell in cells) / len(cells),
        n=sum(cell.n for cell in cells),
        failed=sum(cell.failed for cell in cells),
        half=half_width([cell.std for cell in cells], [cell.n for cell in cells]),
    )


def half_width(stds: Sequence[float], counts: Sequence[int]) -> float:
    """Return half of the 95 % interval of the mean of some means, or of a single one.

    Parameters
    ----------
    stds : sequence of float
        Deviation of the draws behind each mean (ddof = 0).
    counts : sequence of int
        How many draws each mean has.

    Returns
    -------
    float
        NaN if some mean has a single draw, which tells nothing of chance.

    Examples
    --------
    Draws 1, 2 and 3 have the mean 2, and 4.303 is Student's factor for 3 draws:

    >>> round(half_width([(2 / 3) ** 0.5], [3]), 3), round(4.303 / 3**0.5, 3)
    (2.484, 2.484)
    """
    if min(counts) < 2:
        return math.nan
    errors = [s * s / (n - 1) for s, n in zip(stds, counts, strict=True)]
    total = math.fsum(errors)
    if total == 0:  # all draws are equal
        return 0.0
    # As shares of the largest: squares of small numbers would vanish.
    shares = [error / max(errors) for error in errors]
    squares = math.fsum(share**2 / (n - 1) for share, n in zip(shares, counts, strict=True))
    freedom = math.fsum(shares) ** 2 / squares
    return float(stdtrit(freedom, 0.975)) * math.sqrt(total) / len(errors)


def marks(values: Sequence[float | None], *, lowest: bool = False) -> list[str]:
    """Return "best", "second" or "" for each number of a row, as it is printed.

    Equal numbers tie: all with the best one are best, all with the next one second. None takes no
    part, and a row with fewer than two numbers has no best.

    Examples
    --------
    >>> marks([0.91, 0.91, None, 0.90, 0.80])
    ['best', 'best', '', 'second', '']
    """
    present = [value for value in values if value is not None]
    places = sorted(set(present), reverse=not lowest)[:2] if len(present) > 1 else []
    names = dict(zip(places, ("best", "second"), strict=False))
    return ["" if value is None else names.get(value, "") for value in values]
