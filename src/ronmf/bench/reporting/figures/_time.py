"""What accuracy costs."""

import numpy as np
import pandas as pd
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, NullFormatter

from ..selection import clean, datasets_of, in_order, metric_label, succeeded
from ._sheet import Sheet, panels, styled
from ._style import looks

__all__ = ["time"]


@styled
def time(rows: pd.DataFrame, metric: str = "acc_unlabelled") -> Sheet:
    """Draw a metric against the seconds of a run on clean data, a panel for each dataset.

    Points are the mean of the metric and the median of the time, and a thin line one standard
    deviation of the metric. A grey line joins the methods that none beats in both.

    Parameters
    ----------
    rows : DataFrame
        Tidy rows.
    metric : str, default="acc_unlabelled"
        Column to show.
    """
    label = metric_label(metric)
    kept = succeeded(clean(rows))
    kept = kept[kept["seconds"] > 0]
    if kept.empty:
        raise ValueError("no clean rows with a run time; run a plan without noise.")
    look = looks(kept["method"])
    datasets = datasets_of(kept)
    sheet = panels(len(datasets), sharey=True)
    for ax, dataset in zip(sheet.axes, datasets, strict=True):
        runs = kept[kept["dataset"] == dataset].groupby("method")
        points = runs.agg(
            seconds=("seconds", "median"), mean=(metric, "mean"), std=(metric, _spread)
        )
        front = _front(points)
        ax.step(front["seconds"], front["mean"], where="post", color="#bbbbbb", linewidth=1.0)
        for method in in_order(points.index):
            x, y, spread = points.loc[method]
            style = look[method]
            ax.plot([x, x], [y - spread, y + spread], color=style.color, linewidth=0.7, alpha=0.6)
            ax.plot(x, y, label=method, **style.point)
        ax.set_xscale("log")
        low, high = _limits(points["seconds"])
        ax.set_xlim(low, high)
        ax.xaxis.set_major_locator(FixedLocator(_ticks(low, high)))
        ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        ax.xaxis.set_minor_formatter(NullFormatter())
        ax.grid(True)
        ax.set_title(dataset)
    sheet.label("seconds of a run (median)", label)
    sheet.legend([Line2D([], [], label=m, **look[m].point) for m in look])
    return sheet


def _spread(values: pd.Series) -> float:
    return float(values.std(ddof=0))


def _limits(seconds: pd.Series) -> tuple[float, float]:
    """Return limits at least a decade apart: small differences should look small."""
    middle = float(np.sqrt(seconds.min() * seconds.max()))
    half = max(float(np.sqrt(seconds.max() / seconds.min())) * 1.3, 10**0.55)
    return middle / half, middle * half


def _ticks(low: float, high: float) -> list[float]:
    """Return round numbers between the limits, few enough not to touch."""
    powers = range(int(np.floor(np.log10(low))), int(np.ceil(np.log10(high))) + 1)
    steps = (1, 3) if high / low < 1000 else (1,)
    ticks = [step * 10.0**power for power in powers for step in steps]
    return [tick for tick in ticks if low <= tick <= high]


def _front(points: pd.DataFrame) -> pd.DataFrame:
    """Return the methods than which none is both faster and better, from fast to slow."""
    ordered = points.sort_values(["seconds", "mean"], ascending=[True, False])
    return ordered[ordered["mean"] > ordered["mean"].cummax().shift(fill_value=-1.0)]
