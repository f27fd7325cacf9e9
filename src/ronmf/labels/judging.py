"""What the other labels say of each given one: predictions in which it never had a vote."""

from collections.abc import Callable

import numpy as np

from .hidden_labels import hide_labels

__all__ = ["judge_labels", "suspicion_order"]

_FOLDS = 5  # parts of the labels that are hidden in turn on a graph that is there


def judge_labels(
    given: np.ndarray,
    trusted: np.ndarray,
    predict: Callable[[np.ndarray], np.ndarray],
    tried: tuple[np.ndarray, np.ndarray, np.ndarray],
    rng: np.random.RandomState,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the given labels that the others can judge, and what these predict.

    Trials have predictions of most labels. The others are predicted here: those that are not
    trusted from all that are, and trusted ones while they are hidden, a fifth at a time. Wrong
    labels mislead such predictions of their neighbours. So a second round has the votes of those
    labels only that the first round supports, and its predictions are averaged with the trials'.

    A class's only label is not judged: without it there would be no such class to predict.

    Parameters
    ----------
    given : ndarray of int, shape (n_samples,)
        The given labels, -1 where there is none.
    trusted : ndarray of int, shape (n_samples,)
        Those of them that were not set aside. No others vote.
    predict : callable
        ``codes -> memberships`` (n_samples x n_classes, rows that sum to one).
    tried : tuple of ndarrays
        Samples whose labels were hidden in trials, what was predicted, and the labels, as
        :func:`~ronmf.labels.hidden_labels.judged_labels` returns them.
    rng : RandomState
        Source of the folds.

    Returns
    -------
    samples : ndarray of int, shape (n_judged,)
        The samples, in their order.
    predictions : ndarray of shape (n_judged, n_classes)
        Rows that sum to one.

    Examples
    --------
    >>> from ronmf.labels.hidden_labels import judged_labels
    >>> def predict(kept):  # what most labels of the same half of the samples say
    ...     halves = kept.reshape(2, -1)
    ...     share = [[(half == j).sum() / (half >= 0).sum() for j in (0, 1)] for half in halves]
    ...     return np.repeat(share, 5, axis=0)
    >>> given = np.array([0, 0, 0, 0, 1, 1, 1, 1, 1, 1])  # the fifth label is wrong
    >>> samples, P = judge_labels(
    ...     given, given, predict, judged_labels([]), np.random.RandomState(0)
    ... )
    >>> samples[P[samples, given] < 0.5].tolist()
    [4]
    """
    if given.max(initial=-1) < 1:
        return np.zeros(0, dtype=int), np.zeros((0, 1))
    hidden, of_trials, labels = tried
    still = given[hidden] == labels
    hidden, of_trials = hidden[still], of_trials[still]
    untried = trusted.copy()
    untried[hidden] = -1
    first = _hidden_predictions(given, trusted, predict, untried, rng)
    if len(hidden):
        first[hidden] = of_trials
    second = _hidden_predictions(given, _supported(trusted, first), predict, trusted, rng)
    P = np.where(np.isnan(second), first, second)
    if len(hidden):
        P[hidden] = (P[hidden] + of_trials) / 2
    samples = np.flatnonzero(~np.isnan(P[:, 0]))
    return samples, P[samples]


def _hidden_predictions(
    given: np.ndarray,
    voters: np.ndarray,
    predict: Callable[[np.ndarray], np.ndarray],
    wanted: np.ndarray,
    rng: np.random.RandomState,
) -> np.ndarray:
    """Return what labels predict of others, and of each other while hidden; NaN elsewhere.

    Of the voters, those of `wanted` are hidden in turn, except a class's only one.
    """
    P = np.full((len(given), int(given.max()) + 1), np.nan)
    mute = (given >= 0) & (voters < 0)
    if mute.any():
        P[mute] = predict(voters)[mute]
    if ((wanted >= 0) & (voters >= 0)).any():
        for kept, hidden in hide_labels(voters, _FOLDS, rng):
            if (wanted[hidden] >= 0).any():
                P[hidden] = predict(kept)[hidden]
    return P


def _supported(trusted: np.ndarray, predictions: np.ndarray) -> np.ndarray:
    """Return the labels that predictions support; a class in which none is keeps all of its own."""
    judged = np.flatnonzero((trusted >= 0) & ~np.isnan(predictions[:, 0]))
    wrong = judged[predictions[judged].argmax(axis=1) != trusted[judged]]
    left = trusted.copy()
    left[wrong] = -1
    bare = np.setdiff1d(trusted[wrong], left)
    back = wrong[np.isin(trusted[wrong], bare)]
    left[back] = trusted[back]
    return left


def suspicion_order(predictions: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Return the order of labels from the most suspicious one on.

    By ``p (1 - q)``, p being the prediction of the label and q the largest of another class. Where
    p is small, it counts whether the others agree on one class or are at a loss.

    Examples
    --------
    >>> P = np.array([[0.9, 0.1, 0.0], [0.1, 0.9, 0.0], [0.1, 0.45, 0.45]])
    >>> suspicion_order(P, np.array([0, 0, 0])).tolist()
    [1, 2, 0]
    """
    rows = np.arange(len(labels))
    others = predictions.copy()
    others[rows, labels] = 0.0
    return np.argsort(predictions[rows, labels] * (1 - others.max(axis=1)), kind="stable")
