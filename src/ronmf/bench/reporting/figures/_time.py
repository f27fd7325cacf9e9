"""What accuracy costs."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

from ..selection import clean, datasets_of, in_order, metric_label, succeeded
from ._panels import label_panels, legend, panels, styled
from ._style import looks

__all__ = ["time"]


@styled
def time(rows: pd.DataFrame, metric: str = "acc_unlabelled") -> Figure:
    """Draw a metric against the seconds of a run on clean data, a panel for each dataset.

    Points are the mean of the metric and the median of the time, and a thin line one standard
    deviation of the metric. A grey line joins the methods that none beats in both.
    """
    label = metric_label(metric)
    kept = succeeded(clean(rows))
    kept = kept[kept["seconds"] > 0]
    if kept.empty:
        raise ValueError("no clean rows with a run time; run a plan without noise.")
    look = looks(kept["method"])
    datasets = datasets_of(kept)
    figure, axes = panels(len(datasets), sharey=True)
    for ax, dataset in zip(axes, datasets, strict=True):
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
        # Limits at least a decade apart: small differences should look small.
        middle = np.sqrt(points["seconds"].min() * points["seconds"].max())
        half = max(1.3 * points["seconds"].max() / middle, 10**0.55)
        ax.set_xlim(middle / half, middle * half)
        ax.xaxis.set_major_locator(LogLocator(subs=(1, 3) if half < 30 else (1,)))
        ax.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
        ax.xaxis.set_minor_formatter(NullFormatter())
        ax.grid(True)
        ax.set_title(dataset)
    label_panels(axes, "seconds of a run (median)", label)
    legend(figure, [Line2D([], [], label=m, **look[m].point) for m in look])
    return figure


def _spread(values: pd.Series) -> float:
    return float(values.std(ddof=0))


def _front(points: pd.DataFrame) -> pd.DataFrame:
    """Return the methods than which none is both faster and better, from fast to slow."""
    ordered = points.sort_values(["seconds", "mean"], ascending=[True, False])
    return ordered[ordered["mean"] > ordered["mean"].cummax().shift(fill_value=-1.0)]
