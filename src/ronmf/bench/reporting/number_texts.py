"""The numbers of a cell as text, and which of a row is the best by what is printed."""

import math
from collections.abc import Sequence

from ...metrics import METRICS
from .summaries import COSTS, Summary

__all__ = ["bounds", "decimals", "failures", "marks", "ranked", "spread"]


def decimals(mean: float, metric: str) -> int:
    """Return three decimals for a score, as the paper has, and about three digits for a cost."""
    if metric not in COSTS:
        return 3
    return 0 if mean >= 100 else 1 if mean >= 10 else 2 if mean >= 1 else 3


def marks(values: Sequence[str | None], *, lowest: bool = False) -> list[str]:
    """Return "best", "second" or "" for each number of a row, as it is printed.

    Equal text ties: all with the best number are best, all with the next number second. None
    takes no part, and a row with fewer than two numbers has no best.

    Examples
    --------
    >>> marks(["0.91", "0.91", None, "0.90", "0.80"])
    ['best', 'best', '', 'second', '']
    """
    present = [float(value) for value in values if value is not None]
    if len(present) < 2:
        return [""] * len(values)
    places = sorted(set(present), reverse=not lowest)[:2]
    names = dict(zip(places, ("best", "second"), strict=False))
    return ["" if value is None else names.get(float(value), "") for value in values]


def ranked(summary: Summary, metric: str) -> str | None:
    """Return the mean as it is printed; None where runs failed, which takes no part."""
    if not summary.n or summary.failed:
        return None
    return f"{summary.mean:.{decimals(summary.mean, metric)}f}"


def failures(summary: Summary) -> str:
    """Return how many runs failed, in words; "" if none did."""
    if not summary.failed:
        return ""
    return f"failed ({summary.failed} of {summary.n + summary.failed})"


def bounds(summary: Summary, metric: str = "acc") -> tuple[str, str] | None:
    """Return the 95 % interval of the mean as text, cut where no mean can be; None without one.

    Examples
    --------
    >>> bounds(Summary(0.9, 0.1, 3, 0, frozenset({0, 1, 2}), half=0.05))
    ('0.850', '0.950')
    >>> bounds(Summary(0.98, 0.1, 3, 0, frozenset({0, 1, 2}), half=0.05))
    ('0.930', '1.000')
    """
    if math.isnan(summary.half):
        return None
    low, high = summary.mean - summary.half, summary.mean + summary.half
    if metric in METRICS:
        high = min(high, 1.0)
    if metric != "ari":  # which chance may bring below 0
        low = max(low, 0.0)
    digits = decimals(summary.mean, metric)
    return f"{low:.{digits}f}", f"{high:.{digits}f}"


def spread(summary: Summary, metric: str = "acc", interval: bool = False) -> str:
    """Return mean ± deviation, and how many runs failed.

    With `interval`, the 95 % interval of the mean follows in brackets.

    Examples
    --------
    >>> some = Summary(0.5, 0.1, 2, 1, frozenset({0, 1, 2}), half=0.2)
    >>> spread(some)
    '0.500 ± 0.100, failed (1 of 3)'
    >>> spread(some, interval=True)
    '0.500 ± 0.100 [0.300, 0.700], failed (1 of 3)'
    """
    if summary.n == 0:
        return failures(summary)
    digits = decimals(summary.mean, metric)
    text = f"{summary.mean:.{digits}f}"
    if not math.isnan(summary.std):  # a single run has no spread
        text += f" ± {summary.std:.{digits}f}"
    ends = bounds(summary, metric) if interval else None
    if ends:
        text += f" [{', '.join(ends)}]"
    return f"{text}, {failures(summary)}" if summary.failed else text
