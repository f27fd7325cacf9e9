"""What a contest came to, in a headline and a few sentences: who won, by how much, how sure."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from ...system.plain_text import counted
from .contest import Contest, Gap, hold_contest
from .opponents import CHOSEN_GRAPH, is_own

__all__ = ["Verdict", "give_verdict"]


@dataclass(frozen=True)
class Verdict:
    """What may be said of the rows.

    Attributes
    ----------
    headline : str
        Who won, in a few words.
    sentences : list of str
        Who won on what, by how much on the same draws, what the ranks over datasets say, and, where
        it ran, what propagation on RONMF's graph does.
    contest : Contest or None
        The numbers behind them; None where nothing can be compared.
    """

    headline: str
    sentences: list[str]
    contest: Contest | None = None


def give_verdict(rows: pd.DataFrame) -> Verdict:
    """Return who won on clean data, or why nobody can tell.

    Parameters
    ----------
    rows : DataFrame
        Tidy rows.
    """
    try:
        contest = hold_contest(rows)
    except ValueError as error:
        text = str(error)
        return Verdict("No comparison on clean data", [text[:1].upper() + text[1:]])
    if len(contest.pair) == 1:
        headline, said = f"Only {contest.pair[0]} ran", [_alone(contest)]
    else:
        gap = contest.gap(*contest.pair)
        headline, outcome = _outcome(contest, gap)
        said = [_who(contest, outcome), _how_much(contest, gap), _how_sure(contest, gap)]
    if not contest.own:
        said.append("RONMF is not among these methods.")
    elif CHOSEN_GRAPH in contest.means:
        said.append(_graph(contest))
    return Verdict(headline, said, contest)


def _outcome(contest: Contest, gap: Gap) -> tuple[str, str]:
    """Return the headline, and the end of the first sentence."""
    first, second = map(_short, contest.pair)
    if gap.tied:
        return f"A tie: {first} and {second}", "a tie"
    size = f"by {_size(gap.mean)} in accuracy"
    if contest.own and first != "RONMF":
        words = "loses" if gap.known else "is behind"
        return f"RONMF {words}{' to' * gap.known} {first} {size}", f"RONMF {words}"
    words = "wins" if gap.known else "is ahead"
    return f"{first} {words} {size}", f"{first} {words}"


def _who(contest: Contest, outcome: str) -> str:
    """Return who won, and on what."""
    said = " and ".join(
        f"{contest.means[method].mean:.3f} with {_introduced(contest, method)}"
        for method in contest.pair
    )
    start = f"On {_setting(contest)} accuracy on unlabelled samples is {said}"
    return f"{start.removesuffix(',')}: {outcome}."


def _introduced(contest: Contest, method: str) -> str:
    """Return a method and what it is the best of."""
    group = contest.own if is_own(method) else contest.others
    if len(group) < 2 or not contest.own:
        return method
    kind = "variants" if is_own(method) else "other methods"
    return f"{method}, the best of {len(group)} {kind},"


def _how_much(contest: Contest, gap: Gap) -> str:
    """Return the difference on the same draws, and how often it has that sign."""
    first, total = contest.pair[0], len(contest.datasets)
    if gap.draws == 0:
        return "They have no draw in common: the difference may be one of draws."
    if not gap.known:
        return (
            f"They differ by {_size(gap.mean)} on the same {counted(gap.draws, 'draw')}; with a"
            " single draw of a dataset nothing tells that from chance."
        )
    ends = [f"{end:.3f}".replace("-", "−") for end in (gap.mean - gap.half, gap.mean + gap.half)]
    interval = f"95 % interval {ends[0]} to {ends[1]}"
    said = f"On the same {gap.draws} draws"
    if gap.tied:
        said += f" they differ by {_size(gap.mean)} ({interval}), which may be chance"
    else:
        said += f" {first} is ahead by {_size(gap.mean)} ({interval})"
    if total > 1:
        said += f"; {first} is ahead" if gap.tied else ", and ahead"
        said += f" on {gap.ahead} of {total} datasets"
        said += f", level on {gap.level}" if gap.level else ""
        said += f", behind on {gap.behind}" if gap.behind else ""
    return f"{said}."


def _how_sure(contest: Contest, gap: Gap) -> str:
    """Return what Nemenyi's test makes of the ranks over datasets."""
    ranking, count = contest.ranking, len(contest.datasets)
    if ranking is None:
        return (
            f"{counted(len(contest.means), 'method')} on {counted(count, 'dataset')} say little of"
            " other data: the tests over datasets need at least 3 methods and 2 datasets."
        )
    ranks = [ranking.rank(method) for method in contest.pair]
    distance = ranking.critical_difference
    differ = abs(ranks[0] - ranks[1]) >= distance and ranking.p_value < ranking.alpha
    turned = " (the other way round)" if ranks[0] > ranks[1] else ""
    if gap.tied:
        words = "Ranks tell them apart" if differ else "Ranks do not tell them apart either"
    else:
        words = "That is significant" if differ else "That is not significant"
    few = f", and {count} datasets are few" if not differ and count < 10 else ""
    return (
        f"{words} over {count} datasets: average ranks of {ranks[0]:.2f} and {ranks[1]:.2f} among"
        f" {len(ranking.methods)} methods{turned} are {'further apart' if differ else 'closer'}"
        f" than Nemenyi's critical difference of {distance:.2f}{few}."
    )


def _graph(contest: Contest) -> str:
    """Return what propagation on RONMF's own graph has."""
    best = contest.own[0]
    gap = contest.gap(best, CHOSEN_GRAPH)
    mean = contest.means[CHOSEN_GRAPH].mean
    said = f"Label propagation on the graph that RONMF chose has {mean:.3f}"
    if gap.tied:
        return f"{said}, level with {best}: the graph decides, not the factorisation."
    if gap.mean > 0:
        return f"{said}, {_size(gap.mean)} less than {best}: the factorisation adds to its graph."
    return f"{said}, {_size(gap.mean)} more than {best}: the factorisation takes away."


def _alone(contest: Contest) -> str:
    (method,) = contest.pair
    rest = " but propagation on its own graph" if CHOSEN_GRAPH in contest.means else ""
    return (
        f"Only {method} ran on {_setting(contest)}: its accuracy on unlabelled samples is"
        f" {contest.means[method].mean:.3f}, and there is nothing{rest} to compare it with."
    )


def _setting(contest: Contest) -> str:
    """Return on what the methods were compared."""
    rows, datasets = contest.rows, contest.datasets
    what = f"{len(datasets)} datasets" if len(datasets) > 1 else datasets[0]
    classes = _span("all" if np.isinf(k) else f"{k:g}" for k in sorted(set(rows["n_classes"])))
    given = [f"{100 * rate:g} % labels" for rate in _finite(rows["label_rate"])]
    given += [f"{counted(int(k), 'label')} per class" for k in _finite(rows["labels_per_class"])]
    draws = _span(str(n) for n in sorted({cell.n for cell in contest.grid.cells.values()}))
    facts = [f"{classes} classes", " or ".join(given), f"{draws} draw{'s' * (draws != '1')} each"]
    return f"clean data of {what} ({', '.join(fact for fact in facts if fact)})"


def _finite(values: pd.Series) -> list[float]:
    return sorted({float(value) for value in values if np.isfinite(value)})


def _span(texts: Iterable[str]) -> str:
    """Return the only text, or the first and the last."""
    first, *more = texts
    return f"{first} to {more[-1]}" if more else first


def _short(method: str) -> str:
    """Return a method without its variant."""
    return "RONMF" if is_own(method) else method


def _size(difference: float) -> str:
    """Return the size of a difference in three digits.

    Examples
    --------
    >>> _size(-0.0123), _size(0.0001)
    ('0.012', 'less than 0.001')
    """
    text = f"{abs(difference):.3f}"
    return "less than 0.001" if text == "0.000" else text
