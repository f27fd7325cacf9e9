"""Box plots over seeds."""

from typing import Any

import pandas as pd
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure

from ..selection import clean, datasets_of, in_order, metric_label, succeeded
from ._panels import label_panels, panels, styled
from ._style import looks

__all__ = ["boxes"]


_ABSENT: Any = {"ha": "center", "va": "center", "fontsize": 8, "color": "#555555"}


@styled
def boxes(rows: pd.DataFrame, metric: str = "acc_unlabelled") -> Figure:
    """Draw the spread of a metric over seeds on clean data, a panel for each dataset.

    A box reaches from the first to the third quartile, its line is the median, whiskers reach
    1.5 box lengths further, and points lie beyond.
    """
    label = metric_label(metric)
    kept = succeeded(clean(rows))
    if kept.groupby(["dataset", "method"])["seed"].nunique().max() < 2:
        raise ValueError("no clean rows with several seeds; run a plan with seeds = 10.")
    methods, datasets = in_order(kept["method"]), datasets_of(kept)
    look = looks(methods)
    figure, axes = panels(
        len(datasets), (3.2, 0.7 + 0.2 * max(4, len(methods))), sharex=True, sharey=True
    )
    for ax, dataset in zip(axes, datasets, strict=True):
        part = kept[kept["dataset"] == dataset]
        values = [part.loc[part["method"] == m, metric].to_numpy() for m in methods]
        drawn = ax.boxplot(
            values,
            orientation="horizontal",
            widths=0.65,
            patch_artist=True,
            manage_ticks=False,
            medianprops={"color": "black", "linewidth": 1.6},
            flierprops={"marker": ".", "markersize": 4, "markerfacecolor": "#333333"},
        )
        for box, method in zip(drawn["boxes"], methods, strict=True):
            # The median must show on any colour, so none is full.
            box.set_facecolor(to_rgba(look[method].color, 0.55 if look[method].strong else 0.4))
            box.set_linewidth(1.6 if look[method].strong else 0.8)
        for i, runs in enumerate(values, start=1):
            if not len(runs):
                ax.text(0.5, i, "no result", transform=ax.get_yaxis_transform(), **_ABSENT)
        ax.grid(True, axis="x")
        ax.set_title(dataset)
    axes[0].set_ylim(len(methods) + 0.6, 0.4)
    axes[0].set_yticks(range(1, len(methods) + 1), methods)
    label_panels(axes, label, "")
    return figure
