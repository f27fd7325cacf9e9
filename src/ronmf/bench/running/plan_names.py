"""What a plan calls its datasets and methods: one name each, and what stands behind it."""

from dataclasses import dataclass, field
from typing import Any

from ...datasets._locations import dataset_name
from ...system.suggestions import did_you_mean
from .._registry import METHODS
from .plan_checks import check_keys, check_text, short

__all__ = ["Names"]


@dataclass(frozen=True)
class Names:
    """The names of a plan, gathered while it is read.

    Attributes
    ----------
    paths : dict of str to str
        What the plan says for each dataset.
    classes : dict of str to str
        The "module:Class" of each method that is not in the registry.
    """

    paths: dict[str, str] = field(default_factory=dict)
    classes: dict[str, str] = field(default_factory=dict)

    def datasets(self, given: Any, where: str) -> list[str]:
        """Return the names of datasets that are given by name or path."""
        names = []
        for text in _texts(given, f"{where}: datasets"):
            name = dataset_name(text)
            known = self.paths.setdefault(name, text)
            if known.lower() != text.lower():
                raise ValueError(
                    f"{where}: the datasets {known!r} and {text!r} are both called {name!r};"
                    " rename one of the files, or name one of them only."
                )
            names.append(name)
        return names

    def methods(self, given: Any, where: str) -> list[str]:
        """Return the names of methods: of the registry, "module:Class", or a table of both.

        "all", alone or in the list, is the paper's comparison.
        """
        entries = [given] if given == "all" else given
        if not isinstance(entries, list) or not entries:
            raise ValueError(
                f'{where}: methods must be "all" or a list of at least one method,'
                f" not {short(given)}."
            )
        names: list[str] = []
        for entry in entries:
            compared = (name for name, method in METHODS.items() if method.compared)
            names += compared if entry == "all" else [self._method(entry, where)]
        return list(dict.fromkeys(names))

    def _method(self, entry: Any, where: str) -> str:
        """Check a method; its class is not imported."""
        if isinstance(entry, dict):
            check_keys(entry, {"name", "class"}, f"{where}: a method")
            name, text = entry.get("name"), entry.get("class")
        else:
            text = entry
            name = entry.partition(":")[2] or entry if isinstance(entry, str) else None
        if not isinstance(name, str) or not name or not isinstance(text, str):
            raise ValueError(
                f"{where}: methods has {short(entry)}; use names, or tables such as"
                ' { name = "Mine", class = "module:Class" }.'
            )
        check_text(f"{name}{text}", f"{where}: methods")
        if text in METHODS and name == text:
            return name
        module, _, attribute = text.partition(":")
        if not all(part.isidentifier() for part in (*module.split("."), attribute)):
            raise ValueError(
                f'{where}: method {text!r} is not known; use "module:Class" or one of'
                f" {', '.join(METHODS)}{did_you_mean(text, METHODS) or '.'}"
            )
        if name in METHODS or self.classes.setdefault(name, text) != text:
            raise ValueError(
                f"{where}: the name {name!r} of {text} is taken; give it another, as"
                f' {{ name = "...", class = "{text}" }}.'
            )
        return name


def _texts(value: Any, what: str) -> list[str]:
    """Return a list of at least one text."""
    if not isinstance(value, list) or not value or not all(isinstance(v, str) for v in value):
        raise ValueError(f"{what} must be a list of at least one name, not {short(value)}.")
    for text in value:
        check_text(text, what)
    return value
