"""How much each candidate counts: what is known before any label, then what hidden labels say."""

from collections.abc import Container

import numpy as np

from .._recipe import GraphRecipe
from .._spectral import normalized_cut
from .._spectral_clusters import overlap, spectral_clusters
from . import tuning
from .contest import Contest
from .features import FeatureKind

__all__ = ["Shares", "best_kinds", "clearness", "shares_in"]

Shares = dict[GraphRecipe, float]


def shares_in(fold: int, contest: Contest, kinds: Container[FeatureKind] = ()) -> Shares:
    r"""Return the share of each chosen candidate in a fold; they add up to one.

    A candidate of weight w before any evidence and of score s (the mean logarithm of the
    probability that it gave to hidden labels, at most 0) has the weight

    .. math:: w \exp\bigl(c\,(s - s_{\max})\bigr), \qquad c = \min(h, 8 / |s_{\max}|)

    h being the number of hidden labels; a best score above -0.02 counts as -0.02. Scores are means
    over the folds that hide no label which this fold hides: how well these are predicted has no say
    about its own graph. In the other folds they are given, and vote as all given labels do. The
    four largest weights are kept, and of these what is above a fiftieth of the best.

    Parameters
    ----------
    fold : int
        0 for the graph of the fit.
    contest : Contest
        The candidates, judged.
    kinds : container of FeatureKind, default=()
        Those whose axes of propagated labels take part.
    """
    weights = _before_evidence(contest, kinds)
    logs = {recipe: float(np.log(weight)) for recipe, weight in weights.items()}
    judges = contest.judges(fold)
    if judges.any():
        means = {r: float(contest.judged[r].scores[judges[1:]].mean()) for r in logs}
        best, chosen = max(means.values()), np.flatnonzero(judges)
        n_hidden = len(np.unique(np.concatenate([contest.folds[i].hidden for i in chosen])))
        c = min(n_hidden, tuning.SHARPNESS / max(-best, tuning.DOUBT))
        logs = {recipe: log + c * (means[recipe] - best) for recipe, log in logs.items()}
    # Differences of logarithms, since weights may be too small for a number
    best_first = sorted(logs, key=lambda recipe: -logs[recipe])[: tuning.BLENDED]
    large = {recipe: float(np.exp(logs[recipe] - logs[best_first[0]])) for recipe in best_first}
    large = {recipe: weight for recipe, weight in large.items() if weight > tuning.SMALLEST}
    return {recipe: weight / sum(large.values()) for recipe, weight in large.items()}


def best_kinds(shares: Shares, contest: Contest) -> dict[FeatureKind, float]:
    """Return the kinds of features with the largest sums of shares, and these sums."""
    total: dict[FeatureKind, float] = {}
    for recipe, share in shares.items():
        kind = contest.kind[recipe]
        total[kind] = total.get(kind, 0.0) + share
    return dict(sorted(total.items(), key=lambda item: -item[1])[: tuning.KINDS])


def _before_evidence(contest: Contest, kinds: Container[FeatureKind]) -> Shares:
    """Return the weights of candidates before any hidden label is looked at.

    Of principal axes they follow the priors and sum to 1; each set of axes of given labels has a
    tenth; axes of propagated labels have three in all, by the weights of their features.
    """
    kind, judged = contest.kind, contest.judged
    free = {r: r.prior**tuning.LASTING for r in judged if not r.uses_labels}
    if not contest.n_hidden:
        free = {recipe: recipe.prior for recipe in free}
        if contest.n_clusters > 1:
            free = {recipe: prior * clearness(recipe, contest) for recipe, prior in free.items()}
    total, of_kind = sum(free.values()), dict.fromkeys(kind.values(), 0.0)
    free = {recipe: weight / total for recipe, weight in free.items()}
    for recipe, weight in free.items():
        of_kind[kind[recipe]] += weight
    # A kind without principal axes among the candidates has no weight to go by.
    again = {r: of_kind[kind[r]] for r in judged if r.axes == "propagated lda" and kind[r] in kinds}
    total = sum(again.values())
    again = {recipe: tuning.PROPAGATED * w / total for recipe, w in again.items() if w > 0}
    return free | {r: tuning.GIVEN for r in judged if r.axes == "lda"} | again


def clearness(recipe: GraphRecipe, contest: Contest) -> float:
    r"""Return the factor of a graph's weight that tells how clearly it falls into classes.

    The normalised cut says how clearly it falls into clusters, whatever these are; where classes
    are labelled it is believed up to a bound. Labels say whether the clusters are classes: if k of
    them have no cluster of their own where chance would leave e, the likelihood of k is
    :math:`(k/e)^k\exp(e-k)` times what it is by chance. That counts in part, and where chance would
    do as well, not at all.

    Parameters
    ----------
    recipe : GraphRecipe
        Of a judged candidate that no label shaped.
    contest : Contest
        The candidates.
    """
    W, n_clusters = contest.judged[recipe].graphs[0], contest.n_clusters
    labels = spectral_clusters(W, n_clusters, contest.rng)
    low, high = tuning.CUTS
    cut = np.clip(normalized_cut(W, labels, n_clusters), low, high)
    if contest.n_classes < 2:  # labels of one class need not lie together
        return float((high / cut) ** tuning.TILT_UNLABELLED)
    k, e = overlap(labels, contest.codes[contest.rows], n_clusters)
    evidence = e - k + (k * np.log(k / e) if k else 0.0) if k < e else 0.0
    return float((high / cut) ** tuning.TILT * np.exp(tuning.LABELS_APART * evidence))
