"""Signed rows as non-negative ones: what is above zero, and beside it what is below."""

from typing import Any

from array_api_compat import array_namespace

__all__ = ["join_signs", "smaller_of_signs", "split_like", "split_signs"]


def split_signs(X: Any) -> Any:
    r"""Return :math:`(\max(0, x), \max(0, -x))` of each row: as long, and twice as wide.

    Products of rows stay what they were as long as no entry changes its sign between them, so what
    is near stays near.

    Examples
    --------
    >>> import numpy as np
    >>> split_signs(np.array([[3.0, -4.0]])).tolist()
    [[3.0, 0.0, 0.0, 4.0]]
    """
    xp = array_namespace(X)
    return xp.concat([xp.clip(X, min=0), xp.clip(-X, min=0)], axis=1)


def split_like(X: Any, n_columns: int) -> Any:
    """Return X as a basis of so many columns was made for: split, if that has twice as many."""
    return split_signs(X) if n_columns == 2 * X.shape[1] else X


def join_signs(rows: Any, n_columns: int) -> Any:
    """Return split rows in so many columns with signs; rows of so many columns as they are.

    Examples
    --------
    >>> import numpy as np
    >>> join_signs(split_signs(np.array([[3.0, -4.0]])), 2).tolist()
    [[3.0, -4.0]]
    """
    if rows.shape[1] == n_columns:
        return rows
    return rows[:, :n_columns] - rows[:, n_columns:]


def smaller_of_signs(values: Any, n_columns: int) -> Any:
    """Return one number for each of so many columns, if there are two: the smaller one."""
    if values.shape[0] != 2 * n_columns:
        return values
    return array_namespace(values).minimum(values[:n_columns], values[n_columns:])
