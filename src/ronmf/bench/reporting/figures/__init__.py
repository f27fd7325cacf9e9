"""Internal room: pictures of tidy rows, each a function ``rows -> matplotlib.figure.Figure``.

``FIGURES`` holds them by name and ``CAPTIONS`` a line for each. Rows that a figure needs and does
not find are a ``ValueError`` that says what to run.
"""

from collections.abc import Callable

from matplotlib.figure import Figure

from ._bars import ablation
from ._boxes import boxes
from ._heat import label_rate_graph_weight, weights
from ._lines import classes, noise
from ._ranks import critical_difference
from ._runs import runs
from ._save import render, save_figure
from ._sheet import Sheet, taken_apart
from ._style import datasets_of, in_order
from ._time import time
from ._tsne import embed, tsne

__all__ = ["CAPTIONS", "FIGURES", "Sheet", "datasets_of", "embed", "in_order"]
__all__ += ["render", "save_figure", "taken_apart", "tsne"]

FIGURES: dict[str, Callable[..., Figure]] = {
    "boxes": boxes,
    "critical_difference": critical_difference,
    "classes": classes,
    "noise": noise,
    "ablation": ablation,
    "label_rate_graph_weight": label_rate_graph_weight,
    "weights": weights,
    "time": time,
    "runs": runs,
}

CAPTIONS: dict[str, str] = {
    "boxes": "Spread over seeds on clean data: quartiles, median, and runs beyond the whiskers.",
    "critical_difference": (
        "Average ranks over datasets on clean data; a bar joins methods that Nemenyi's test does"
        " not tell apart."
    ),
    "classes": "Against the number of classes: mean over seeds and a band of one deviation.",
    "noise": "Against the level of each noise: mean over seeds and a band of one deviation.",
    "ablation": "The method unchanged and its variants: mean over seeds and one deviation.",
    "label_rate_graph_weight": (
        "Over the share of labels and the weight of the graph: mean over seeds, best in bold."
    ),
    "weights": "Over the weights of graph and labels: mean over seeds, best in bold.",
    "time": (
        "Against run time on clean data; the grey line joins methods that none beats in both."
    ),
    "runs": "Runs of each method on each dataset, and how many of them ended well.",
    "tsne": "t-SNE in the plane of what each method found; colour and marker are the true class.",
}
