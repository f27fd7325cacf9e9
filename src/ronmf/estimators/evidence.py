"""What is known before anything is fitted: a graph, and what it predicts of hidden labels."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..graph import Graph, GraphReport, Propagation
from ..graph._operator import GraphOperator
from ..labels.calibration import Calibration, calibrate_on_trials
from ..labels.hidden_labels import Trial, run_trials, tentative_trials
from ..storage._products import template

__all__ = ["Evidence", "predictor"]


@dataclass(frozen=True, eq=False)
class Evidence:
    """A graph, why it was chosen, and what it predicted of hidden labels.

    Attributes
    ----------
    graph : Graph
        The graph.
    codes : ndarray of int, shape (n_samples,)
        The labels that were known then and trusted, -1 elsewhere.
    report : GraphReport or None
        Why it was chosen; None if there was no choice.
    trials : list of Trial or None
        Predictions of hidden labels; None as long as none were made.
    tentative : tuple of Trial
        Where no label could be hidden: predictions of predictions.
    doubted : ndarray of int of shape (n_samples,), or None
        The labels that were set aside as probably wrong, -1 elsewhere; None if none were.
    label_free : Graph or None
        A graph of the samples that no label has shaped; None if `graph` is one.
    """

    graph: Graph
    codes: np.ndarray
    report: GraphReport | None = None
    trials: list[Trial] | None = None
    tentative: tuple[Trial, ...] = ()
    doubted: np.ndarray | None = None
    label_free: Graph | None = None

    def with_trials(
        self, X: Any, propagation: Propagation, rng: np.random.RandomState, report: Callable
    ) -> "Evidence":
        """Return evidence with trials of hidden labels on its graph, for all samples.

        Parameters
        ----------
        X : array of shape (n_samples, n_features)
            The data, for library and device.
        propagation : Propagation
            How labels predict.
        rng : RandomState
            Source of the splits.
        report : callable
            Called after every trial.
        """
        predict, trials = self.predictor(X, propagation), self.trials
        if trials is None:
            trials = run_trials(self.codes, predict, rng, report=report)
        tentative = []
        if not trials:
            tentative = tentative_trials(self.codes, predict(self.codes), predict, rng)
        return replace(self, trials=trials, tentative=tuple(tentative))

    def predictor(
        self, X: Any, propagation: Propagation, n_classes: int | None = None
    ) -> Callable[[np.ndarray], np.ndarray]:
        """Return what predicts all samples of the graph from some labels.

        `n_classes` is the number of classes, by default that of the labels that are known.
        """
        count = n_classes or int(self.codes.max()) + 1
        return predictor(self.graph, template(X), count, propagation)

    def with_trust_restored(
        self, X: Any, codes: np.ndarray, propagation: Propagation
    ) -> "Evidence":
        """Return evidence that trusts doubted labels again which the trusted ones predict."""
        if self.doubted is None:
            return self
        predict = self.predictor(X, propagation, int(codes.max(initial=-1)) + 1)
        found = predict(self.codes).argmax(axis=1)
        doubted = np.where(found == self.doubted, -1, self.doubted)
        return replace(self, doubted=doubted, codes=np.where(doubted >= 0, -1, codes))

    def calibration(self) -> Calibration:
        """Return how sure memberships are, by hidden labels or, without any, by predictions."""
        if self.trials:
            hidden = np.concatenate([trial.hidden for trial in self.trials])
            return calibrate_on_trials(self.trials, len(np.unique(hidden)))
        drawn = sum(int((trial.kept >= 0).sum()) for trial in self.tentative)
        return calibrate_on_trials(list(self.tentative), drawn)

    def trusted(self, codes: np.ndarray) -> np.ndarray:
        """Return given labels without those that were set aside; a changed label is a new one."""
        if self.doubted is None:
            return codes
        return np.where((self.doubted >= 0) & (codes == self.doubted), -1, codes)

    def doubts_about(self, samples: np.ndarray, codes: np.ndarray) -> np.ndarray:
        """Return `doubted` with the labels of further samples."""
        aside = np.full(len(codes), -1) if self.doubted is None else self.doubted.copy()
        aside[samples] = codes[samples]
        return aside

    def under(self, codes: np.ndarray) -> "Evidence | None":
        """Return what holds under new labels of the same classes; None: choose the graph anew.

        A chosen graph holds while no label has changed and their number has not grown by half. One
        that no label chose holds always, but its trials are made again.
        """
        if self.report is None:
            return replace(self, codes=codes, trials=None, tentative=(), doubted=None)
        old = self.codes >= 0
        grown = (self.trusted(codes) >= 0).sum() > 1.5 * old.sum()
        return self if (codes[old] == self.codes[old]).all() and not grown else None


def predictor(
    graph: Graph, like: Any, n_classes: int, propagation: Propagation
) -> Callable[[np.ndarray], np.ndarray]:
    """Return what predicts all samples of a graph from some labels, on the device of `like`."""
    operator = GraphOperator.build(graph.affinity * graph.unit_scale, like, graph.order())
    return lambda codes: propagation.predict(operator, codes, n_classes)
