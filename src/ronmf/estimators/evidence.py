"""What the data and the given labels say before anything is fitted: the graph, and its trials."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..graph import (
    GivenGraph,
    Graph,
    GraphReport,
    choose_graph,
    neighbor_graph,
)
from ..graph._operator import GraphOperator
from ..labels.calibration import Calibration, calibrate_on_trials
from ..labels.class_prior import apply_class_prior
from ..labels.hidden_labels import MOST_TRIALS, Trial, run_trials, tentative_trials
from ..labels.wrong_labels import check_labels
from ..numerics.arrays import to_numpy
from ..numerics.pictures import picture_shape
from .progress import FitProgress
from .settings import GraphSettings

__all__ = ["MOST_CONTESTS", "Evidence", "find_graph", "gather_evidence", "given_graph"]

_TOLERANCE = 1e-4  # of predictions of hidden labels
_CHECKS = 3  # rounds in which wrong labels are looked for: each sees more, with fewer of them about
MOST_CONTESTS = 1 + _CHECKS
"""How many times a graph is chosen in a fit, at most."""


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
    """

    graph: Graph
    codes: np.ndarray
    report: GraphReport | None = None
    trials: list[Trial] | None = None
    tentative: tuple[Trial, ...] = ()
    doubted: np.ndarray | None = None

    def with_trials(
        self, X: Any, codes: np.ndarray, settings: GraphSettings, rng: np.random.RandomState
    ) -> "Evidence":
        """Return evidence with trials: those that chose the graph, or new ones on all samples.

        Parameters
        ----------
        X : array of shape (n_samples, n_features)
            The data, for library and device.
        codes : ndarray of int, shape (n_samples,)
            Known classes, -1 where unlabelled. No other label is used.
        settings : GraphSettings
            Of the propagation that predicts.
        rng : RandomState
            Source of the splits.
        """
        if self.trials or self.tentative:
            return self
        n_classes = int(codes.max(initial=-1)) + 1
        if n_classes < 2:  # there is nothing to tell apart
            return replace(self, trials=[])
        predict = self._predictor(X, n_classes, settings)
        trials = self.trials
        if trials is None:
            trials = run_trials(codes, predict, rng)
        tentative = [] if trials else tentative_trials(codes, predict(codes), predict, rng)
        return replace(self, trials=trials, tentative=tuple(tentative))

    def _predictor(
        self, X: Any, n_classes: int, settings: GraphSettings
    ) -> Callable[[np.ndarray], np.ndarray]:
        """Return what predicts all samples from some labels."""
        operator = GraphOperator.build(self.graph.affinity * self.graph.unit_scale, X)

        def predict(kept: np.ndarray) -> np.ndarray:
            A = operator.propagate(kept, n_classes, settings.label_weight, tol=_TOLERANCE)
            return apply_class_prior(to_numpy(A), kept, settings.class_prior)

        return predict

    def acquitted(self, X: Any, codes: np.ndarray, settings: GraphSettings) -> "Evidence":
        """Return evidence that trusts doubted labels again which the trusted ones predict."""
        if self.doubted is None:
            return self
        n_classes = int(codes.max(initial=-1)) + 1
        found = self._predictor(X, n_classes, settings)(self.codes).argmax(axis=1)
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


def gather_evidence(
    X: Any,
    codes: np.ndarray,
    n_clusters: int,
    settings: GraphSettings,
    affinity: Any,
    held: Evidence | None,
    rng: np.random.RandomState,
    progress: FitProgress,
) -> Evidence:
    """Return a graph with trials of hidden labels; `held` is evidence that still holds, if any.

    Labels that the trials contradict are set aside, where `settings` ask for it, and the graph is
    found without them. The other parameters are those of :func:`find_graph`.
    """
    if held is not None and held.trials is not None:
        return held.with_trials(X, held.codes, settings, rng)
    if held is None:
        held = find_graph(X, codes, n_clusters, settings, affinity, rng, progress)
    evidence = held.with_trials(X, codes, settings, rng)
    for _ in range(_CHECKS if settings.check_labels else 0):
        doubted = check_labels(evidence.codes, evidence.trials or [])
        if not len(doubted):
            break
        aside = np.full(len(codes), -1) if evidence.doubted is None else evidence.doubted.copy()
        aside[doubted] = codes[doubted]
        trusted = np.where(aside >= 0, -1, codes)
        if evidence.report is None:  # no label chose the graph
            evidence = replace(evidence, codes=trusted, trials=None, tentative=())
        else:
            evidence = find_graph(
                X, trusted, n_clusters, settings, affinity, rng, progress, every_label=True
            )
        evidence = replace(evidence, doubted=aside).with_trials(X, trusted, settings, rng)
    return evidence.acquitted(X, codes, settings)


def find_graph(
    X: Any,
    codes: np.ndarray,
    n_clusters: int,
    settings: GraphSettings,
    affinity: Any,
    rng: np.random.RandomState,
    progress: FitProgress,
    every_label: bool = False,
) -> Evidence:
    """Return the graph that was given, or that of X, or the one that hidden labels choose.

    Parameters
    ----------
    X : array of shape (n_samples, n_features)
        The data.
    codes : ndarray of int, shape (n_samples,)
        Known classes, -1 where unlabelled.
    n_clusters : int
        Number of clusters, labelled or not.
    settings : GraphSettings
        How to find it.
    affinity : array, sparse matrix or None
        What ``fit`` was given.
    rng : RandomState
        Source of the splits.
    progress : FitProgress
        Told of every candidate.
    every_label : bool, default=False
        See :func:`ronmf.graph.choose_graph`.
    """
    if settings.image_shape is not None:
        picture_shape("graph", settings.image_shape, X.shape[1])
    if settings.heat_width is not None and settings.edge_weights != "heat":
        raise ValueError(
            f"heat_width={settings.heat_width} is for edge_weights='heat', but edge_weights="
            f"{settings.edge_weights!r}; leave one of them out."
        )
    if affinity is not None and settings.graph != "precomputed":
        raise ValueError(
            f"fit was given an affinity matrix but graph={settings.graph!r}; set"
            " graph='precomputed' to use it."
        )
    find = _FINDERS[settings.graph if isinstance(settings.graph, str) else "auto"]
    graph, *told = find(X, codes, n_clusters, settings, affinity, rng, progress, every_label)
    return Evidence(graph, codes, *told)


def given_graph(X: Any, affinity: Any) -> Graph:
    """Return the graph that ``fit`` was given, checked."""
    if affinity is None:
        raise ValueError("graph='precomputed' needs the graph: call fit(X, y, affinity=W).")
    return GivenGraph.check(affinity, X.shape[0])


def _take(
    X: Any, codes: np.ndarray, n_clusters: int, _: GraphSettings, affinity: Any, *rest: Any
) -> tuple:
    return (given_graph(X, affinity),)


def _build(
    X: Any, codes: np.ndarray, n_clusters: int, settings: GraphSettings, *rest: Any
) -> tuple:
    graph = neighbor_graph(
        X, settings.n_neighbors, weights=settings.edge_weights, heat_width=settings.heat_width
    )
    return (graph,)


def _choose(
    X: Any,
    codes: np.ndarray,
    n_clusters: int,
    settings: GraphSettings,
    _: Any,
    rng: np.random.RandomState,
    progress: FitProgress,
    every_label: bool,
) -> tuple:
    recipes = settings.recipes(X)
    with progress.stage("graph", "candidate", len(recipes) + 1 + MOST_TRIALS) as stage:
        chosen = choose_graph(
            X,
            codes,
            recipes,
            n_clusters=n_clusters,
            n_neighbors=settings.n_neighbors,
            weights=settings.edge_weights,
            heat_width=settings.heat_width,
            label_weight=settings.label_weight,
            class_prior=settings.class_prior,
            every_label=every_label,
            rng=rng,
            report=stage,
        )
    return chosen.graph, chosen.report, chosen.trials, tuple(chosen.tentative)


_FINDERS: dict[str, Callable[..., tuple]] = {
    "precomputed": _take,
    "plain": _build,
    "auto": _choose,
}
