"""Evidence on very many samples: a part of them chooses the graph, the labels of all judge it."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ..graph._consensus_graph import ConsensusGraph
from ..graph.selection.compared import stratified
from ..graph.selection.spreading import spread_graph
from ..labels.hidden_labels import MOST_TRIALS, Trial, run_trials
from ..labels.wrong_labels import check_labels
from ..numerics.arrays import to_numpy
from ..storage._products import take
from .evidence import Evidence
from .progress import FitProgress
from .settings import GraphSettings

__all__ = ["MANY", "SAMPLE", "evidence_of_many"]

MANY = 100_000
"""Samples from which the graph is chosen on a part of them."""
SAMPLE = 20_000
"""So many of them."""
_LABELS, _PER_CLASS = 1500, 5  # labels in it, and of every class, where there are so many
_ENOUGH = 50  # labels outside the sample that can judge


def evidence_of_many(
    X: Any,
    codes: np.ndarray,
    settings: GraphSettings,
    rng: np.random.RandomState,
    progress: FitProgress,
    gather: Callable[[Any, np.ndarray], Evidence],
) -> Evidence:
    """Return the graph of all samples, chosen on 20,000 of them with up to 1500 labels.

    So many labels are as far apart along the classes as those of all, nearly; as few as the
    sample's share of them would choose graphs that suit few samples (docs/million.md). Labels
    outside the sample have shaped nothing. They are hidden in turn to tell how good the graph of
    all samples is, and are set aside where the others contradict them.

    Parameters
    ----------
    X : array or StoredRows of shape (n_samples, n_features)
        The data.
    codes : ndarray of int, shape (n_samples,)
        Known classes, -1 where unlabelled.
    settings : GraphSettings
        How to find the graph.
    rng : RandomState
        Source of the sample and of the splits.
    progress : FitProgress
        Told of every part of the graph.
    gather : callable
        ``(X, codes) -> Evidence`` on the sample.
    """
    rows = _sample(codes, rng)
    small = gather(to_numpy(take(X, rows)), codes[rows])
    graph = small.graph
    if not isinstance(graph, ConsensusGraph) or small.report is None:
        raise TypeError("only a graph that was chosen can be made of other samples")
    with progress.stage("neighbors", "graph", len(graph.parts)) as stage:
        whole = spread_graph(graph, X, settings.heat_width, stage)
    reason = f"Chosen on {len(rows)} of {len(codes)} samples: {small.report.reason}"
    doubted = None if small.doubted is None else _of_all(small.doubted, rows, len(codes))
    trusted = codes if doubted is None else np.where(doubted >= 0, -1, codes)
    found = Evidence(whole, trusted, replace(small.report, reason=reason), doubted=doubted)
    outside = trusted.copy()
    outside[rows] = -1
    if (outside >= 0).sum() < _ENOUGH or codes.max() < 1:
        trials = [_trial_of_all(trial, rows, len(codes)) for trial in small.trials or []]
        tentative = tuple(_trial_of_all(trial, rows, len(codes)) for trial in small.tentative)
        return replace(found, trials=trials, tentative=tentative)
    with progress.stage("hidden labels", "trial", MOST_TRIALS) as stage:
        predict = found.predictor(X, int(codes.max()) + 1, settings)
        trials = run_trials(trusted, predict, rng, outside, report=stage)
    wrong = check_labels(trusted, trials) if settings.check_labels else np.zeros(0, dtype=int)
    if len(wrong):
        doubted = found.doubts_about(wrong, codes)
        trusted = np.where(doubted >= 0, -1, codes)
        trials = [_without(trial, wrong) for trial in trials]
    return replace(found, codes=trusted, doubted=doubted, trials=trials)


def _sample(codes: np.ndarray, rng: np.random.RandomState) -> np.ndarray:
    """Draw samples: labelled ones, of every class the same share, and others."""
    count = (codes >= 0).sum()
    share = max(SAMPLE / len(codes), min(1.0, _LABELS / max(1, count)))
    if count >= 3 * _ENOUGH:  # some stay outside, to judge the graph of all samples
        share = min(share, 2 / 3)
    labelled = stratified(codes, share, _PER_CLASS, rng)
    free = rng.permutation(np.flatnonzero(codes < 0))[: max(0, SAMPLE - len(labelled))]
    others = np.setdiff1d(np.flatnonzero(codes >= 0), labelled)
    lack = max(0, SAMPLE - len(labelled) - len(free))
    return np.sort(np.concatenate([labelled, free, rng.permutation(others)[:lack]]))


def _of_all(values: np.ndarray, rows: np.ndarray, n: int) -> np.ndarray:
    found = np.full(n, -1)
    found[rows] = values
    return found


def _trial_of_all(trial: Trial, rows: np.ndarray, n: int) -> Trial:
    return replace(trial, kept=_of_all(trial.kept, rows, n), hidden=rows[trial.hidden])


def _without(trial: Trial, wrong: np.ndarray) -> Trial:
    """Return a trial without labels that are wrong, among the kept and the hidden."""
    kept, right = trial.kept.copy(), ~np.isin(trial.hidden, wrong)
    kept[wrong] = -1
    return Trial(kept, trial.hidden[right], trial.predictions[right], trial.truth[right])
