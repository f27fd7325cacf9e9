"""The version of what the program does, which every row of results names.

Rows are stale when the program would give other results today, not when its text has changed. A
panel of small fits in ``benchmarks/behaviour_panel.py`` has its outcomes in
``benchmarks/behaviour.json``, and a test compares them. Who changes a result on purpose runs
``python benchmarks/behaviour.py --raise``, which writes the new outcomes and the next number here.
"""

__all__ = ["BEHAVIOUR", "UNKNOWN", "behaviour_of_code"]

BEHAVIOUR = 5
"""Today's version. 1 is the behaviour of ronmf 0.1.0."""

UNKNOWN = 0
"""Of rows whose behaviour nobody can tell any more."""

_OF_CODE = {"11d5bba0451a": 1}


def behaviour_of_code(digest: str) -> int:
    """Return the version of rows of ronmf 0.1.0, which name a digest of its source text instead.

    Examples
    --------
    >>> behaviour_of_code("11d5bba0451a"), behaviour_of_code("91ab03d2cc17")
    (1, 0)
    """
    return _OF_CODE.get(digest, UNKNOWN)
