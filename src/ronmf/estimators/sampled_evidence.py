"""Evidence on very many samples: a part of them chooses the graph, the labels of all judge it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ..graph._consensus_graph import ConsensusGraph
from ..graph.selection.blend import spread_graphs
from ..graph.selection.folds import stratified
from ..labels.hidden_labels import MOST_TRIALS, Trial, run_trials
from ..labels.wrong_labels import check_labels
from ..numerics.arrays import to_numpy
from ..storage._products import take
from .evidence import Evidence

if TYPE_CHECKING:
    from .graph_search import GraphSearch

__all__ = ["MANY", "SAMPLE", "SampledSearch", "sampled_rows"]

MANY = 100_000
"""Samples from which the graph is chosen on a part of them."""
SAMPLE = 20_000
"""So many of them."""
_LABELS, _PER_CLASS = 1500, 5  # labels in it, and of every class, where there are so many
_ENOUGH = 50  # labels outside the sample that can judge


@dataclass(frozen=True, eq=False)
class SampledSearch:
    """The search for a graph of all samples, chosen on 20,000 of them with up to 1500 labels.

    So many labels are as far apart along the classes as those of all, nearly; as few as the
    sample's share of them would choose graphs that suit few samples (docs/million.md). Labels
    outside the sample have shaped nothing. They are hidden in turn to tell how good the graph of
    all samples is, and are set aside where the others contradict them.

    Attributes
    ----------
    of_all : GraphSearch
        What is looked for.
    """

    of_all: GraphSearch

    def evidence(self) -> Evidence:
        """Return the graph of all samples with trials of hidden labels."""
        every = self.of_all
        codes, n = every.codes, len(every.codes)
        rows = sampled_rows(codes, every.rng)
        some = to_numpy(take(every.X, rows))
        # Of all samples a view's coordinates would not fit into memory.
        small = replace(every, X=some, codes=codes[rows], views=False).evidence()
        if not isinstance(small.graph, ConsensusGraph) or small.report is None:
            raise TypeError("only a graph that was chosen can be made of other samples")
        graphs = [small.graph]
        if isinstance(small.label_free, ConsensusGraph):
            graphs.append(small.label_free)
        n_parts = len({id(part.graph) for graph in graphs for part in graph.parts})
        with every.progress.stage("neighbors", "graph", n_parts) as stage:
            whole, *free = spread_graphs(graphs, every.X, every.settings.edges, stage)
        reason = f"Chosen on {len(rows)} of {n} samples: {small.report.reason}"
        doubted = None if small.doubted is None else _of_all(small.doubted, rows, n)
        trusted = codes if doubted is None else np.where(doubted >= 0, -1, codes)
        report = replace(small.report, reason=reason)
        label_free = free[0] if free else None
        found = Evidence(
            whole,
            trusted,
            report,
            confusion=small.confusion,
            doubted=doubted,
            label_free=label_free,
            propagation=small.propagation,
        )
        outside = trusted.copy()
        outside[rows] = -1
        if (outside >= 0).sum() < _ENOUGH or codes.max() < 1:
            trials = [_trial_of_all(trial, rows, n) for trial in small.trials or []]
            tentative = tuple(_trial_of_all(trial, rows, n) for trial in small.tentative)
            return replace(found, trials=trials, tentative=tentative)
        return self._judged(found, outside)

    def _judged(self, found: Evidence, outside: np.ndarray) -> Evidence:
        """Return evidence with trials of labels that have shaped nothing, and doubts about them."""
        every, codes = self.of_all, self.of_all.codes
        with every.progress.stage("hidden labels", "trial", MOST_TRIALS) as stage:
            predict = found.predictor(every.X, int(codes.max()) + 1)
            trials = run_trials(found.codes, predict, every.rng, outside, report=stage)
        if every.settings.check_labels and len(wrong := check_labels(found.codes, trials)):
            doubted = found.doubts_about(wrong, codes)
            trusted = np.where(doubted >= 0, -1, codes)
            found = replace(found, codes=trusted, doubted=doubted)
            trials = [_without(trial, wrong) for trial in trials]
        found = replace(found, trials=trials)
        return found.with_trust_restored(every.X, codes)


def sampled_rows(codes: np.ndarray, rng: np.random.RandomState) -> np.ndarray:
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
