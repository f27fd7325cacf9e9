"""Given labels that are probably wrong: the other labels predict another class, and confidently."""

import numpy as np
from sklearn.isotonic import IsotonicRegression

from .calibration import calibrated_score
from .chance import like_chance
from .hidden_labels import Trial, judged_labels

__all__ = ["check_labels", "doubts_pay"]

_PER_CLASS = 4  # given labels, on the mean, from which the others can judge one
_FEWEST = 2  # confident predictions that contradict a label: one may be chance
_SMALLEST, _LARGEST = 0.015, 0.35  # shares of wrong labels between which anything is concluded
_CONFIDENT = 0.5  # share of the predictions that count as confident: those of the widest margins
_EXPLAINED = 1 / 3
"""Share of all contradictions that go with the doubted labels. Of right labels in classes that
overlap it was at most 0.22, of labels of which a tenth or a fifth is wrong 0.47 to 0.93 in seven
draws of nine."""
_OVERLAP = 1 / 3
"""Share of labels that the others contradict beyond which classes may overlap. A fifth of wrong
labels makes 0.2 to 0.3 where classes are apart, right ones of six kinds of waste 0.35 to 0.4."""
_LIKELY = 0.5  # probability of being wrong from which a label is doubted


def check_labels(codes: np.ndarray, trials: list[Trial]) -> np.ndarray:
    r"""Return the samples whose labels are more likely wrong than right.

    Where labels are right, predictions of hidden labels err when they are unsure, and hardly ever
    when their margin (largest less second largest probability) is wide. Wrong labels contradict
    predictions of any margin. So the share :math:`\varepsilon` of wrong labels shows among the half
    with the widest margins. Where the share of contradicted labels at a margin m is e(m), a
    contradicted label is wrong with probability :math:`\varepsilon / e(m)`; it is doubted from one
    half on.

    Nothing is concluded from less than four labels per class (on the mean of all classes), from
    less than two contradictions among the confident half, or where so many are contradicted that
    the predictions, rather than the labels, are in doubt, or that guesses would do as well: without
    the labels they contradict, predictions of random labels would look like knowledge. A class
    keeps its labels if all of them are doubted.

    Parameters
    ----------
    codes : ndarray of int, shape (n_samples,)
        The given labels, -1 where there is none.
    trials : list of Trial
        Predictions of hidden labels; a label that was hidden twice counts by the mean of both.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> truth = rng.integers(3, size=90)
    >>> given = np.where(np.arange(90) < 9, (truth + 1) % 3, truth)
    >>> sure = np.eye(3)[truth] * 0.9 + 0.1 / 3
    >>> trial = Trial(np.full(90, -1), np.arange(90), sure, given)
    >>> check_labels(given, [trial]).tolist()
    [0, 1, 2, 3, 4, 5, 6, 7, 8]
    """
    nothing, given = np.zeros(0, dtype=int), codes[codes >= 0]
    if not trials or len(given) < _PER_CLASS * len(np.unique(given)):
        return nothing
    samples, predicted, labels = judged_labels(trials)
    ordered = np.sort(predicted, axis=1)
    margins = ordered[:, -1] - ordered[:, -2]
    contradicted = predicted.argmax(axis=1) != labels
    if like_chance(predicted.argmax(axis=1), labels):
        return nothing
    confident = margins >= np.quantile(margins, 1 - _CONFIDENT)
    share = float(contradicted[confident].mean())
    if contradicted[confident].sum() < _FEWEST or not _SMALLEST <= share <= _LARGEST:
        return nothing
    at_margin = IsotonicRegression(increasing=False).fit_transform(margins, contradicted)
    doubted = samples[contradicted & (at_margin <= share / _LIKELY)]
    bare = np.setdiff1d(codes[doubted], np.delete(codes, doubted))  # classes without another label
    return doubted[~np.isin(codes[doubted], bare)]


def doubts_pay(
    before: list[Trial],
    after: list[Trial],
    doubted: np.ndarray,
    predicted: np.ndarray,
    n_aside: int,
) -> bool:
    """Return whether labels are predicted better, the doubted ones too, once these have no vote.

    If wrong labels are why predictions fail, these fail less without them: the doubted labels must
    be a third of all that are contradicted, then and now, with those of earlier rounds.

    Where more than a third of the labels are contradicted, classes may overlap, and right labels
    contradict each other as wrong ones do. But right ones help to predict their like: without them
    the others of a class that lies inside another are predicted worse, and they themselves worst of
    all. Wrong ones are missed by none. So the mean logarithm of the probability of all labels, each
    while it had no vote, must then not fall. Both sets of predictions are calibrated first, as the
    one may be bolder.

    Parameters
    ----------
    before : list of Trial
        Predictions of hidden labels by the others, the doubted ones among them.
    after : list of Trial
        The same without the doubted labels.
    doubted : ndarray of int, shape (n_doubted,)
        The samples whose labels are doubted.
    predicted : ndarray of shape (n_doubted, n_classes)
        What all other labels predict of them.
    n_aside : int
        How many labels are doubted with those of earlier rounds.

    Examples
    --------
    >>> halves = np.arange(8), np.repeat([[0.9, 0.1], [0.1, 0.9]], 4, axis=0)
    >>> given = np.array([0, 0, 1, 1, 1, 1, 1, 0])  # three contradict the others
    >>> timid = Trial(given, halves[0], halves[1] / 2 + 0.25, given)
    >>> doubted = np.array([2, 3, 7])
    >>> others = np.setdiff1d(halves[0], doubted)
    >>> bold = Trial(given, halves[0][others], halves[1][others], given[others])
    >>> less = np.array([[0.7, 0.3], [0.7, 0.3], [0.3, 0.7]])
    >>> doubts_pay([timid], [bold], doubted, less, 3)
    True
    >>> doubts_pay([timid], [bold], doubted, np.round(less), 3)
    False
    """
    samples, P, labels = judged_labels(before)
    others, Q, _ = judged_labels(after)
    where = np.concatenate([doubted, others])
    both, of_before, of_after = np.intersect1d(samples, where, return_indices=True)
    if not len(both):
        return True
    truth, P, Q = labels[of_before], P[of_before], np.concatenate([predicted, Q])[of_after]
    contradicted = (P.argmax(axis=1) != truth).mean()
    still = (Q.argmax(axis=1) != truth) & ~np.isin(both, doubted)
    if n_aside < _EXPLAINED * (n_aside + still.sum()):
        return False
    better = calibrated_score(Q, truth) >= calibrated_score(P, truth)
    return bool(contradicted < _OVERLAP or better)
