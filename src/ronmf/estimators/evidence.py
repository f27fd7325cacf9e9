"""What is known before anything is fitted: a graph, and what it predicts of hidden labels."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..graph import Graph, GraphReport, Propagation
from ..graph._operator import GraphOperator
from ..graph._spectral_clusters import confusion
from ..labels.calibration import Calibration, calibrate_on_trials, calibrate_tentatively
from ..labels.hidden_labels import Trial, run_trials, tentative_trials
from ..storage._products import template

__all__ = ["Evidence", "predictor", "unit_operator"]


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
    confusion : float
        Then: how far given labels contradict clusters that no label has shaped, 0 to 1.
    doubted : ndarray of int of shape (n_samples,), or None
        The labels that were set aside as probably wrong, -1 elsewhere; None if none were.
    label_free : Graph or None
        A graph of the samples that no label has shaped; None if `graph` is one.
    propagation : Propagation
        How labels predict: as was asked for, without the class prior where graphs contradict it.
    """

    graph: Graph
    codes: np.ndarray
    report: GraphReport | None = None
    trials: list[Trial] | None = None
    tentative: tuple[Trial, ...] = ()
    confusion: float = 0.0
    doubted: np.ndarray | None = None
    label_free: Graph | None = None
    propagation: Propagation = field(default_factory=Propagation)

    def with_trials(self, X: Any, rng: np.random.RandomState, report: Callable) -> "Evidence":
        """Return evidence with trials of hidden labels on its graph, for all samples.

        A graph that labels have not chosen says now whether the class prior is believed.

        Parameters
        ----------
        X : array of shape (n_samples, n_features)
            The data, for library and device.
        rng : RandomState
            Source of the splits.
        report : callable
            Called after every trial.
        """
        propagation, trials = self.propagation, self.trials
        if self.report is None:
            ratio = propagation.cut_ratio(self._operator(X), self.codes, self.codes.max() + 1)
            propagation = propagation.believing([ratio])
        predict = replace(self, propagation=propagation).predictor(X)
        if trials is None:
            trials = run_trials(self.codes, predict, rng, report=report)
        tentative, confused = [], 0.0
        if not trials:
            tentative = tentative_trials(self.codes, predict(self.codes), predict, rng)
            W, n_classes = self.graph.affinity, int(self.codes.max()) + 1
            confused = confusion(W, self.codes, n_classes, rng)
        return replace(
            self,
            trials=trials,
            tentative=tuple(tentative),
            confusion=confused,
            propagation=propagation,
        )

    def predictor(self, X: Any, n_classes: int | None = None) -> Callable[[np.ndarray], np.ndarray]:
        """Return what predicts all samples of the graph from some labels.

        `n_classes` is the number of classes, by default that of the labels that are known.
        """
        count = n_classes or int(self.codes.max()) + 1
        return predictor(self._operator(X), count, self.propagation)

    def _operator(self, X: Any) -> GraphOperator:
        return unit_operator(self.graph, template(X))

    def with_trust_restored(self, X: Any, codes: np.ndarray) -> "Evidence":
        """Return evidence that trusts doubted labels again which the trusted ones predict."""
        if self.doubted is None:
            return self
        predict = self.predictor(X, int(codes.max(initial=-1)) + 1)
        found = predict(self.codes).argmax(axis=1)
        doubted = np.where(found == self.doubted, -1, self.doubted)
        return replace(self, doubted=doubted, codes=np.where(doubted >= 0, -1, codes))

    def calibration(self) -> Calibration:
        """Return how sure memberships are, by hidden labels or, without any, by predictions."""
        if self.trials:
            hidden = np.concatenate([trial.hidden for trial in self.trials])
            return calibrate_on_trials(self.trials, len(np.unique(hidden)))
        drawn = sum(int((trial.kept >= 0).sum()) for trial in self.tentative)
        return calibrate_tentatively(list(self.tentative), drawn, self.confusion)

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


def unit_operator(graph: Graph, like: Any) -> GraphOperator:
    """Return a graph of weights that cannot overflow, on the device of `like`."""
    return GraphOperator.build(graph.affinity * graph.unit_scale, like, graph.order())


def predictor(
    operator: GraphOperator, n_classes: int, propagation: Propagation
) -> Callable[[np.ndarray], np.ndarray]:
    """Return what predicts all samples of a graph from some labels."""
    return lambda codes: propagation.predict(operator, codes, n_classes)
