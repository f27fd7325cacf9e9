"""What somebody who mistyped a name may have meant."""

from collections.abc import Iterable
from difflib import get_close_matches

__all__ = ["did_you_mean"]


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return the end of a sentence that suggests the known name most like a wrong one.

    Empty if none is like it. Capital letters do not matter.

    Examples
    --------
    >>> did_you_mean("Coil2O", ["coil20", "yale"])
    "; did you mean 'coil20'?"
    >>> did_you_mean("holidays", ["coil20", "yale"])
    ''
    """
    lower = {each.lower(): each for each in known}
    found = get_close_matches(name.lower(), lower, n=1)
    return f"; did you mean {lower[found[0]]!r}?" if found else ""
