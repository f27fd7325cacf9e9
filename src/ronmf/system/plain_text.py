"""Texts of strangers, made fit to print."""

import os
import re

__all__ = ["HIDDEN", "counted", "has_control_characters", "one_line", "short_name", "shown_name"]

HIDDEN = r"\0-\x1f\x7f-\x9f\ud800-\udfff"
"""Characters that do more to a terminal than print, and halves of characters: a range of ``re``."""
_CONTROL = re.compile(f"[{HIDDEN}]")


def counted(count: int, what: str) -> str:
    """Return a number of things.

    Examples
    --------
    >>> counted(1, "label"), counted(0, "label")
    ('1 label', '0 labels')
    """
    return f"{count} {what}{'' if count == 1 else 's'}"


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


def short_name(name: str, most: int = 60) -> str:
    """Return the name of a file in at most so many characters, without its middle if it is longer.

    Examples
    --------
    >>> short_name("holidays/2019/beach/image_0012.jpg", 24)
    'holiday…h/image_0012.jpg'
    """
    line = one_line(name, 10_000)
    if len(line) <= most:
        return line
    head = (most - 1) // 3
    return f"{line[:head]}…{line[len(line) - (most - 1 - head) :]}"


def shown_name(path: str | os.PathLike) -> str:
    r"""Return a path with ``/``, as text that can be written: undecodable bytes are spelt out.

    Examples
    --------
    >>> shown_name("caf\udce9.png")
    'caf\\xe9.png'
    """
    name = os.fspath(path).replace(os.sep, "/")
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
