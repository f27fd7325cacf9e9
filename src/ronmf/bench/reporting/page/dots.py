"""The picture of the first screen: one line per method, its mean and every dataset as dots.

Names and numbers are text of the page, so that they stay legible at any width; only the dots are
drawn, at places that are shares of the width.
"""

import math
from dataclasses import dataclass

from ..contest import Contest
from ..contestants import is_own

__all__ = ["DotLine", "DotPlot", "dot_plot"]

_MOST_LINES = 20  # that fit the first screen


@dataclass(frozen=True)
class DotLine:
    """One method.

    Attributes
    ----------
    method, value : str
        Its name, and its mean as text.
    kind : {"own", "graph", "other"}
        The project's method, propagation on its graph, or neither.
    mean, low, high : float
        Places of the mean and of the ends of its interval, in percent of the width.
    dots : tuple of (str, float)
        What each dataset has, in words, and its place.
    """

    method: str
    value: str
    kind: str
    mean: float
    low: float
    high: float
    dots: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class DotPlot:
    """All methods, best first.

    Attributes
    ----------
    lines : tuple of DotLine
        The methods.
    ticks : tuple of (str, float)
        Numbers of the axis and their places.
    caption : str
        How to read it.
    """

    lines: tuple[DotLine, ...]
    ticks: tuple[tuple[str, float], ...]
    caption: str


def dot_plot(contest: Contest) -> DotPlot:
    """Return accuracy on unlabelled samples, by method.

    Parameters
    ----------
    contest : Contest
        What to show.
    """
    methods = list(contest.methods)
    for method in contest.methods[::-1]:
        if len(methods) <= _MOST_LINES:
            break
        if method not in contest.own and method != contest.graph:
            methods.remove(method)
    values = [cell.mean for m in methods for cell in contest.by_dataset[m].values()]
    low = math.floor(10 * min(values)) / 10
    high = max(1.0, max(values))
    step = 0.1 if high - low < 0.55 else 0.2

    def place(value: float) -> float:
        return round(100 * (min(max(value, low), high) - low) / (high - low), 2)

    lines = []
    for method in methods:
        mean, datasets = contest.means[method], contest.by_dataset[method]
        half = 0.0 if math.isnan(mean.half) else mean.half
        dots = [(f"{name} {cell.mean:.3f}", place(cell.mean)) for name, cell in datasets.items()]
        kind = "own" if is_own(method) else "graph" if method == contest.graph else "other"
        ends = place(mean.mean - half), place(mean.mean + half)
        spots = tuple(dots) if len(dots) > 1 else ()
        lines.append(DotLine(method, f"{mean.mean:.3f}", kind, place(mean.mean), *ends, spots))
    count = round((high - low) / step + 1e-9)
    ticks = [high - step * i for i in range(count, -1, -1)]
    shown = tuple((f"{tick:.1f}", place(tick)) for tick in ticks if tick >= low - 1e-9)
    return DotPlot(tuple(lines), shown, _caption(contest, len(methods)))


def _caption(contest: Contest, shown: int) -> str:
    one = len(contest.datasets) == 1
    said = ["Accuracy on unlabelled samples."]
    if one:
        said.append("Dot: mean over draws, with its 95 % interval.")
    else:
        said.append(
            f"Large dot: mean of {len(contest.datasets)} datasets, with its 95 % interval over"
            " draws; small dots: single datasets."
        )
    if contest.own:
        said.append("In colour: RONMF" + (", hollow: on its graph." if contest.graph else "."))
    said.append("A draw is a random choice of classes, samples and given labels.")
    left = len(contest.methods) - shown
    if left:
        said.append(f"{left} methods with lower means are in the table only.")
    if contest.left_out:
        said.append(f"Left out, not run everywhere: {', '.join(contest.left_out)}.")
    return " ".join(said)
