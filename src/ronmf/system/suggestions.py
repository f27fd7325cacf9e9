"""What somebody may have meant who mistyped a name."""

from collections.abc import Iterable
from difflib import get_close_matches

__all__ = ["did_you_mean", "nearest_name"]


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return the end of a sentence that names the known name most like `name`, or nothing.

    Capital letters do not matter.

    Parameters
    ----------
    name : str
        What was given.
    known : iterable of str
        The names that there are.

    Examples
    --------
    >>> did_you_mean("Coil2O", ["yale", "coil20", "coil100"])
    "; did you mean 'coil20'?"
    >>> did_you_mean("elephants", ["yale", "coil20", "coil100"])
    ''
    """
    near = nearest_name(name, known)
    return f"; did you mean {near!r}?" if near else ""


def nearest_name(name: str, known: Iterable[str]) -> str | None:
    """Return the known name most like `name`, None if none is; capital letters do not matter."""
    spelled = {each.lower(): each for each in known}
    # The beginning is enough to tell, and a name of any length takes no time.
    near = get_close_matches(name[:100].lower(), spelled, n=1)
    return spelled[near[0]] if near else None
