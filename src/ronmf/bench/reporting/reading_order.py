"""In which order a reader finds methods, datasets and numbers, and how an open number is called."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from ...datasets import CATALOG
from .._registry import METHODS
from ..running.settings import SETTINGS

__all__ = ["named", "ordered"]


def named(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows with "all" for an open number of classes or of samples per class.

    It is missing, or infinite where rows have been made comparable.
    """
    counts = {
        name: rows[name].astype(object).where(np.isfinite(rows[name].astype(float)), word)
        for name, word in ((each.name, each.open_word) for each in SETTINGS.values())
        if word and name in rows
    }
    return rows.assign(**counts)


def ordered(names: Sequence[str], keys: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Return distinct keys in reading order.

    Methods follow the registry, datasets the catalog, numbers their size; anything else comes after
    those, as it came.

    Examples
    --------
    >>> ordered(["dataset", "label_rate"], [("yale", 0.3), ("yale", 0.1), ("umist", 0.1)])
    [('umist', 0.1), ('yale', 0.1), ('yale', 0.3)]
    """
    known: dict[str, Sequence[str]] = {"method": list(METHODS), "dataset": list(CATALOG)}
    seen: list[dict[Any, int]] = [{} for _ in names]
    for key in keys:
        for places, part in zip(seen, key, strict=True):
            places.setdefault(part, len(places))

    def place(key: tuple[Any, ...]) -> list[tuple[float, float]]:
        result = []
        for name, places, part in zip(names, seen, key, strict=True):
            first = known.get(name, ())
            if part in first:
                result.append((-1.0, float(first.index(part))))
            elif isinstance(part, str):
                result.append((1.0, float(places[part])))
            else:
                result.append((0.0, float(part)))
        return result

    return sorted(dict.fromkeys(keys), key=place)
