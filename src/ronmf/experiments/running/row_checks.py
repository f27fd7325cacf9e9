"""Whether what a file of results holds is a row: tables and figures then need not ask."""

import json
import re
from dataclasses import fields
from typing import Any

from ...metrics import SCORE_COLUMNS
from .settings import Run
from .worker import MEASURED

__all__ = ["check_row", "has_control_characters"]

_LARGEST = 1e15  # of a number: what is larger was not counted or measured
_LONGEST = 10_000  # characters of a text
_CONTROL = re.compile("[\0-\x1f\x7f-\x9f\ud800-\udfff]")  # and halves of characters
_SIZES = ("n_samples", "n_features", "n_labelled")
_TEXTS = {each.name for each in fields(Run) if each.type is str} | {"key", "status", "reason"}
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
        The row; what a failed run said of its reason is brought to one line.

    Raises
    ------
    ValueError
        In a few words, what is wrong.

    Examples
    --------
    >>> check_row({"key": "a", "status": "ok", "seed": 3})["seed"]
    3
    """
    if not isinstance(row, dict):
        raise ValueError("it is no object with names and values")
    if not isinstance(row.get("key"), str) or row.get("status") not in ("ok", "failed"):
        raise ValueError('it needs a key, and a status that is "ok" or "failed"')
    reason = row.get("reason", "")
    if isinstance(reason, str):
        row["reason"] = " ".join(reason.split()) if has_control_characters(reason) else reason
    for name, value in row.items():
        if name in _NUMBERS:
            good = value is None or (isinstance(value, int | float) and _is_small(value))
        elif name in _TEXTS:
            good = isinstance(value, str)
        else:  # versions, and whatever later versions add
            good = value is None or isinstance(value, str | bool | int | float)
        if not good or (isinstance(value, str) and len(value) > _LONGEST):
            raise ValueError(f"its {name[:40]!r} has no value of the kind it should have")
        if has_control_characters(f"{name}{value}" if isinstance(value, str) else name):
            raise ValueError(f"its {name[:40]!r} has characters that are not printed")
    params = row.get("params") or "{}"
    if not isinstance(json.loads(params), dict):
        raise ValueError("its 'params' are no JSON object")
    return {"key": row["key"], "status": row["status"], **row}


def _is_small(value: float) -> bool:
    return value != value or abs(value) <= _LARGEST


def has_control_characters(text: str) -> bool:
    r"""Whether a text would do more to a terminal than print.

    Examples
    --------
    >>> has_control_characters("plain"), has_control_characters("\x1b[2J")
    (False, True)
    """
    return _CONTROL.search(text) is not None
