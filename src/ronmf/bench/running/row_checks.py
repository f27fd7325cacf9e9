"""Whether what a file of results holds is a row: tables and figures then need not ask."""

import json
from dataclasses import fields
from typing import Any

from ...metrics import SCORE_COLUMNS
from ...system.plain_text import has_control_characters, one_line
from .earlier_rows import as_of_today
from .settings import SETTINGS, Run

__all__ = ["LARGEST", "LONGEST", "MEASURED", "check_row"]

LARGEST = 1e15
"""Of a number: what is larger was not counted or measured."""
LONGEST = 10_000
"""Characters of a text."""
MEASURED = ("seconds", "n_iter", "converged")
"""What a fit cost."""
_SIZES = ("n_samples", "n_features", "n_labelled")
_TEXTS = {each.name for each in fields(Run) if each.type is str} | {
    *("status", "reason", "parameters"),
    *("run", "method_code", "data", "code"),
}
_NEEDED = {each.name for each in fields(Run) if not SETTINGS[each.name].optional}
_NEVER_MISSING = {each.name for each in fields(Run) if each.type in (int, float)}
_NUMBERS = ({each.name for each in fields(Run)} - _TEXTS) | {*SCORE_COLUMNS, *MEASURED, *_SIZES}


def check_row(row: Any) -> dict[str, Any]:
    """Return a row if it is one: texts and numbers under the names that a run writes.

    Parameters
    ----------
    row : object
        What a line of a file of results holds.

    Returns
    -------
    dict
        The row as today's program would have written it, with what a failed run said in one line.

    Raises
    ------
    ValueError
        In a few words, what is wrong.

    Examples
    --------
    >>> check_row({"status": "ok", "seed": 3})
    Traceback (most recent call last):
    ValueError: it has no 'dataset'
    """
    if not isinstance(row, dict):
        raise ValueError("it is no object with names and values")
    if row.get("status") not in ("ok", "failed"):
        raise ValueError('it needs a status that is "ok" or "failed"')
    if missing := sorted(_NEEDED - set(row)):
        raise ValueError(f"it has no {missing[0]!r}")
    row = {**row, "reason": one_line(str(row.get("reason") or ""))}
    for name, value in row.items():
        if name in _NUMBERS:
            good = isinstance(value, int | float) and _is_small(value)
            good = good or (value is None and name not in _NEVER_MISSING)
        elif name == "behaviour":
            good = isinstance(value, int) and not isinstance(value, bool) and _is_small(value)
        elif name in _TEXTS:
            good = isinstance(value, str)
        else:  # versions, and whatever later versions add
            good = value is None or isinstance(value, str | bool | int | float)
        if not good or (isinstance(value, str) and len(value) > LONGEST):
            raise ValueError(f"its {name[:40]!r} has no value of the kind it should have")
        if has_control_characters(f"{name}{value}" if isinstance(value, str) else name):
            raise ValueError(f"its {name[:40]!r} has characters that are not printed")
    params = row.get("params") or "{}"
    if not isinstance(json.loads(params), dict):
        raise ValueError("its 'params' are no JSON object")
    return as_of_today(row)


def _is_small(value: float) -> bool:
    return value != value or abs(value) <= LARGEST
