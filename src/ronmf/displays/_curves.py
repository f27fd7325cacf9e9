"""Small plots as SVG, drawn without a plotting library."""

from dataclasses import dataclass

import numpy as np

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
    points = {}
    for name, values in series.items():
        y = np.asarray(values, dtype=float)
        steps = np.flatnonzero(np.isfinite(y) & ((y > 0) | (not log)))
        if len(steps) > 1:
            points[name] = steps, np.log(y[steps]) if log else y[steps]
    if not points:
        return None
    heights = np.concatenate([y for _, y in points.values()])
    low, high = heights.min(), heights.max()
    right, unit = max(steps[-1] for steps, _ in points.values()), high - low or 1.0
    lines = {
        name: " ".join(
            f"{x / right * _WIDTH:.1f},{(high - y) / unit * _HEIGHT:.1f}"
            for x, y in zip(*line, strict=True)
        )
        for name, line in points.items()
    }
    ends = ", ".join(
        f"{name} from {series[name][0]:.3g} to {series[name][-1]:.3g}" for name in lines
    )
    bottom, top = np.exp([low, high]) if log else (low, high)
    return Curve(title, ends, lines, f"{bottom:.3g}", f"{top:.3g}")
