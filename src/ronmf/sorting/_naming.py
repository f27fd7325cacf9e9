"""What clusters are called in tables, folders and reports."""

from typing import Any

import numpy as np

__all__ = ["cluster_names"]


def cluster_names(model: Any) -> list[str]:
    """Return the names of the classes, and ``cluster 1`` and so on for clusters without a label.

    The attributes of the model have other names for those: numbers, or ``cluster_5``, which are
    made to be told from classes of any type.

    Parameters
    ----------
    model : estimator
        A fitted one.

    Examples
    --------
    >>> from ronmf import RONMF
    >>> X = [[1.0, 0.0], [0.9, 0.1], [0.1, 0.9], [0.0, 1.0]]
    >>> model = RONMF(2, n_neighbors=1, random_state=0)
    >>> cluster_names(model.fit(X, ["owl", "", "", ""])), cluster_names(model.fit(X))
    (['owl', 'cluster 1'], ['cluster 1', 'cluster 2'])
    """
    named = int(np.max(model._known.given, initial=-1)) + 1  # classes with labels come first
    shown = [str(name) for name in model.classes_[:named]]
    for number in range(1, len(model.classes_) - named + 1):
        name = f"cluster {number}"
        while name in shown:
            name += "'"
        shown.append(name)
    return shown
