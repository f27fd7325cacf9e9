"""Which methods stand for themselves in a comparison, and which are changes of another one."""

from collections.abc import Iterable

__all__ = ["CHOSEN_GRAPH", "contestants", "is_own"]

CHOSEN_GRAPH = "Propagation, chosen graph"
"""Label propagation on the graph that RONMF chose."""


def is_own(method: str) -> bool:
    """Return whether a method is RONMF, in any variant.

    Examples
    --------
    >>> is_own("RONMF-M, printed"), is_own("Propagation, chosen graph")
    (True, False)
    """
    return method.startswith("RONMF")


def contestants(methods: Iterable[str]) -> list[str]:
    """Return the methods that are opponents of each other, as they come.

    A change of a method, such as "RONMF-M, printed", is none where the method itself is there. Nor
    is propagation on the graph that RONMF chose, where RONMF is there: near copies of one method
    would push all others down the ranks.

    Examples
    --------
    >>> contestants(["GNMF", "Propagation, chosen graph", "RONMF-M", "RONMF-M, printed"])
    ['GNMF', 'RONMF-M']
    >>> contestants(["GNMF", "RONMF-M, printed"])
    ['GNMF', 'RONMF-M, printed']
    """
    names = list(methods)
    own = any(map(is_own, names))
    copies = {name for name in names if "," in name and name.partition(",")[0] in names}
    return [name for name in names if name not in copies and not (name == CHOSEN_GRAPH and own)]
