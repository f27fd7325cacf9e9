"""Names that a user gives: known, or refused with the one that was probably meant."""

from collections.abc import Iterable

from ..system.suggestions import did_you_mean

__all__ = ["check_name"]


def check_name(what: str, name: str, known: Iterable[str], wrong: str = "is not known") -> None:
    """Refuse a name that is not known, in a sentence that suggests one.

    Parameters
    ----------
    what : str
        What the name stands for, as the user wrote it: "the table", "--metric".
    name : str
        The name given.
    known : iterable of str
        All names there are.
    wrong : str, default="is not known"
        What is wrong with it.

    Examples
    --------
    >>> check_name("the table", "clan", ["clean", "noise"])
    Traceback (most recent call last):
    ValueError: the table 'clan' is not known; use one of clean, noise; did you mean 'clean'?
    """
    names = list(dict.fromkeys(known))
    if name in names:
        return
    suggestion = did_you_mean(name, names) or "."
    raise ValueError(f"{what} {name!r} {wrong}; use one of {', '.join(names)}{suggestion}")
