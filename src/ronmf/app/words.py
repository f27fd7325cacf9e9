"""Words for numbers of things."""

__all__ = ["counted"]


def counted(number: int, thing: str) -> str:
    """Return how many there are of a thing, in words.

    Examples
    --------
    >>> counted(1, "picture"), counted(1200, "label")
    ('1 picture', '1,200 labels')
    """
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"
