"""Whether what a file of results holds is a row: tables and figures then need not ask."""

import json
from dataclasses import fields
from typing import Any, Literal

import msgspec

from ...metrics import SCORE_COLUMNS
from ...system.plain_text import one_line
from .earlier_rows import as_of_today
from .settings import SETTINGS, Run
from .values import Count, Number, Text

__all__ = ["MEASURED", "SIZES", "check_row"]

MEASURED = {"seconds": Number | None, "n_iter": Number | None, "converged": bool | None}
"""What a fit cost."""
_KINDS: dict[Any, Any] = {str: Text, int: Number, float: Number}
SIZES = ("n_samples", "n_features", "n_labelled")
_TEXTS = ("reason", "parameters", "run", "method_code", "data", "code")
_NEEDED = {"status", *(name for name, setting in SETTINGS.items() if not setting.optional)}
_COLUMNS = {
    "status": Literal["ok", "failed"],
    "behaviour": Count | Literal[0],
    **{each.name: _KINDS.get(each.type, Number | None) for each in fields(Run)},
    **dict.fromkeys(_TEXTS, Text),
    **dict.fromkeys((*SCORE_COLUMNS, *SIZES), Number | None),
    **MEASURED,
}
_Row = msgspec.defstruct(
    "_Row",
    [(name, kind, *(() if name in _NEEDED else (None,))) for name, kind in _COLUMNS.items()],
    kw_only=True,
)
_Anything = dict[Text, bool | Number | Text | None]  # versions, and whatever later versions add


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
    ValueError: Object missing required field `experiment`
    """
    if isinstance(row, dict):
        row = {name: None if value != value else value for name, value in row.items()}  # no NaN
        row["reason"] = one_line(str(row.get("reason") or ""))
    try:
        msgspec.convert(row, _Anything)
        msgspec.convert(row, _Row)
    except (
        msgspec.ValidationError
    ) as error:  # which older versions of msgspec do not derive from ValueError
        raise ValueError(str(error)) from None
    if not isinstance(json.loads(row["params"] or "{}"), dict):
        raise ValueError("its 'params' are no JSON object")
    return as_of_today(row)
