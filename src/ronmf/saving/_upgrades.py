"""What files of format 1 (version 0.1.0) call otherwise."""

from typing import Any

import numpy as np
from sklearn.base import clone

from ._classes import rebuild

__all__ = ["upgraded"]

_GRAPH = {
    "graph": "graph__candidates",
    **{name: f"graph__{name}" for name in ("edge_weights", "heat_width", "label_edges")},
}
_SOLVER = ("beta", "balance", "relative", "basis", "exact", "init", "max_iter", "tol")
_RENAMED = {
    "RONMF": {**{name: f"solver__{name}" for name in _SOLVER}, **_GRAPH},
    "HarmonicLabelPropagation": _GRAPH,
}
"""By class: parameters that are now those of a part."""
_PARTS = {"solver": "ADMM", "graph": "GraphChoice"}
_TOLD_TWICE = ("_n_named", "_hidden_labels", "_rule", "_graph")  # other attributes tell it too
_GONE = {"Candidate": ("cut",), "HiddenLabels": ("commonest",), "RONMF": ("cluster_count_",)}
"""By class: what is no longer looked at."""


def upgraded(name: str, state: dict[str, Any]) -> dict[str, Any] | None:
    """Return the attributes of an object as today's class has them; None if there is no such.

    Parameters
    ----------
    name : str
        The name of its class.
    state : dict
        Its attributes as the file has them.
    """
    if name == "ClusterCount":  # nobody asks it any more
        return None
    renamed, parts = _RENAMED.get(name, {}), dict[str, dict[str, Any]]()
    found = {
        key: value
        for key, value in state.items()
        if key not in (*_TOLD_TWICE, *_GONE.get(name, ()), *renamed)
    }
    if name == "HiddenLabels":  # it is counted anew, from what trials predicted
        found |= {"chance": False, "several": True}
    if name == "NewSampleModel":
        found |= {"rule": None, "view_weight": 0.0}
    if name in _RENAMED:
        found["linear_weight_"] = 0.0
    if name == "HarmonicLabelPropagation":
        found |= {"_linear_rule": None, "_view_weight": 0.0}
    for old, new in renamed.items():
        if old in state:
            part, _, parameter = new.partition("__")
            parts.setdefault(part, {})[parameter] = state[old]
    for part, parameters in parts.items():
        found[part] = rebuild(_PARTS[part], parameters)
    if "solver" in found:
        found["solver_"] = clone(found["solver"])
    if "_trusted_codes" in found:
        codes = found.pop("_trusted_codes")
        given = found.pop("_given_codes", codes)
        labels = {"codes": codes, "classes": found.get("classes_"), "given": given}
        found["_known"] = rebuild("KnownLabels", labels)
    if name == "RONMF" and "classes_" in found:
        found |= dict.fromkeys(("layers_", "layer_", "_cluster_means"))
    if "label_distributions_" in found:  # such files do not say what is novel: nothing is
        n, none = len(found["label_distributions_"]), {"odds": np.zeros(1), "values": np.zeros(1)}
        scale = rebuild("NoveltyScale", none)
        found["novelty_"], found["stability_"] = np.zeros(n), None
        found["_novelty"] = rebuild(
            "Novelty", {"graph": None, "met": np.ones((n, 1)), "scale": scale}
        )
    return found
