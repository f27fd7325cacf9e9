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
    with it: a fold's own labels have no say about its view. Where no label can be hidden, where
    clusters have no label, where samples are very many, and where a single candidate was named,
    there is none.

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
    beside, losses = [], np.zeros(len(contest.folds))
    for i, (W, A) in enumerate(zip(graphs, alone, strict=True), start=1):
        fold = contest.folds[i]
        truth = contest.codes[fold.hidden]
        view = _view(contest, shares[i])
        seen = view.of_classes(A, fold.kept)
        P = A if seen is None else contest.propagate(W, fold.kept, (seen[1], view.weight))
        without, with_view = (calibrated_score(each[fold.hidden], truth) for each in (A, P))
        losses[i] = (without - with_view) * len(truth)
        beside.append(P)
        contest.request.report()
    worse = [losses[contest.judges(i)].sum() > tuning.VIEW_WORSE for i in range(len(graphs) + 1)]
    chosen = None if worse[0] else _view(contest, shares[0])
    return chosen, [(alone if worse[i + 1] else beside)[i] for i in range(len(graphs))]


def _view(contest: Contest, shares: Shares) -> LinearView:
    """Return the view of the features with the largest share."""
    return next(iter(best_kinds(shares, contest))).view
