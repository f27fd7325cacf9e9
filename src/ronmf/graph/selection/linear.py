"""Whether a linear view stands beside the graph: hidden labels say."""

import numpy as np
import scipy.sparse as sp

from ...labels.calibration import calibrated_score
from .._linear_view import LinearView
from . import tuning
from .contest import Contest
from .shares import Shares, best_kinds

__all__ = ["with_views"]


def with_views(
    contest: Contest, shares: list[Shares], graphs: list[sp.csr_array], alone: list[np.ndarray]
) -> tuple[LinearView | None, list[np.ndarray]]:
    """Return the view of the fit, and predictions of the folds that hide labels, beside theirs.

    In every fold the features with the largest share get a view, whose rule is made of the labels
    that are left. It is left out where the hidden labels of other folds are clearly predicted worse
    with it, or so well without one that there is nothing to gain: a fold's own labels have no say
    about its view. Where no label can be hidden, where clusters have no label, where samples are
    very many, and where a single candidate was named, there is none.

    Parameters
    ----------
    contest : Contest
        The candidates, judged.
    shares : list of dict
        Shares of the chosen ones in every fold.
    graphs : list of csr_array
        Of the repeated folds that hide labels: their blends.
    alone : list of ndarray of shape (n_samples, n_classes)
        What these predict.
    """
    n, wanted = len(contest.codes), contest.request.views and len(contest.recipes) > 1
    if not (contest.tested and graphs and wanted) or n > tuning.VIEW_SAMPLES:
        return None, alone
    folds = contest.folds[1 : len(graphs) + 1]
    truth = [contest.codes[fold.hidden] for fold in folds]
    scores, losses = np.zeros(len(contest.folds)), np.zeros(len(contest.folds))
    for i, (A, fold) in enumerate(zip(alone, folds, strict=True)):
        scores[i + 1] = calibrated_score(A[fold.hidden], truth[i])
    judges = [contest.judges(i) & (scores < 0) for i in range(len(graphs) + 1)]
    lacking = [each.any() and scores[each].mean() < -tuning.VIEW_NEEDED for each in judges]
    if not any(lacking):
        return None, alone
    beside = []
    for i, (W, A, fold) in enumerate(zip(graphs, alone, folds, strict=True)):
        view = _view(contest, shares[i + 1])
        seen = view.of_classes(A, fold.kept)
        P = A if seen is None else contest.propagate(W, fold.kept, (seen[1], view.weight))
        score = calibrated_score(P[fold.hidden], truth[i])
        losses[i + 1] = (scores[i + 1] - score) * len(truth[i])
        beside.append(P)
        contest.request.report()
    better = [
        lack and losses[each].sum() <= tuning.VIEW_WORSE
        for lack, each in zip(lacking, judges, strict=True)
    ]
    chosen = _view(contest, shares[0]) if better[0] else None
    return chosen, [(beside if better[i + 1] else alone)[i] for i in range(len(graphs))]


def _view(contest: Contest, shares: Shares) -> LinearView:
    """Return the view of the features with the largest share."""
    return next(iter(best_kinds(shares, contest))).view
