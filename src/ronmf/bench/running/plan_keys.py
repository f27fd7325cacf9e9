"""What a plan may say: every key with the kind of its value, the same in words, and its default."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from ...system.suggestions import did_you_mean
from .._noise import check_noise
from .settings import PAPER
from .values import Count, FolderName, Many, Name, Number, Positive, Seed, Share, Text

__all__ = ["EXPERIMENT_KEYS", "PLAN_KEYS", "Noise", "OwnMethod", "as_list"]
__all__ += ["check_keys", "read_keys"]


class OwnMethod(msgspec.Struct, forbid_unknown_fields=True, rename={"path": "class"}):
    """A method of the user's own: its name in tables, and "module:Class"."""

    name: Name
    path: Name


class Noise(msgspec.Struct, forbid_unknown_fields=True):
    """A kind of noise and its levels."""

    kind: str
    level: Number | Many[Number] | None = None

    def __post_init__(self) -> None:
        for kind, level in self.levels:
            check_noise(kind, level)

    @property
    def levels(self) -> list[tuple[str, Any]]:
        """The kind with each level."""
        if self.kind == "none":
            return [("none", 0.0)]
        return [(self.kind, level) for level in as_list(self.level)]


@dataclass(frozen=True)
class Key:
    """What may stand behind a key.

    Attributes
    ----------
    kind : type
        For msgspec.
    words : str
        The end of a sentence that begins with "use".
    default : object
        What holds where a plan does not mention it; None if it must be there, or need not be.
    """

    kind: Any
    words: str
    default: Any = None

    def read(self, name: str, value: Any) -> Any:
        """Return a value of this kind, or say what to use."""
        try:
            return msgspec.convert(value, self.kind)
        except msgspec.ValidationError as error:
            if error.__cause__ is not None:  # a sentence of ours
                raise ValueError(str(error.__cause__)) from None
            fault = "is missing" if value is None else f"cannot be {_short(value)}"
            raise ValueError(f"{name} {fault}; use {self.words}.") from None


class ListKey(Key):
    """What may stand behind a key alone or in a list, of which each value is run."""

    def read(self, name: str, value: Any) -> list[Any]:
        """Return a list of values of this kind, or say what to use."""
        if value == []:
            raise ValueError(f"{name} is an empty list; leave it out or fill it.")
        return [super(ListKey, self).read(name, each) for each in as_list(value)]


PLAN_KEYS = {
    "name": Key(FolderName, "a short word that can name a folder"),
    "timeout": Key(Positive | None, "a positive number of seconds"),
    "defaults": Key(dict[str, Any], "a table", {}),
    "experiment": Key(
        Many[dict[str, Any]], "at least one [[experiment]] with a name, datasets and methods"
    ),
}

EXPERIMENT_KEYS = {
    "datasets": ListKey(Name, "names or paths of datasets"),
    "methods": ListKey(
        Name | OwnMethod,
        '"all", names, or tables such as { name = "Mine", class = "module:Class" }',
    ),
    "variants": ListKey(dict[Text, Any], "tables with a label and parameters", {"label": ""}),
    "grid": Key(
        dict[Text, Many[Any] | bool | int | float | str], "a table of values or lists of some", {}
    ),
    "n_classes": ListKey(Count | Literal["all"], 'numbers from 1 or "all"', PAPER["n_classes"]),
    "label_rate": ListKey(Share | None, "numbers above 0 and at most 1", PAPER["label_rate"]),
    "labels_per_class": ListKey(Count | None, "whole numbers from 1"),
    "samples_per_class": Key(
        Count | dict[str, Count], "a whole number from 1, or a table of one for each dataset", {}
    ),
    "scaling": Key(Literal["unit", "none"], '"unit" or "none"', "unit"),
    "features": Key(
        str | dict[str, str], "the name of a network, or a table of one for each dataset", {}
    ),
    "noise": ListKey(Noise, 'tables such as { kind = "gaussian", level = 0.3 }', {"kind": "none"}),
    "leak": Key(Literal["none", "authors"], '"none" or "authors"', "none"),
    "seeds": Key(Count | Many[Seed], "a count, or a list of whole numbers from 0 to 2**32 - 1", 10),
}
"""Of an [[experiment]] besides its name, and of [defaults]."""


def read_keys(table: dict[str, Any], keys: dict[str, Key]) -> dict[str, Any]:
    """Return what a table says, with defaults."""
    defaults = {name: key.default for name, key in keys.items()}
    return {name: keys[name].read(name, value) for name, value in (defaults | table).items()}


def check_keys(table: dict[str, Any], known: Collection[str], where: str) -> None:
    """Refuse a key that means nothing here."""
    for key in table:
        if key not in known:
            raise ValueError(
                f"{where} has the unknown key {_short(key)}; use {', '.join(sorted(known))}"
                f"{did_you_mean(key, known) or '.'}"
            )


def as_list(value: Any) -> list[Any]:
    """Return a list as it is and anything else as a list of one."""
    return value if isinstance(value, list) else [value]


def _short(value: Any) -> str:
    """Return a value as it is written, cut off if it is long."""
    text = repr(value)
    return text if len(text) < 100 else f"{text[:100]}..."
