"""Tables that put RONMF beside its rivals, in Markdown."""

from collections.abc import Iterable

import numpy as np
from scipy.stats import t

Scores = dict[str, dict[str, list[float]]]
"""Scores by dataset and method, one for each seed; equal seeds of all methods are equal draws."""

OURS = "RONMF"


def markdown(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    lines = [list(heads), *map(list, rows)]
    lines.insert(1, ["---"] * len(lines[0]))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def mean_and_spread(values: list[float]) -> str:
    return f"{np.mean(values):.3f} ± {np.std(values):.3f}"


def lead(ours: list[float], theirs: list[float]) -> str:
    """Return the mean difference with its 95 % confidence interval by paired draws."""
    differences = np.subtract(ours, theirs)
    mean, n = differences.mean(), len(differences)
    if n < 2:
        return f"{mean:+.3f}, no interval:"
    half = t.ppf(0.975, n - 1) * differences.std(ddof=1) / np.sqrt(n)
    return f"{mean:+.3f} [{mean - half:+.3f}, {mean + half:+.3f}]:"


def comparison(scores: Scores) -> str:
    """Return mean ± standard deviation of every method, and RONMF's lead over the best rival.

    The best rival is the one with the highest mean of its row. The last row has means over the
    datasets; the interval there is over datasets in place of draws.
    """
    methods = list(next(iter(scores.values())))
    means = {m: [float(np.mean(row[m])) for row in scores.values()] for m in methods}
    rows = [[name, *map(mean_and_spread, row.values()), _lead(row)] for name, row in scores.items()]
    rows.append(["mean", *(f"{np.mean(means[m]):.3f}" for m in methods), _lead(means)])
    return markdown(["set", *methods, f"{OURS} minus best rival, 95 % interval"], rows)


def _lead(row: dict[str, list[float]]) -> str:
    rivals = [method for method in row if method != OURS]
    best = max(rivals, key=lambda method: np.mean(row[method]))
    return f"{lead(row[OURS], row[best])} {best}"
