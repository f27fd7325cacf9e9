"""Curves with a band of one standard deviation: over classes and over noise levels."""

from itertools import product

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator, NullLocator

from ...running.settings import SETTINGS
from ..selection import datasets_of, in_order, metric_label, noisy, succeeded, varied
from ._panels import label_panels, legend, panels, styled
from ._style import Look, looks

__all__ = ["classes", "noise"]

_LEVELS = {
    "gaussian": "Gaussian: share of variance",
    "poisson": "Poisson: peak count (few: noisy)",
    "salt_pepper": "salt and pepper: share of pixels",
    "occlusion": "black block: share covered",
    "occlusion_random": "random block: share covered",
    "occlusion_picture": "other picture: share covered",
    "label_flips": "wrong labels: share of labels",
}


@styled
def classes(rows: pd.DataFrame, metric: str = "acc_unlabelled") -> Figure:
    """Draw a metric against the number of classes, a panel for each dataset.

    Returns
    -------
    Figure
        Mean over seeds, and a band of one standard deviation.
    """
    label = metric_label(metric)
    kept = succeeded(varied(rows, "n_classes"))
    look = looks(kept["method"])
    datasets = datasets_of(kept)
    figure, axes = panels(len(datasets), sharey=True)
    for ax, dataset in zip(axes, datasets, strict=True):
        _curves(ax, kept[kept["dataset"] == dataset], "n_classes", metric, look)
        ax.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
        ax.set_title(dataset)
    axes[0].set_ylim(_limits(kept, metric))
    label_panels(axes, SETTINGS["n_classes"].heading, label)
    legend(figure, [Line2D([], [], label=method, **look[method].line) for method in look])
    return figure


@styled
def noise(rows: pd.DataFrame, metric: str = "acc_unlabelled") -> Figure:
    """Draw a metric against the noise level: a row of panels per dataset, a column per kind.

    Runs without noise stand at level 0; for Poisson noise, where no noise would be an infinite
    count, they stand at the far left, marked "none".
    """
    label = metric_label(metric)
    kept = succeeded(noisy(rows))
    under = kept[kept["noise"] != "none"]
    if under.empty:
        raise ValueError("no rows with noise ended well; look at the reasons of the failed runs.")
    kinds = [k for k in _LEVELS if (under["noise"] == k).any()]
    kinds += sorted(set(under["noise"]) - set(kinds))
    datasets = datasets_of(under)
    look = looks(under["method"])
    counts = sorted(set(under.loc[under["noise"] == "poisson", "noise_level"]))
    none = max(counts, default=0.0) * 4  # clean data are the limit of many counts
    figure, axes = panels(
        len(datasets) * len(kinds),
        (2.7 if len(kinds) < 4 else 2.35, 2.3),
        columns=len(kinds),
        sharey=True,
        sharex="col",
    )
    axes[0].set_ylim(_limits(kept, metric))
    for ax, (dataset, kind) in zip(axes, product(datasets, kinds), strict=True):
        part = kept[kept["dataset"] == dataset]
        if kind == "poisson":
            _count_axis(ax, counts, none)
            levels = part["noise_level"].mask(part["noise"] == "none", none)
            part = part.assign(noise_level=levels)
        _levels(ax, part, kind, metric, look)
        name, _, level = _LEVELS.get(kind, f"{kind}: level").partition(": ")
        ax.set_title(f"{dataset}, {name}", fontsize=9)
        ax.set_xlabel(level)
    label_panels(axes, "", label.replace(" (", "\n("))
    legend(figure, [Line2D([], [], label=method, **look[method].line) for method in look])
    return figure


def _levels(ax: Axes, part: pd.DataFrame, kind: str, metric: str, look: dict[str, Look]) -> None:
    """Draw one kind of noise on one dataset, with its clean runs; without noisy ones say so."""
    ax.grid(True)
    under = part[part["noise"] == kind]
    if under.empty:
        ax.text(0.5, 0.5, "not run", transform=ax.transAxes, ha="center", color="#555555")
        return
    same = (part["noise"] == "none") & part["method"].isin(under["method"])
    _curves(ax, pd.concat([part[same], under]), "noise_level", metric, look)


def _count_axis(ax: Axes, levels: list[float], none: float) -> None:
    """Make an axis of Poisson counts, from the clean limit down to few."""
    ax.set_xscale("log")
    ax.xaxis.set_minor_locator(NullLocator())
    ax.set_xticks([*levels, none], [*(f"{level:g}" for level in levels), "none"])
    ax.set_xlim(none * 1.3, min(levels) / 1.3)


def _limits(rows: pd.DataFrame, metric: str) -> tuple[float, float]:
    """Return limits that hold every band: to find them band by band on shared axes is slow."""
    runs = rows.groupby(["dataset", "method", "n_classes", "noise", "noise_level"])[metric]
    mean, std = runs.mean(), runs.std(ddof=0)
    return float((mean - std).min()) - 0.03, float((mean + std).max()) + 0.03


def _curves(ax: Axes, part: pd.DataFrame, x: str, metric: str, look: dict[str, Look]) -> None:
    """Draw the mean and one standard deviation of each method."""
    ax.grid(True)
    ax.set_autoscaley_on(False)
    # Many bands on each other hide the curves: the more there are the fainter.
    faint = 0.22 if len(look) <= 4 else 0.12 if len(look) <= 8 else 0.05
    for method in in_order(part["method"]):
        runs = part[part["method"] == method].groupby(x)[metric]
        mean, std = runs.mean(), runs.std(ddof=0)
        style = look[method]
        ax.plot(mean.index, mean, label=method, **style.line)
        band = 0.1 if style.strong else faint
        ax.fill_between(
            mean.index, mean - std, mean + std, color=style.color, alpha=band, linewidth=0
        )
