"""What all displays need: matplotlib, axes, and attributes of a fitted model."""

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

__all__ = ["axes_for", "fitted_attribute"]


def fitted_attribute(estimator: Any, name: str, display: Any) -> Any:
    """Return an attribute of a fitted estimator, or say which display asked for it in vain."""
    check_is_fitted(estimator)
    if not hasattr(estimator, name):
        raise ValueError(
            f"{type(estimator).__name__} has no {name}, which {display.__name__} shows; use a model"
            " that has it."
        )
    return getattr(estimator, name)


def axes_for(
    name: str, axes: Any, count: int, n_columns: int, size: tuple[float, float]
) -> tuple[Any, np.ndarray]:
    """Return a figure and so many axes: those that were given, or new ones.

    Parameters
    ----------
    name : str
        The display that asks.
    axes : matplotlib axes, array of them, or None
        What the user gave; more than enough will do.
    count, n_columns : int
        How many, and how many of new ones go side by side.
    size : (float, float)
        Inches of each new one.
    """
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError(f"{name} needs matplotlib: pip install 'ronmf[plot]'") from error
    if axes is not None:
        given = np.atleast_1d(np.asarray(axes, dtype=object)).ravel()
        if len(given) < count:
            raise ValueError(f"axes has {len(given)} places but {name} needs {count}; give more.")
        return given[0].figure, given[:count]
    n_rows = max(1, -(-count // n_columns))
    figure, new = plt.subplots(
        n_rows,
        n_columns,
        figsize=(size[0] * n_columns, size[1] * n_rows),
        squeeze=False,
        layout="constrained",
    )
    for empty in new.ravel()[count:]:
        empty.set_axis_off()
    return figure, new.ravel()[:count]
