"""Parameters of methods that are called otherwise today than in earlier plans and rows."""

import json

from .._registry import METHODS

__all__ = ["RENAMED", "with_new_names"]

_SOLVER = ("beta", "balance", "relative", "basis", "exact", "init", "max_iter", "tol")
_GRAPH = ("edge_weights", "heat_width", "label_edges")
_GRAPH_NAMES = {name: f"graph__{name}" for name in _GRAPH}

RENAMED: dict[str, dict[str, str]] = {
    "RONMF": {name: f"solver__{name}" for name in _SOLVER} | _GRAPH_NAMES,
    "HarmonicLabelPropagation": _GRAPH_NAMES,
    "Propagation, chosen graph": _GRAPH_NAMES,
}
"""New names by old ones, for all methods of the registry whose names begin with the key:
``{"RONMF": {"basis": "solver__basis"}}``. A line here is all that a renamed parameter needs: plans
may go on saying the old name, and rows that say it count as rows of the new one."""


def with_new_names(method: str, params: str) -> str:
    """Return the changed parameters of a run, JSON text, under the names that they have today.

    Raises
    ------
    ValueError
        If a parameter is there by its old and by its new name.

    Examples
    --------
    >>> with_new_names("GNMF", '{"graph_weight": 10.0}')
    '{"graph_weight": 10.0}'
    """
    names = _new_names(method)
    values = json.loads(params) if names and params else {}
    renamed = values.keys() & names.keys()
    if not renamed:
        return params
    for old in renamed:
        if names[old] in values:
            raise ValueError(
                f"{old} of {method} is called {names[old]} today; give it by one of these names."
            )
    return json.dumps({names.get(k, k): v for k, v in values.items()}, sort_keys=True)


def _new_names(method: str) -> dict[str, str]:
    if method not in METHODS:  # a user's own class may have parameters of any name
        return {}
    return {
        old: new
        for start, names in RENAMED.items()
        if method.startswith(start)
        for old, new in names.items()
    }
