"""Which graph? Hide part of the given labels, and see which graphs predict them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from sklearn.utils import check_random_state

from ...labels.calibration import calibrated_score
from ...labels.hidden_labels import Trial, tentative_trials
from ...numerics.nearest_neighbors import check_count
from .._consensus_graph import ConsensusGraph, GraphPart
from .._linear_view import LinearView
from .._recipe import AXES, GraphRecipe
from .._request import GraphRequest, Propagation
from .._spectral_clusters import confusion
from . import tuning
from .blend import Blender
from .contest import Contest
from .folds import few_labels
from .linear import with_views
from .report import GraphReport
from .shares import Shares, best_kinds, shares_in

__all__ = ["ChosenGraph", "choose_graph"]


@dataclass(frozen=True, eq=False)
class ChosenGraph:
    """A graph, why it was chosen, and how it predicted hidden labels.

    Attributes
    ----------
    graph : ConsensusGraph
        The blend of the best candidates.
    report : GraphReport
        All candidates with their scores and shares.
    trials : list of Trial
        Predictions of hidden labels by such a blend, on all samples: of graphs that those labels
        have not shaped, with shares that were judged by other labels.
    tentative : list of Trial
        Where there are labels but none can be hidden: predictions of predictions.
    confusion : float
        Where none can be hidden: how far given labels contradict clusters that none has shaped.
    label_free : ConsensusGraph or None
        The best single candidate that no label has shaped; None if the blend has only such ones.
    propagation : Propagation
        How labels predict: as was asked for, without the class prior where graphs contradict it,
        and with a linear view, unless hidden labels are predicted worse with one.
    """

    graph: ConsensusGraph
    report: GraphReport
    trials: list[Trial]
    tentative: list[Trial]
    confusion: float
    label_free: ConsensusGraph | None
    propagation: Propagation


def choose_graph(request: GraphRequest, candidates: list[GraphRecipe]) -> ChosenGraph:
    """Weigh candidates by what is known without labels and by hidden labels, and blend the best.

    *Labels.* A third of them at a time is hidden and predicted by label propagation; graphs that
    depend on labels are made anew from those that are left. A candidate's score is the mean
    logarithm of the probability it gave to the true class. In a second round the features of the
    best candidates get discriminant axes of *propagated* labels, in every fold from what was left
    of the labels. The best four are summed with weights ``w * exp(c (score - best))``, c being the
    smaller of the number of hidden labels and of 8 over the size of the best score (at least 0.02).
    Of more than 1000 samples (or 20 per cluster) so many are compared, and in the end the blend
    meets the best single graph without labels on all of them.

    *Class sizes.* Where most graphs without labels contradict the sizes that labels suggest
    (clusters without the class prior cut less than 0.85 of what those with it cut), the prior is
    left out.

    *No labels.* The weight w of principal axes is the power 0.3 of a recipe's `prior`; axes of
    propagated labels weigh three times as much in all, those of given labels a tenth each. Where no
    label can be hidden, priors decide in full, and graphs that clearly fall into clusters (a
    normalised cut below 0.07) weigh more: without any labels much more, else up to 3.5 times, and
    more again where samples of different classes lie in different clusters. Where none can, where
    clusters have no label, and where labels are sparse (less than a tenth of the samples, and ten
    per class), discriminant axes of tentative labels (propagated, or of a spectral split) make
    three quarters of the blend, unless hidden labels are clearly predicted worse with them.

    *One label of each class.* Tentative labels are then guessed three times: first for the most
    confident third of every class, then for two thirds and for all, with classes balanced half way.

    *A linear view* of the best features stands beside the graph unless hidden labels are clearly
    predicted worse with it, or nearly all without: ``ronmf.graph._linear_view.LinearView``.

    Parameters
    ----------
    request : GraphRequest
        Data, labels, and how neighbours are joined and labels are propagated.
    candidates : list of GraphRecipe
        The candidates. At least one needs no labels.

    Returns
    -------
    ChosenGraph
        With ``graph``, ``report``, ``trials``, ``tentative``, ``confusion``, ``label_free`` and
        ``propagation``.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from ronmf.graph import GraphRequest, choose_graph, default_recipes
    >>> X, truth = load_digits(return_X_y=True)
    >>> X, truth = X[:500], truth[:500]
    >>> codes = np.where(np.arange(500) % 10 == 0, truth, -1)
    >>> candidates = default_recipes(X, image_shape=(8, 8))
    >>> chosen = choose_graph(GraphRequest(X, codes, rng=0), candidates)
    >>> chosen.report.accuracy > 0.9
    True
    """
    candidates = [candidates] if isinstance(candidates, GraphRecipe) else candidates
    request = replace(request, codes=np.asarray(request.codes))
    _check(request, candidates)
    each_once = list({recipe.key: recipe for recipe in reversed(candidates)}.values())[::-1]
    contest = Contest(request, each_once, check_random_state(request.rng))
    blender = Blender(contest)
    shares, free = _compete(contest, blender)
    chosen, trials, view = _repeated(contest, blender, shares)
    first, tentative, confused = blender.parts(shares[0], 0), list[Trial](), 0.0
    if not trials and contest.n_classes > 1:

        def predict(kept: np.ndarray) -> np.ndarray:
            # Axes of tentative labels agree with these labels by design: each trial makes its own.
            request.report()
            return contest.propagate(blender.affinity(blender.refined(first, kept)), kept)

        found = contest.propagate(blender.affinity(chosen), contest.codes)
        tentative = tentative_trials(contest.codes, found, predict, contest.rng)
        free_of_labels = blender.affinity(first)
        confused = confusion(free_of_labels, contest.codes, contest.n_clusters, contest.rng)
    graph = ConsensusGraph.blend(chosen)
    report = GraphReport.rank(contest, graph, trials)
    label_free = _label_free(contest, blender, free, chosen)
    propagation = replace(contest.propagation, view=view)
    return ChosenGraph(graph, report, trials, tentative, confused, label_free, propagation)


def _repeated(
    contest: Contest, blender: Blender, shares: list[Shares]
) -> tuple[list[GraphPart], list[Trial], LinearView | None]:
    """Return the blend of all labels, and what its like predicts of those that each fold hides.

    Where labels are few, graphs with axes of tentative labels are added, unless hidden labels are
    clearly predicted worse with them; and a linear view on the same terms. A fold's
    own predictions have no say about its graph and view.
    """
    refine = few_labels(contest.codes, contest.n_clusters)
    options, predicted, losses = [], [], np.zeros(len(contest.folds))
    for i, fold in enumerate(contest.repeated_folds):
        parts = blender.parts(shares[i], i)
        options.append([blender.refined(parts, fold.kept), parts] if refine else [parts])
        graphs = map(blender.affinity, options[i] if i else ())
        found = [contest.propagate(W, fold.kept) for W in graphs]
        if len(found) == 2:
            truth = contest.codes[fold.hidden]
            with_guess, without = (calibrated_score(P[fold.hidden], truth) for P in found)
            losses[i] = (without - with_guess) * len(truth)
        predicted.append(found)
        contest.request.report()
    folds = contest.repeated_folds
    best = [int(losses[contest.judges(i)].sum() > tuning.WORSE) for i in range(len(folds))]
    chosen = [blender.affinity(made[k]) for made, k in zip(options[1:], best[1:], strict=True)]
    alone = [found[k] for found, k in zip(predicted[1:], best[1:], strict=True)]
    view, beside = with_views(contest, shares, chosen, alone)
    trials = [
        Trial(fold.kept, fold.hidden, P[fold.hidden], contest.codes[fold.hidden])
        for fold, P in zip(folds[1:], beside, strict=True)
    ]
    return options[0][best[0]], trials, view


def _label_free(
    contest: Contest, blender: Blender, free: Shares, chosen: list[GraphPart]
) -> ConsensusGraph | None:
    """Return the best graph without labels, of features that the blend has made if it can be."""
    if not any(part.recipe.uses_labels for part in chosen):
        return None
    made = {contest.kind[part.recipe] for part in chosen}
    best = max(free, key=lambda recipe: (contest.kind[recipe] in made, free[recipe]))
    return ConsensusGraph.blend(blender.parts({best: 1.0}, 0))


def _compete(contest: Contest, blender: Blender) -> tuple[list[Shares], Shares]:
    """Judge candidates in three rounds; return the shares of the best in every fold.

    And those of graphs that no label has shaped, where none is hidden. Principal axes come first,
    then axes of given labels. On the blend of the best so far labels are propagated, and shape the
    axes of the third round.
    """
    of = {axes: [r for r in contest.recipes if r.axes == axes] for axes in AXES}
    every = range(len(contest.folds))
    contest.judge_label_free()
    free = [shares_in(i, contest) for i in every]
    if not contest.tested:
        return free, free[0]
    contest.judge(of["lda"])
    first = [shares_in(i, contest) for i in every]
    guesses = []
    for i, shares in enumerate(first):
        W = sum(share * contest.judged[recipe].graphs[i] for recipe, share in shares.items())
        guesses.append(contest.guess(W.tocsr(), contest.folds[i].kept[contest.rows]))
    kinds = [best_kinds(shares, contest) for shares in first]
    wanted = set().union(*kinds)
    contest.judge([r for r in of["propagated lda"] if contest.kind[r] in wanted], guesses)
    best = [shares_in(i, contest, kinds[i]) for i in every]
    if contest.whole:
        return best, free[0]
    single = [{max(shares, key=lambda r: shares[r]): 1.0} for shares in free]
    return _final(contest, blender, best, single), free[0]


def _final(
    contest: Contest, blender: Blender, best: list[Shares], free: list[Shares]
) -> list[Shares]:
    """Return the best shares, or those of graphs without labels where these predict better.

    Among all samples neighbours are nearer than among the compared ones, and axes of labels are
    needed less. Predictions are calibrated first: a timid graph may be as good as a bold one. A
    fold's own predictions have no say about its graph; one that no other fold judges takes the
    best.
    """
    gains = np.zeros(len(contest.folds))  # of graphs without labels, in each repeated fold
    for i, fold in list(enumerate(contest.repeated_folds))[1:]:
        for shares, sign in ((best[i], -1), (free[i], 1)):
            W, truth = blender.affinity(blender.parts(shares, i)), contest.codes[fold.hidden]
            P = contest.propagate(W, fold.kept)[fold.hidden]
            gains[i] += sign * calibrated_score(P, truth)
    better = [gains[contest.judges(i)].sum() > 0 for i in range(len(gains))]
    return [free[i] if better[i] else best[i] for i in range(len(gains))]


def _check(request: GraphRequest, candidates: list[GraphRecipe]) -> None:
    """Refuse labels that are not of these data, and candidates that cannot be made."""
    n, codes = request.X.shape[0], request.codes
    if codes.shape != (n,) or codes.dtype.kind not in "iu":
        given = f"codes has shape {codes.shape} and type {codes.dtype}"
        raise ValueError(f"{given}; give a whole number for each of {n} samples, -1 for no label.")
    for recipe in candidates:
        if not isinstance(recipe, GraphRecipe):
            raise ValueError(f"candidates has {recipe!r}; give a list of GraphRecipe.")
        recipe.validate()
        check_count(recipe.n_neighbors or request.edges.n_neighbors, n - 1)
    if all(recipe.uses_labels for recipe in candidates):
        why = "for when no label can be hidden"
        raise ValueError(f"graph has none that needs no labels (axes='pca'), {why}; add one.")
