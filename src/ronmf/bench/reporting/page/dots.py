"""The picture of the first screen: one line per method, its mean and every dataset as dots.

Names and numbers are text of the page, so that they stay legible at any width; only the dots are
drawn, at places that are shares of the width.
"""

import math
from dataclasses import dataclass

from ..contest import Contest
from ..opponents import CHOSEN_GRAPH, is_own

__all__ = ["DotLine", "dot_plot"]

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
    dots : list of (str, float)
        What each dataset has, in words, and its place.
    """

    method: str
    value: str
    kind: str
    mean: float
    low: float
    high: float
    dots: list[tuple[str, float]]


def dot_plot(contest: Contest) -> tuple[list[DotLine], list[tuple[str, float]], str]:
    """Return accuracy on unlabelled samples by method, best first; ticks; and how to read it."""
    worst = [m for m in contest.means if m not in {*contest.own, CHOSEN_GRAPH}][::-1]
    left = worst[: max(0, len(contest.means) - _MOST_LINES)]
    methods = [method for method in contest.means if method not in left]
    grid = contest.grid
    cells = {method: [grid.cells[key, (method,)] for key in grid.rows] for method in methods}
    values = [cell.mean for line in cells.values() for cell in line]
    low, high = math.floor(10 * min(values)) / 10, max(1.0, *values)

    def place(value: float) -> float:
        return round(100 * (min(max(value, low), high) - low) / (high - low), 2)

    lines = []
    for method in methods:
        mean = contest.means[method]
        half = 0.0 if math.isnan(mean.half) else mean.half
        named = zip(contest.datasets, cells[method], strict=True)
        dots = [(f"{name} {cell.mean:.3f}", place(cell.mean)) for name, cell in named]
        kind = "own" if is_own(method) else "graph" if method == CHOSEN_GRAPH else "other"
        ends = place(mean.mean - half), place(mean.mean + half)
        dots = dots if len(dots) > 1 else []
        lines.append(DotLine(method, f"{mean.mean:.3f}", kind, place(mean.mean), *ends, dots))
    step = 0.1 if high - low < 0.55 else 0.2
    ticks = [high - step * i for i in range(round((high - low) / step + 1e-9), -1, -1)]
    shown = [(f"{tick:.1f}", place(tick)) for tick in ticks if tick >= low - 1e-9]
    return lines, shown, _caption(contest, len(left))


def _caption(contest: Contest, left: int) -> str:
    said = ["Accuracy on unlabelled samples."]
    if len(contest.datasets) == 1:
        said.append("Dot: mean over draws, with its 95 % interval.")
    else:
        said.append(
            f"Large dot: mean of {len(contest.datasets)} datasets, with its 95 % interval over"
            " draws; small dots: single datasets."
        )
    if contest.own:
        graph = CHOSEN_GRAPH in contest.means
        said.append("In colour: RONMF" + (", hollow: on its graph." if graph else "."))
    said.append("A draw is a random choice of classes, samples and given labels.")
    if left:
        said.append(f"{left} methods with lower means are in the table only.")
    if contest.left_out:
        said.append(f"Left out, not run everywhere: {', '.join(contest.left_out)}.")
    return " ".join(said)
