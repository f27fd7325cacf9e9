"""What a plan calls its datasets and methods: one name each, and what stands behind it."""

from dataclasses import dataclass, field

from ...datasets import CATALOG
from ...datasets._locations import dataset_name
from ...system.suggestions import did_you_mean
from .._registry import METHODS
from .plan_keys import OwnMethod

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

    def datasets(self, given: list[str]) -> list[str]:
        """Return the names of datasets that are given by name or path."""
        names = []
        for text in given:
            name = dataset_name(text)
            known = self.paths.setdefault(name, text)
            same = known.lower() == text.lower() if name in CATALOG else known == text
            if not same:
                raise ValueError(
                    f"the datasets {known!r} and {text!r} are both called {name!r}; rename one of"
                    " the files, or name one of them only."
                )
            names.append(name)
        return names

    def methods(self, given: list[str | OwnMethod]) -> list[str]:
        """Return the names of methods: of the registry, "module:Class", or a name for that.

        "all", alone or in the list, is the paper's comparison.
        """
        names: list[str] = []
        for entry in given:
            compared = (name for name, method in METHODS.items() if method.compared)
            names += compared if entry == "all" else [self._method(entry)]
        return list(dict.fromkeys(names))

    def _method(self, entry: str | OwnMethod) -> str:
        """Check a method; its class is not imported."""
        if isinstance(entry, OwnMethod):
            name, path = entry.name, entry.path
        else:
            name, path = entry.partition(":")[2] or entry, entry
        if path in METHODS and name == path:
            return name
        module, _, attribute = path.partition(":")
        if not all(part.isidentifier() for part in (*module.split("."), attribute)):
            raise ValueError(
                f'method {path!r} is not known; use "module:Class" or one of'
                f" {', '.join(METHODS)}{did_you_mean(path, METHODS) or '.'}"
            )
        if name in METHODS or self.classes.setdefault(name, path) != path:
            raise ValueError(
                f"the name {name!r} of {path} is taken; give it another, as"
                f' {{ name = "...", class = "{path}" }}.'
            )
        return name
