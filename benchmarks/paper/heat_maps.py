"""Heat maps over two settings, with the numbers in the cells."""

import json
from collections.abc import Callable

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage

from ronmf.bench.reporting.figures import label_panels, panels, styled
from ronmf.bench.reporting.selection import (
    comparable,
    datasets_of,
    in_order,
    metric_label,
    succeeded,
    typical,
)
from ronmf.bench.running.settings import SETTINGS


@styled
def label_rate_graph_weight(rows: pd.DataFrame, metric: str = "acc_unlabelled") -> Figure:
    """Draw a metric over the share of labels and the weight of the graph.

    Parameters
    ----------
    rows : DataFrame
        Tidy rows; those whose `params` change ``graph_weight`` alone are shown.
    metric : str, default="acc_unlabelled"
        Column to show.
    """
    label = metric_label(metric)
    kept = _grid(rows, {"graph_weight"})
    kept = _varied(kept[np.isfinite(kept["label_rate"])], "graph_weight", "label_rate")
    if kept.empty:
        raise ValueError(
            "no rows over label_rate and graph_weight; run a plan with several values of"
            " label_rate and grid = {graph_weight = [...]}."
        )
    return _maps(typical(kept, "label_rate"), "graph_weight", "label_rate", metric, label)


@styled
def weights(rows: pd.DataFrame, metric: str = "acc_unlabelled") -> Figure:
    """Draw a metric over the weight of the graph and the weight of the labels.

    Parameters
    ----------
    rows : DataFrame
        Tidy rows; those whose `params` change ``graph_weight`` and ``label_weight`` alone are
        shown.
    metric : str, default="acc_unlabelled"
        Column to show.
    """
    label = metric_label(metric)
    kept = _grid(rows, {"graph_weight", "label_weight"})
    kept = _varied(kept, "graph_weight", "label_weight")
    if kept.empty:
        raise ValueError(
            "no rows over graph_weight and label_weight; run a plan with"
            " grid = {graph_weight = [...], label_weight = [...]}."
        )
    return _maps(typical(kept), "graph_weight", "label_weight", metric, label)


def _grid(rows: pd.DataFrame, names: set[str]) -> pd.DataFrame:
    """Return the runs in which these parameters were set and no others, each as a column."""
    kept = succeeded(comparable(rows))
    kept = kept[(kept["variant"] == "") & (kept["noise"] == "none")]
    changed = kept["params"].map(lambda text: json.loads(text or "{}"))
    found = changed.map(lambda values: set(values) == names)
    columns = {n: pd.to_numeric(changed[found].map(lambda v, n=n: v[n])) for n in names}
    return kept[found].assign(**columns)


def _varied(rows: pd.DataFrame, x: str, y: str) -> pd.DataFrame:
    """Return the rows of datasets and methods on which both settings take several values."""
    counts = rows.groupby(["dataset", "method"])[[x, y]].transform("nunique")
    return rows[(counts > 1).all(axis=1)] if len(rows) else rows


def _maps(rows: pd.DataFrame, x: str, y: str, metric: str, label: str) -> Figure:
    methods, datasets = in_order(rows["method"]), datasets_of(rows)
    means = {
        (d, m): part.pivot_table(index=y, columns=x, values=metric, aggfunc="mean")
        for (d, m), part in rows.groupby(["dataset", "method"])
    }
    pairs = [(d, m) for d in datasets for m in methods if (d, m) in means]
    wide = max(table.shape[1] for table in means.values())
    high = max(table.shape[0] for table in means.values())
    size = (max(2.8, 0.9 + 0.46 * wide), max(1.9, 0.9 + 0.3 * high))
    figure, axes = panels(len(pairs), size, columns=max(1, min(3, int(12 / size[0]))))
    low = min(float(table.min(axis=None)) for table in means.values())
    top = max(float(table.max(axis=None)) for table in means.values())
    for ax, pair in zip(axes, pairs, strict=True):
        image = _cells(ax, means[pair], low, top)
        ax.set_title(", ".join(pair) if len(methods) > 1 else pair[0])
    label_panels(axes, _axis_name(x), _axis_name(y))
    for ax in axes:  # a panel by itself needs them, all together share those of the figure
        for axis in (ax.xaxis, ax.yaxis):
            axis.label.set_visible(False)
    named = label.replace(" (", "\n(")
    figure.colorbar(image, ax=axes, label=named, fraction=0.04, pad=0.01)
    figure.supxlabel(_axis_name(x), fontsize=9)
    figure.supylabel(_axis_name(y), fontsize=9)
    return figure


def _axis_name(name: str) -> str:
    """Return a setting in words, and a parameter as it is written."""
    return SETTINGS[name].heading if name in SETTINGS else name


def _cells(ax: Axes, table: pd.DataFrame, low: float, high: float) -> AxesImage:
    """Draw one table; the best cell is bold."""
    image = ax.imshow(table, cmap="cividis", vmin=low, vmax=high, aspect="auto", origin="lower")
    ax.set_xticks(range(table.shape[1]), [f"{v:g}" for v in table.columns])
    ax.set_yticks(range(table.shape[0]), [f"{v:g}" for v in table.index])
    ax.tick_params(length=0)
    best = table.max(axis=None)
    for i, line in enumerate(table.to_numpy()):
        for j, value in enumerate(line):
            if value != value:
                continue
            bright = value > (low + high) / 2
            ax.text(
                *(j, i, f"{value:.3f}".replace("0.", ".", 1)),
                ha="center",
                va="center",
                fontsize=8.5,
                fontweight="bold" if value == best else "normal",
                color="black" if bright else "white",
            )
    return image


HEAT_MAPS: dict[str, Callable[..., Figure]] = {
    "label_rate_graph_weight": label_rate_graph_weight,
    "weights": weights,
}
