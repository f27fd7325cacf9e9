"""Names that a user gives: known, or refused with the one that was probably meant."""

from collections.abc import Iterable
from difflib import get_close_matches

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
    ValueError: the table 'clan' is not known; you may mean 'clean', or one of noise.
    """
    names = list(dict.fromkeys(known))
    if name in names:
        return
    # Letters in another case are no other name to a reader.
    lower = {each.lower(): each for each in names}
    close = [lower[each] for each in get_close_matches(name.lower(), lower, n=1, cutoff=0.65)]
    meant = f"you may mean {close[0]!r}, or " if close else "use "
    others = ", ".join(each for each in names if each not in close)
    raise ValueError(f"{what} {name!r} {wrong}; {meant}one of {others}.")
