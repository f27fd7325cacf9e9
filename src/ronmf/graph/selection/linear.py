"""Whether a linear view stands beside the graph, and how loudly: hidden labels say."""

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
    that are left. Its weight is the one under which the hidden labels of other folds are predicted
    best, 0 if these are clearly predicted worse: a fold's own labels have no say about its view.
    Where no label can be hidden, where clusters have no label, and where samples are very many,
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
    n = len(contest.codes)
    if not (contest.tested and graphs and contest.request.views) or n > tuning.VIEW_SAMPLES:
        return None, alone
    weights, found = (0.0, *tuning.VIEW_WEIGHTS), []
    gains = np.zeros((len(contest.folds), len(weights)))
    for i, (W, A) in enumerate(zip(graphs, alone, strict=True), start=1):
        fold = contest.folds[i]
        truth = contest.codes[fold.hidden]
        seen = _view(contest, shares[i]).of_classes(A, fold.kept)
        made = [A] * len(weights)
        if seen is not None:
            made[1:] = [contest.propagate(W, fold.kept, (seen[1], w)) for w in weights[1:]]
        scores = np.array([calibrated_score(P[fold.hidden], truth) for P in made])
        gains[i] = (scores - scores[0]) * len(truth)
        found.append(made)
        contest.request.report()
    chosen = []
    for i in range(len(graphs) + 1):
        best = gains[contest.judges(i)].sum(axis=0)[1:]
        chosen.append(0 if best.max() < -tuning.VIEW_WORSE else 1 + int(best.argmax()))
    view = _view(contest, shares[0], weights[chosen[0]]) if chosen[0] else None
    return view, [made[k] for made, k in zip(found, chosen[1:], strict=True)]


def _view(contest: Contest, shares: Shares, weight: float = 0.0) -> LinearView:
    """Return the view of the features with the largest share."""
    return next(iter(best_kinds(shares, contest))).view(weight)
