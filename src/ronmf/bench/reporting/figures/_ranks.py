"""The critical-difference diagram."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..ranking import Ranking, rank_methods
from ..selection import metric_label
from ._panels import panels, styled
from ._style import looks

__all__ = ["critical_difference"]

_LINE = 0.23  # inches between two names
_SIDE = 2.7  # inches for the names of a side


@styled
def critical_difference(rows: pd.DataFrame, metric: str = "acc_unlabelled") -> Figure:
    """Draw average ranks over datasets, with bars over methods that do not differ [1]_.

    The better half of the names stands on the left, the others on the right.

    Parameters
    ----------
    rows : DataFrame
        Tidy rows of at least three methods on two datasets.
    metric : str, default="acc_unlabelled"
        Column to rank by.

    References
    ----------
    .. [1] Demšar (2006). Statistical comparisons of classifiers over multiple data sets. JMLR 7.
    """
    label = metric_label(metric)
    name, _, scope = metric.partition("_")
    ranking = rank_methods(rows, name, scope)
    text = f"average rank by {label} over {len(ranking.datasets)} datasets (1 is best)"
    if ranking.left_out:
        text += f"\nleft out: {', '.join(ranking.left_out)}"
    count = len(ranking.methods)
    bars = 0.16 * len(ranking.groups) + 0.25
    depth = bars + _LINE * -(-count // 2)
    inner = max(4.0, 0.25 * count)
    figure, axes = panels(1, (inner + 2 * _SIDE, depth + 1.3))
    (ax,) = axes
    # A unit of x is a rank, a unit of y an inch.
    step = (count - 1) / inner
    ax.set_xlim(1 - _SIDE * step, count + _SIDE * step)
    ax.set_ylim(-depth - 0.35, 0.95)
    ax.axis("off")
    _axis(ax, ranking, step)
    _names(ax, ranking, bars, step)
    for i, group in enumerate(ranking.groups):
        ends = [ranking.average_ranks[ranking.methods.index(m)] for m in (group[0], group[-1])]
        reach = 0.05 * step
        height = -0.18 - 0.16 * i
        ax.plot(
            [ends[0] - reach, ends[1] + reach], [height] * 2, color="#333333", linewidth=4.0,
            solid_capstyle="butt",
        )  # fmt: skip
    ax.text((1 + count) / 2, -depth - 0.3, text, ha="center", va="center")
    return figure


def _axis(ax: Axes, ranking: Ranking, step: float) -> None:
    """Draw the line of ranks, and the critical difference above it."""
    count = len(ranking.methods)
    ax.plot([1, count], [0, 0], color="black", linewidth=1.2)
    every = 1 if count <= 20 else 5
    for rank in range(1, count + 1, every):
        ax.plot([rank, rank], [0, 0.07], color="black", linewidth=1.2)
        ax.text(rank, 0.1, str(rank), ha="center", va="bottom", fontsize=8.5)
    width = min(ranking.critical_difference, count - 1)
    text = f"CD = {ranking.critical_difference:.2f} (α = {ranking.alpha:g})"
    if ranking.critical_difference > count - 1:
        text += ", more than the ranks can differ"
    ax.plot([1, 1 + width], [0.5, 0.5], color="black", linewidth=1.2)
    for end in (1, 1 + width):
        ax.plot([end, end], [0.44, 0.56], color="black", linewidth=1.2)
    ax.text(1, 0.62, text, ha="left", va="bottom", fontsize=8.5)


def _names(ax: Axes, ranking: Ranking, top: float, step: float) -> None:
    """Write the better half on the left, the others on the right, each with a line to its rank."""
    count = len(ranking.methods)
    look = looks(ranking.methods)
    half = -(-count // 2)
    for i, (method, rank) in enumerate(zip(ranking.methods, ranking.average_ranks, strict=True)):
        left = i < half
        line = i if left else count - 1 - i
        height = -top - _LINE * line
        end = 1 - 0.25 * step if left else count + 0.25 * step
        style = look[method]
        ax.plot(
            [rank, rank, end],
            [0, height, height],
            color=style.color,
            linewidth=1.8 if style.strong else 0.9,
            zorder=1,
        )
        text = f"{method}  {rank:.2f}" if left else f"{rank:.2f}  {method}"
        ax.text(
            *(end + (-0.06 if left else 0.06) * step, height, text),
            ha="right" if left else "left",
            va="center",
            fontweight="bold" if style.strong else "normal",
        )
