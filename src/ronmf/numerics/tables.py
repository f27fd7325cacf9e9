"""Tables of pandas, polars and others, as far as one must look into them."""

from typing import Any

import numpy as np

__all__ = ["refuse_categories"]

_CATEGORIES = ("categ", "enum")  # of pandas, of polars
_MAYBE_NUMBERS = ("obj", "str")


def refuse_categories(X: Any, name: str) -> None:
    """Refuse a table with a column of categories or text, by the name of the column.

    Parameters
    ----------
    X : object
        Anything; what has no columns is not looked at.
    name : str
        Who asks, for the sentence.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"gray": [1, 2], "colour": ["red", "blue"]})
    >>> refuse_categories(table, "RONMF")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    ValueError: X passed to RONMF has text in its column 'colour'; leave it out, or ...
    """
    if not (hasattr(X, "columns") and hasattr(X, "dtypes")):
        return
    for column, dtype in zip(X.columns, X.dtypes, strict=True):
        kind = str(dtype).lower()
        what = "categories" if kind.startswith(_CATEGORIES) else ""
        if kind.startswith(_MAYBE_NUMBERS):
            try:
                np.asarray(X[column], dtype=np.float64)
            except (TypeError, ValueError):
                what = "text"
        if what:
            raise ValueError(
                f"X passed to {name} has {what} in its column {column!r}; leave it out, or make"
                " numbers of it, for instance with sklearn.preprocessing.OneHotEncoder."
            )
