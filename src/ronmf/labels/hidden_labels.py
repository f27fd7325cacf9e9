"""Part of the given labels is hidden in turn and predicted from the rest.

Everything that is decided by the labels one has (the graph, its weight, how sure a membership is)
is decided by such trials, and no other label is ever seen.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from array_api_compat import array_namespace

from ..numerics.arrays import from_numpy, to_numpy
from ..storage._products import take, template

__all__ = [
    "MOST_TRIALS",
    "Trial",
    "class_mean_error_ratio",
    "hidden_label_splits",
    "hide_labels",
    "judged_labels",
    "run_trials",
    "tentative_trials",
]

_FOLDS, _ROUNDS = 3, 2  # the latter where labels are few
MOST_TRIALS = _FOLDS * _ROUNDS
_FEW = 100  # labels below which two shuffles are averaged
_TENTATIVE, _TENTATIVE_SAMPLES = 3, 1000  # trials without hidden labels, and samples in each
_HELD = 2**24  # numbers of the data that are taken at a time
_UNTESTED = 4.0  # ratio of errors without evidence: what is usual where there is some


@dataclass(frozen=True, eq=False)
class Trial:
    """A prediction of hidden labels.

    Attributes
    ----------
    kept : ndarray of int, shape (n_samples,)
        The labels that predicted, -1 elsewhere; without those that were found to be wrong since.
    hidden : ndarray of int
        The samples whose labels were hidden.
    predictions : ndarray of shape (n_hidden, n_clusters)
        Their predicted memberships; rows sum to one.
    truth : ndarray of int, shape (n_hidden,)
        Their labels.
    """

    kept: np.ndarray
    hidden: np.ndarray
    predictions: np.ndarray
    truth: np.ndarray


def hide_labels(
    codes: np.ndarray,
    n_folds: int,
    rng: np.random.RandomState,
    spread: np.ndarray | None = None,
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Split the labelled samples into folds, class by class.

    Parameters
    ----------
    codes : ndarray of int, shape (n_samples,)
        Known classes, -1 where unlabelled.
    n_folds : int
        Number of folds.
    rng : RandomState
        Source of the shuffle.
    spread : ndarray of int, default=None
        Samples of which every class shall have some in different folds; None: all.

    Returns
    -------
    list of (kept, hidden)
        `kept` is `codes` with the samples `hidden` set to -1. A class's only label is never hidden,
        so that every class keeps one. Folds without any sample are left out.
    """
    fold = np.full(len(codes), -1)
    first = np.isin(np.arange(len(codes)), spread if spread is not None else [])
    for j in np.unique(codes[codes >= 0]):
        members = rng.permutation(np.flatnonzero(codes == j))
        members = members[np.argsort(~first[members], kind="stable")]
        start = rng.randint(n_folds)
        if len(members) > 1:
            fold[members] = (np.arange(len(members)) + start) % n_folds
    folds = (np.flatnonzero(fold == f) for f in range(n_folds))
    return [(np.where(fold == f, -1, codes), h) for f, h in enumerate(folds) if len(h)]


def hidden_label_splits(
    codes: np.ndarray, rng: np.random.RandomState, spread: np.ndarray | None = None
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Hide a third of the labels at a time; where they are few, in two ways, to average."""
    rounds = _ROUNDS if (codes >= 0).sum() < _FEW else 1
    return [split for _ in range(rounds) for split in hide_labels(codes, _FOLDS, rng, spread)]


def run_trials(
    codes: np.ndarray,
    predict: Callable[[np.ndarray], np.ndarray],
    rng: np.random.RandomState,
    free: np.ndarray | None = None,
    report: Callable[[], Any] = lambda: None,
) -> list[Trial]:
    """Hide labels and predict them; there is nothing to predict with fewer than two classes.

    Parameters
    ----------
    codes : ndarray of int, shape (n_samples,)
        Known classes, -1 where unlabelled. No other label is used.
    predict : callable
        ``codes -> memberships`` (n_samples x n_clusters, rows that sum to one).
    rng : RandomState
        Source of the splits.
    free : ndarray of int of shape (n_samples,), default=None
        The labels that may be hidden, -1 elsewhere: those that have not shaped what predicts. None:
        all.
    report : callable
        Called after every trial.
    """
    if codes.max(initial=-1) < 1:
        return []
    trials = []
    for kept, hidden in hidden_label_splits(codes if free is None else free, rng):
        left = np.where((codes >= 0) & (kept < 0), codes, kept)
        left[hidden] = -1
        trials.append(Trial(left, hidden, predict(left)[hidden], codes[hidden]))
        report()
    return trials


def judged_labels(trials: list[Trial]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the samples whose labels were hidden, each once, what was predicted, and the labels.

    Of a label that was hidden twice, predictions are averaged.
    """
    if not trials:
        return np.zeros(0, dtype=int), np.zeros((0, 0)), np.zeros(0, dtype=int)
    hidden = np.concatenate([trial.hidden for trial in trials])
    samples, first, places = np.unique(hidden, return_index=True, return_inverse=True)
    predictions = np.concatenate([trial.predictions for trial in trials])
    mean = np.zeros((len(samples), predictions.shape[1]))
    np.add.at(mean, places, predictions)
    mean /= np.bincount(places)[:, None]
    return samples, mean, np.concatenate([trial.truth for trial in trials])[first]


def tentative_trials(
    codes: np.ndarray,
    memberships: np.ndarray,
    predict: Callable[[np.ndarray], np.ndarray],
    rng: np.random.RandomState,
) -> list[Trial]:
    """Where no label can be hidden, let predictions predict each other.

    Samples are labelled as the given labels predict; of each class as many as it has labels are
    drawn and predict the others. How often that succeeds, and how boldly, tells what memberships
    from so few labels are worth, as far as the first prediction is right.

    Parameters
    ----------
    codes, predict, rng
        As in :func:`run_trials`.
    memberships : ndarray of shape (n_samples, n_classes)
        What the given labels predict.
    """
    if codes.max(initial=-1) < 1:
        return []
    guess = np.where(codes >= 0, codes, memberships.argmax(axis=1))
    free, trials = np.flatnonzero(codes < 0), []
    for _ in range(_TENTATIVE):
        kept = np.full(len(codes), -1)
        for j, count in enumerate(np.bincount(codes[codes >= 0])):
            members = rng.permutation(np.flatnonzero(guess == j))[:count]
            kept[members] = j
        hidden = rng.permutation(free[kept[free] < 0])[:_TENTATIVE_SAMPLES]
        if len(hidden):
            trials.append(Trial(kept, hidden, predict(kept)[hidden], guess[hidden]))
    return trials


def class_mean_error_ratio(X: Any, trials: list[Trial]) -> float:
    """Return how many hidden labels class means get wrong for each that the trials got wrong.

    The ratio of two error counts, nearest class mean over the trials' predictions, each with one
    error added. Above 1 the predictions (of a graph, say) know more than class means can.

    Parameters
    ----------
    X : array of shape (n_samples, n_features)
        The data.
    trials : list of Trial
        Predictions in question.

    Returns
    -------
    float
        4.0, a usual value, if there are no trials.
    """
    if not trials:
        return _UNTESTED
    trial_errors = mean_errors = 0
    for trial in trials:
        trial_errors += int((trial.predictions.argmax(axis=1) != trial.truth).sum())
        mean_errors += int((_nearest_mean(X, trial.kept, trial.hidden) != trial.truth).sum())
    return (mean_errors + 1) / (trial_errors + 1)


def _nearest_mean(X: Any, codes: np.ndarray, queries: np.ndarray) -> np.ndarray:
    """Assign each query to the class whose labelled samples have the nearest mean."""
    names = np.unique(codes[codes >= 0])
    means: Any = 0.0
    for rows in _few_rows(X, np.flatnonzero(codes >= 0)):
        share = (codes[rows] == names[:, None]) / (codes == names[:, None]).sum(axis=1)[:, None]
        means = means + from_numpy(share, template(X)) @ take(X, rows)
    length = to_numpy(array_namespace(means).sum(means * means, axis=1))
    # |x - m|^2 without |x|^2, which is the same for every class
    costs = [length - 2 * to_numpy(take(X, rows) @ means.T) for rows in _few_rows(X, queries)]
    return names[np.concatenate(costs).argmin(axis=1)]


def _few_rows(X: Any, rows: np.ndarray) -> list[np.ndarray]:
    """Cut a list of rows: few enough of X are in memory at a time."""
    size = max(1, _HELD // X.shape[1])
    return [rows[start : start + size] for start in range(0, len(rows), size)]
