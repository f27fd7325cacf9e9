"""Bars: what each part of a method is worth."""

import pandas as pd
from matplotlib.figure import Figure

from ..selection import datasets_of, in_order, metric_label, succeeded, variants
from ._panels import label_panels, panels, styled

__all__ = ["ablation"]

# Numbers stay legible where a line passes behind them.
_PAPER = {"facecolor": "white", "edgecolor": "none", "pad": 0.6}
_WHOLE, _PART = "#D55E00", "#56B4E9"


@styled
def ablation(rows: pd.DataFrame, metric: str = "acc_unlabelled") -> Figure:
    """Draw the mean of each variant of a method, with one standard deviation.

    Rows with a `variant` are shown, and the unchanged method in the same setting. The method as it
    comes stands on top, and a dashed line marks its mean.
    """
    label = metric_label(metric)
    kept = succeeded(variants(rows))
    methods, datasets = in_order(kept["method"]), datasets_of(kept)
    by_pair = dict(list(kept.groupby(["dataset", "method"])))
    pairs = [(d, m) for d in datasets for m in methods if (d, m) in by_pair]
    names = list(dict.fromkeys(kept["variant"]))
    figure, axes = panels(len(pairs), (3.4, 0.9 + 0.26 * len(names)), sharex=True, sharey=True)
    for ax, (dataset, method) in zip(axes, pairs, strict=True):
        runs = by_pair[dataset, method].groupby("variant")[metric]
        mean = runs.mean().reindex(names)
        std = runs.std(ddof=0).reindex(names).fillna(0.0)
        bars = range(len(names))
        colors = [_PART if name else _WHOLE for name in names]
        ax.barh(bars, mean, xerr=std, color=colors, height=0.7, capsize=2.5, ecolor="#333333")
        for i, (value, spread) in enumerate(zip(mean, std, strict=True)):
            if value == value:
                ax.text(
                    value + spread + 0.015, i, f"{value:.3f}", va="center", fontsize=8, bbox=_PAPER
                )
        if "" in mean.index:
            ax.axvline(mean[""], color="#333333", linestyle="--", linewidth=0.8, zorder=0)
        ax.set_yticks(bars, [name or "unchanged" for name in names])
        ax.set_title(f"{dataset}, {method}" if len(methods) > 1 else dataset)
    top = kept.groupby(["dataset", "method", "variant"])[metric].agg(["mean", "std"])
    most = max(1.0, float(top.fillna(0.0).sum(axis=1).max()) + 0.12)
    axes[0].invert_yaxis()
    axes[0].set_xlim(0.0, most)
    label_panels(axes, label if len(methods) > 1 else f"{methods[0]}: {label}", "")
    return figure
