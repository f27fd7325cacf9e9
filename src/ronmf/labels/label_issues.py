"""Given labels ranked by how little the others support them, to be printed or shown in HTML."""

from dataclasses import dataclass
from html import escape

import numpy as np

__all__ = ["LabelIssues"]

_SHOWN = 10  # labels that are printed


@dataclass(frozen=True, eq=False)
class LabelIssues:
    """The given labels, the most suspicious first; ``print`` it, or let a notebook show it.

    Attributes
    ----------
    samples : ndarray of int, shape (n_judged,)
        Indices into the data of ``fit``; ``samples[:20]`` are the first twenty to look at.
    given, suggested : ndarray of shape (n_judged,)
        The class that the label names, and the one that the other labels suggest.
    quality : ndarray of float, shape (n_judged,)
        The probability of the given class, by the other labels, which never saw this one.
    doubted : ndarray of bool, shape (n_judged,)
        Whether the label was set aside by ``check_labels``.
    distributions : ndarray of shape (n_judged, n_classes)
        The probability of every labelled class, by the other labels.
    unjudged : ndarray of int
        Samples whose labels nothing can judge, such as a class's only one.

    Examples
    --------
    >>> P = np.array([[0.02, 0.98], [0.9, 0.1]])
    >>> given, suggested = np.array(["cat", "cat"]), np.array(["dog", "cat"])
    >>> doubted, none = np.array([True, False]), np.zeros(0, dtype=int)
    >>> print(LabelIssues(np.array([7, 3]), given, suggested, P[:, 0], doubted, P, none))
    2 given labels, the most suspicious first; 1 of them was set aside.
    sample  given  suggested  quality
    7       cat    dog          0.020  set aside
    3       cat    cat          0.900
    """

    samples: np.ndarray
    given: np.ndarray
    suggested: np.ndarray
    quality: np.ndarray
    doubted: np.ndarray
    distributions: np.ndarray
    unjudged: np.ndarray

    def __len__(self) -> int:
        return len(self.samples)

    def __str__(self) -> str:
        if not len(self):
            return self._summary()
        heads = ["sample", "given", "suggested", "quality", ""]
        table = [heads, *self._rows()]
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        lines = [
            "  ".join(
                cell.rjust(width) if place == 3 else cell.ljust(width)
                for place, (cell, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
            for row in table
        ]
        return "\n".join([self._summary(), *lines])

    def _repr_html_(self) -> str:
        heads = "".join(f"<th>{head}</th>" for head in ("sample", "given", "suggested", "quality"))
        rows = "".join(
            f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>"
            for row in self._rows()
        )
        table = f"<table><tr>{heads}<th></th></tr>{rows}</table>" if len(self) else ""
        return f"<p>{escape(self._summary())}</p>{table}"

    def _rows(self) -> list[list[str]]:
        """Return the cells of the first labels."""
        columns = (self.samples, self.given, self.suggested, self.quality, self.doubted)
        return [
            [str(sample), str(given), str(other), f"{quality:.3f}", "set aside" if doubted else ""]
            for sample, given, other, quality, doubted in zip(
                *(column[:_SHOWN].tolist() for column in columns), strict=True
            )
        ]

    def _summary(self) -> str:
        """Return how many labels there are, and how many of them nothing judges."""
        left_out = ""
        if len(self.unjudged):
            few = ", ".join(map(str, self.unjudged[:5].tolist()))
            more = ", ..." if len(self.unjudged) > 5 else ""
            left_out = f" {_labels(len(self.unjudged))} could not be judged ({few}{more})."
        if not len(self):
            return f"No given label could be judged by others.{left_out}"
        aside = int(self.doubted.sum())
        was = f"; {aside} of them {'was' if aside == 1 else 'were'} set aside" if aside else ""
        return f"{_labels(len(self))}, the most suspicious first{was}.{left_out}"


def _labels(count: int) -> str:
    return f"{count} given label{'' if count == 1 else 's'}"
