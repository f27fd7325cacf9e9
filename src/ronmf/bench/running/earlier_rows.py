"""Rows of earlier versions, read as if today's program had written them."""

from dataclasses import fields
from typing import Any

from .behaviour import behaviour_of_code
from .renamed_parameters import with_new_names
from .settings import SETTINGS, Run

__all__ = ["as_of_today"]

_SETTINGS = [each.name for each in fields(Run)]
# Of settings that rows may lack: what they all had before there was a choice
_BEFORE = {
    name: setting.missing if isinstance(setting.missing, str) else None
    for name, setting in SETTINGS.items()
    if setting.optional
}


def as_of_today(row: dict[str, Any]) -> dict[str, Any]:
    """Return a checked row with the columns and names of today.

    Rows of ronmf 0.1.0 name a digest of the source text in place of the behaviour, and have a key
    that says the same as the columns beside it. Parameters get the names that they have today, and
    which run it is follows from the settings: what the row says of that does not count.
    """
    columns = {k: v for k, v in row.items() if k not in ("key", "code")}
    columns["params"] = with_new_names(row["method"], row["params"])
    settings: dict[str, Any] = {name: columns.get(name, _BEFORE.get(name)) for name in _SETTINGS}
    origin = {
        "run": Run(**settings).digest,
        "behaviour": row.get("behaviour", behaviour_of_code(row.get("code", ""))),
        "method_code": row.get("method_code", ""),
        "data": row.get("data", ""),
    }
    return origin | {k: v for k, v in columns.items() if k not in origin}
