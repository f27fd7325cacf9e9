"""How many runs there are, and how many failed."""

import numpy as np
import pandas as pd
from matplotlib.colors import ListedColormap
from matplotlib.patches import Patch

from ._sheet import Sheet, panels, styled
from ._style import datasets_of, in_order

__all__ = ["runs"]

# none, all well, some failed, all failed
_FILL = ["#f2f2f2", "#b7dcec", "#f5cf87", "#e39a6b"]
_WORDS = ["not run", "all ok", "some failed", "all failed"]


@styled
def runs(rows: pd.DataFrame) -> Sheet:
    """Draw how many runs of each method on each dataset ended well, of all.

    Parameters
    ----------
    rows : DataFrame
        Tidy rows, failed ones too.
    """
    if rows.empty:
        raise ValueError("rows is empty; run a plan first.")
    good = (rows["status"] == "ok").astype(int)
    counts = rows.assign(good=good).groupby(["method", "dataset"])["good"].agg(["sum", "size"])
    methods, datasets = in_order(rows["method"]), datasets_of(rows)
    ok = counts["sum"].unstack(fill_value=0).reindex(index=methods, columns=datasets)
    total = counts["size"].unstack(fill_value=0).reindex(index=methods, columns=datasets)
    kind = np.select([total == 0, ok == total, ok > 0], [0, 1, 2], 3)
    size = (2.2 + 0.85 * len(datasets), 0.8 + 0.24 * len(methods))
    sheet = panels(1, (max(size[0], 4.5), size[1]))
    (ax,) = sheet.axes
    ax.imshow(kind, cmap=ListedColormap(_FILL), vmin=-0.5, vmax=3.5, aspect="auto")
    for i, j in np.ndindex(kind.shape):
        done, asked = ok.iloc[i, j], total.iloc[i, j]
        text = "–" if asked == 0 else f"{asked}" if done == asked else f"{done} of {asked}"
        ax.text(j, i, text, ha="center", va="center", fontsize=8.5)
    ax.set_xticks(range(len(datasets)), datasets)
    ax.set_yticks(range(len(methods)), methods)
    ax.tick_params(length=0)
    # White lines part the cells.
    ax.set_xticks(np.arange(1, len(datasets)) - 0.5, minor=True)
    ax.set_yticks(np.arange(1, len(methods)) - 0.5, minor=True)
    ax.grid(which="minor", color="white", linewidth=2.0)
    ax.tick_params(which="minor", length=0)
    for side in ax.spines.values():
        side.set_visible(False)
    shown = [Patch(color=_FILL[i], label=_WORDS[i]) for i in range(4) if (kind == i).any()]
    sheet.legend(shown)
    return sheet
