"""Texts of strangers, made fit to print."""

import re

__all__ = ["has_control_characters", "one_line"]

_CONTROL = re.compile("[\0-\x1f\x7f-\x9f\ud800-\udfff]")  # and halves of characters


def has_control_characters(text: str) -> bool:
    r"""Whether a text would do more to a terminal than print.

    Examples
    --------
    >>> has_control_characters("plain"), has_control_characters("\x1b[2J")
    (False, True)
    """
    return _CONTROL.search(text) is not None


def one_line(text: str, most: int = 1000) -> str:
    r"""Return a text as one line of at most so many characters, without any that do not print.

    Examples
    --------
    >>> one_line("bad\n\x1b[31m news")
    'bad [31m news'
    """
    printed = "".join(c if c.isprintable() else " " for c in text[: 10 * most])
    line = " ".join(printed.split())
    return line if len(line) <= most else f"{line[: most - 4]} ..."
