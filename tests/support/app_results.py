"""Results of ``ronmf app`` that no fit made."""

import numpy as np

from ronmf.app.results import Result

__all__ = ["made_result"]


def made_result(number, files, cluster, classes, named, **more):
    """Return a result of pictures in clusters; `more` sets any other attribute."""
    n, empty = len(files), np.zeros(0, dtype=np.int32)
    plain = {
        "number": number, "complete": True, "files": list(files), "classes": classes,
        "named": named, "seconds": 1.0, "notes": [], "features": "pixels",
        "cluster": np.array(cluster, dtype=np.int32), "certainty": np.full(n, 0.97, np.float32),
        "novelty": np.zeros(n, np.float32), "outlier": np.ones(n, np.float32),
        "next": empty, "wrong": empty, "suggested": empty,
        "quality": np.zeros(0, np.float32), "xy": np.zeros((n, 2), np.float32),
        "parts": np.zeros((len(classes), 0), np.int32),
    }  # fmt: skip
    return Result(**plain | more)
