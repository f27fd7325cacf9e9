"""Internal room: pictures of tidy rows, each a function ``(rows, metric) -> Figure`` of matplotlib.

``FIGURES`` holds them by name. `rows` are tidy rows, of which a figure takes those that it can
show; if it finds none, a ``ValueError`` says what to run. `metric` is the column to show, accuracy
on unlabelled samples by default.
"""

from collections.abc import Callable

from matplotlib.figure import Figure

from ._bars import ablation
from ._boxes import boxes
from ._lines import classes, noise
from ._panels import label_panels, panels, styled
from ._pictures import Pictures, pictures_of
from ._ranks import critical_difference
from ._save import save_figure
from ._time import time

__all__ = ["FIGURES", "Pictures", "label_panels", "panels", "pictures_of", "save_figure"]
__all__ += ["styled"]

FIGURES: dict[str, Callable[..., Figure]] = {
    "boxes": boxes,
    "critical_difference": critical_difference,
    "classes": classes,
    "noise": noise,
    "ablation": ablation,
    "time": time,
}
