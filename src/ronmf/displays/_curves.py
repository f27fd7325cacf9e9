"""Small plots as SVG, drawn without a plotting library."""

import math
from dataclasses import dataclass

__all__ = ["Curve", "curve"]

_WIDTH, _HEIGHT = 300.0, 120.0


@dataclass(frozen=True)
class Curve:
    """A curve over steps, ready to be drawn.

    Attributes
    ----------
    title, description : str
        What it shows, and from where to where it goes.
    lines : dict
        Points of each line by its name, as SVG's ``points``.
    low, high : str
        The values at the ends of the vertical axis.
    """

    title: str
    description: str
    lines: dict[str, str]
    low: str
    high: str


def curve(title: str, *, log: bool = False, **series: list[float]) -> Curve | None:
    """Return series of numbers over steps as a curve; None if there are not two steps.

    Parameters
    ----------
    title : str
        What it shows.
    log : bool, default=False
        Whether the vertical axis is logarithmic; numbers that are not positive are left out.
    **series : list of float
        Numbers by the name of the line.

    Examples
    --------
    >>> found = curve("Objective", objective=[4.0, 2.0, 1.0])
    >>> found.lines["objective"], found.low, found.high
    ('0.0,0.0 150.0,80.0 300.0,120.0', '1', '4')
    """
    points = {
        name: [
            (step, math.log(value) if log else value)
            for step, value in enumerate(map(float, values))
            if math.isfinite(value) and (value > 0 or not log)
        ]
        for name, values in series.items()
    }
    points = {name: line for name, line in points.items() if len(line) > 1}
    if not points:
        return None
    heights = [y for line in points.values() for _, y in line]
    low, high = min(heights), max(heights)
    steps = max(x for line in points.values() for x, _ in line)
    unit = high - low or 1.0
    lines = {
        name: " ".join(
            f"{x / steps * _WIDTH:.1f},{(high - y) / unit * _HEIGHT:.1f}" for x, y in line
        )
        for name, line in points.items()
    }
    ends = ", ".join(
        f"{name} from {series[name][0]:.3g} to {series[name][-1]:.3g}" for name in lines
    )
    shown = [math.exp(y) if log else y for y in (low, high)]
    return Curve(title, ends, lines, f"{shown[0]:.3g}", f"{shown[1]:.3g}")
