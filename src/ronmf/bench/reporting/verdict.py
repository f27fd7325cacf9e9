"""What a contest came to, in a headline and a few sentences: who won, by how much, how sure."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from .contest import Contest, Gap, hold_contest
from .contestants import is_own

__all__ = ["Verdict", "give_verdict"]


@dataclass(frozen=True)
class Verdict:
    """What may be said of the rows.

    Attributes
    ----------
    headline : str
        Who won, in a few words.
    sentences : tuple of str
        Who won on what, by how much on the same draws, what the ranks over datasets say, and, where
        it ran, what propagation on RONMF's graph does.
    contest : Contest or None
        The numbers behind them; None where nothing can be compared.
    """

    headline: str
    sentences: tuple[str, ...]
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
        return Verdict("No comparison on clean data", (text[:1].upper() + text[1:],))
    if contest.second is None:
        said = [_alone(contest)]
        headline = f"Only {contest.first} ran"
    else:
        gap = contest.gap(contest.first, contest.second)
        outcome = _outcome(contest, gap)
        headline = _headline(contest, gap, outcome)
        said = [_who(contest, outcome), _how_much(contest, gap), _how_sure(contest, gap)]
    return Verdict(headline, (*said, *_graph(contest)), contest)


def _outcome(contest: Contest, gap: Gap) -> str:
    """Return how the first method stands to the second: a tie, a win, or ahead by who knows."""
    if gap.tied:
        return "tie"
    return "wins" if gap.known else "is ahead"


def _headline(contest: Contest, gap: Gap, outcome: str) -> str:
    first, second = _short(contest.first), _short(contest.second)
    if outcome == "tie":
        return f"A tie: {first} and {second}"
    if contest.own and not is_own(contest.first):
        word = "loses to" if outcome == "wins" else "is behind"
        return f"{second} {word} {first} by {_size(gap.mean)} in accuracy"
    return f"{first} {outcome} by {_size(gap.mean)} in accuracy"


def _who(contest: Contest, outcome: str) -> str:
    """Return who won, and on what."""
    first, second = contest.first, contest.second
    assert second is not None
    means = [f"{contest.means[method].mean:.3f}" for method in (first, second)]
    if outcome == "tie":
        verdict = "a tie"
    elif contest.own and not is_own(first):
        verdict = f"RONMF {'loses' if outcome == 'wins' else 'is behind'}"
    else:
        verdict = f"{_short(first)} {outcome}"
    said = (
        f"On {_setting(contest)} accuracy on unlabelled samples is {means[0]} with"
        f" {_introduced(contest, first)} and {means[1]} with {_introduced(contest, second)}"
    )
    return f"{said.removesuffix(',')}: {verdict}."


def _introduced(contest: Contest, method: str) -> str:
    """Return a method and what it is the best of."""
    group = contest.own if is_own(method) else contest.others
    if len(group) < 2 or not contest.own:
        return method
    kind = "variants" if is_own(method) else "other methods"
    return f"{method}, the best of {len(group)} {kind},"


def _how_much(contest: Contest, gap: Gap) -> str:
    """Return the difference on the same draws, and how often it has that sign."""
    if gap.draws == 0:
        return "They have no draw in common: the difference may be one of draws."
    if not gap.known:
        return (
            f"They differ by {_size(gap.mean)} on the same {_count(gap.draws, 'draw')}; with a"
            " single draw of a dataset nothing tells that from chance."
        )
    ends = [f"{end:.3f}".replace("-", "−") for end in (gap.mean - gap.half, gap.mean + gap.half)]
    interval = f"95 % interval {ends[0]} to {ends[1]}"
    draws = f"On the same {gap.draws} draws"
    if gap.tied:
        said = f"{draws} they differ by {_size(gap.mean)} ({interval}), which may be chance"
    else:
        said = f"{draws} {contest.first} is ahead by {_size(gap.mean)} ({interval})"
    total = len(contest.datasets)
    if total == 1:
        return f"{said}."
    level = f", level on {gap.level}" if gap.level else ""
    behind = f", behind on {gap.behind}" if gap.behind else ""
    where = f"; {contest.first} is ahead" if gap.tied else ", and ahead"
    return f"{said}{where} on {gap.ahead} of {total} datasets{level}{behind}."


def _how_sure(contest: Contest, gap: Gap) -> str:
    """Return what Nemenyi's test makes of the ranks over datasets."""
    ranking, count = contest.ranking, len(contest.datasets)
    if ranking is None:
        return (
            f"{_count(len(contest.methods), 'method')} on {_count(count, 'dataset')} say little of"
            " other data: the tests over datasets need at least 3 methods and 2 datasets."
        )
    assert contest.second is not None
    ranks = [contest.rank(method) for method in (contest.first, contest.second)]
    distance = ranking.critical_difference
    told = abs(ranks[0] - ranks[1]) >= distance and ranking.p_value < ranking.alpha
    turned = " (the other way round)" if ranks[0] > ranks[1] else ""
    numbers = (
        f"average ranks of {ranks[0]:.2f} and {ranks[1]:.2f} among {len(ranking.methods)} methods"
        f"{turned} are {'further apart' if told else 'closer'} than Nemenyi's critical difference"
        f" of {distance:.2f}"
    )
    few = f", and {count} datasets are few" if not told and count < 10 else ""
    if gap.tied:
        words = "Ranks tell them apart" if told else "Ranks do not tell them apart either"
    else:
        words = "That is significant" if told else "That is not significant"
    return f"{words} over {count} datasets: {numbers}{few}."


def _graph(contest: Contest) -> Iterable[str]:
    """Yield what propagation on RONMF's own graph has, if both ran; or that RONMF did not."""
    if not contest.own:
        yield "RONMF is not among these methods."
    if contest.graph is None or not contest.own:
        return
    best, mean = contest.own[0], contest.means[contest.graph].mean
    gap = contest.gap(best, contest.graph)
    said = f"Label propagation on the graph that RONMF chose has {mean:.3f}"
    if gap.tied:
        yield f"{said}, level with {best}: the graph decides, not the factorisation."
    elif gap.mean > 0:
        yield f"{said}, {_size(gap.mean)} less than {best}: the factorisation adds to its graph."
    else:
        yield f"{said}, {_size(gap.mean)} more than {best}: the factorisation takes away."


def _alone(contest: Contest) -> str:
    mean = contest.means[contest.first].mean
    rest = " but propagation on its own graph" if contest.graph else ""
    return (
        f"Only {contest.first} ran on {_setting(contest)}: its accuracy on unlabelled samples is"
        f" {mean:.3f}, and there is nothing{rest} to compare it with."
    )


def _setting(contest: Contest) -> str:
    """Return on what the methods were compared."""
    rows, datasets = contest.rows, contest.datasets
    what = f"{len(datasets)} datasets" if len(datasets) > 1 else datasets[0]
    runs = [cell.n for found in contest.by_dataset.values() for cell in found.values()]
    classes = _span("all" if np.isinf(k) else f"{k:g}" for k in sorted(set(rows["n_classes"])))
    given = [f"{100 * rate:g} % labels" for rate in _finite(rows["label_rate"])]
    counts = _finite(rows["labels_per_class"])
    given += [f"{_count(int(k), 'label')} per class" for k in counts]
    draws = _span(str(n) for n in sorted(set(runs)))
    facts = [f"{classes} classes", " or ".join(given), f"{draws} draw{'s' * (draws != '1')} each"]
    return f"clean data of {what} ({', '.join(fact for fact in facts if fact)})"


def _finite(values: pd.Series) -> list[float]:
    return sorted({float(value) for value in values if np.isfinite(value)})


def _span(texts: Iterable[str]) -> str:
    """Return the only text, or the first and the last."""
    found = list(texts)
    return found[0] if len(found) == 1 else f"{found[0]} to {found[-1]}"


def _short(method: str | None) -> str:
    """Return a method without its variant."""
    assert method is not None
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


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'s' * (number != 1)}"
