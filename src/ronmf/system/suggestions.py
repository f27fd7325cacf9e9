"""What somebody may have meant who mistyped a name."""

from collections.abc import Iterable
from difflib import get_close_matches

__all__ = ["did_you_mean"]


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
    spelled = {each.lower(): each for each in known}
    # The beginning is enough to tell, and a name of any length takes no time.
    near = get_close_matches(name[:100].lower(), spelled, n=1)
    return f"; did you mean {spelled[near[0]]!r}?" if near else ""
