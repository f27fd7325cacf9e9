"""Find the graph, let hidden labels judge it, and set labels aside that the others contradict."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..graph import GivenGraph, Graph, GraphRequest, choose_graph
from ..labels.hidden_labels import MOST_TRIALS
from ..labels.wrong_labels import check_labels, doubts_pay
from ..numerics.memory import allowed_bytes
from ..storage._rows import StoredRows
from ..system.platform import memory
from .evidence import Evidence
from .progress import FitProgress
from .sampled_evidence import MANY, SampledSearch
from .settings import GraphSettings
from .shared_graphs import shared

__all__ = ["GraphSearch", "evidence_stages", "given_graph"]

_PLAIN_SHARE = 0.3  # of the memory that a copy of stored data may take
_CHECKS = 3  # rounds in which wrong labels are looked for: each sees more, with fewer of them about


def evidence_stages(check_labels: bool) -> int:
    """Return how many stages the search for evidence has, at most.

    A graph is found, and one that labels did not choose is then judged by hidden ones. After every
    check of the labels it is chosen, or judged, anew. Of very many samples it is made of all of
    them in the end, and judged.
    """
    return 2 + _CHECKS * check_labels + 2


@dataclass(frozen=True, eq=False)
class GraphSearch:
    """All that the search for a graph needs.

    Attributes
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
    views : bool
        Whether a linear view may stand beside a chosen graph.
    """

    X: Any
    codes: np.ndarray
    n_clusters: int
    settings: GraphSettings
    affinity: Any
    rng: np.random.RandomState
    progress: FitProgress
    views: bool = True

    def evidence(self, earlier: Evidence | None = None) -> Evidence:
        """Return a graph with trials of hidden labels.

        Labels that the trials contradict are set aside, where the settings ask for it, and the
        graph is found without them.

        Parameters
        ----------
        earlier : Evidence, default=None
            What still holds of an earlier fit.
        """
        self.settings.check(self.X, self.affinity)
        if earlier is not None and earlier.trials is not None:
            return self._with_new_labels(self._tried(earlier))
        if earlier is None and len(self.codes) > MANY and self.settings.chosen:
            return SampledSearch(self).evidence()
        evidence = self._tried(self.find() if earlier is None else earlier)
        for _ in range(_CHECKS if self.settings.check_labels else 0):
            doubted = check_labels(evidence.codes, evidence.trials or [])
            if not len(doubted):
                break
            aside = evidence.doubts_about(doubted, self.codes)
            trusted = replace(self, codes=np.where(aside >= 0, -1, self.codes))
            if evidence.report is None:  # no label chose the graph
                found = replace(evidence, codes=trusted.codes, trials=None, tentative=())
            else:
                found = trusted.find(every_label=True)
            found = trusted._tried(replace(found, doubted=aside))
            predicted = found.predictor(self.X, int(self.codes.max()) + 1)(trusted.codes)[doubted]
            trials, n_aside = (evidence.trials or [], found.trials or []), int((aside >= 0).sum())
            if not doubts_pay(*trials, doubted, predicted, n_aside):
                break
            evidence = found
        return evidence.with_trust_restored(self.X, self.codes)

    def find(self, every_label: bool = False) -> Evidence:
        """Return the graph that was given, or that of X, or the one that hidden labels choose.

        Parameters
        ----------
        every_label : bool, default=False
            Whether every label that can be is hidden in some fold on all samples.
        """
        self.settings.check(self.X, self.affinity)
        if not self.settings.chosen:
            return self._given_or_plain()
        candidates = self.settings.recipes(self.X)
        with shared(self._all_that_decides(every_label), self.rng) as search:
            if search.result is None:
                steps = len(candidates) + 1 + MOST_TRIALS
                with self.progress.stage("graph", "candidate", steps) as stage:
                    chosen = choose_graph(self._request(every_label, stage), candidates)
                trials, tentative = chosen.trials, tuple(chosen.tentative)
                search.result = Evidence(
                    chosen.graph,
                    self.codes,
                    chosen.report,
                    trials,
                    tentative,
                    chosen.confusion,
                    label_free=chosen.label_free,
                    propagation=chosen.propagation,
                )
        return search.result

    def _request(self, every_label: bool, report: Callable[[], Any]) -> GraphRequest:
        return GraphRequest(
            self.X,
            self.codes,
            self.n_clusters,
            self.settings.edges,
            self.settings.propagation,
            every_label,
            self.views,
            self.rng,
            report,
        )

    def _all_that_decides(self, every_label: bool) -> tuple | None:
        """Return what an equal choice has in common, but for the random state; None: no other has.

        Strides are in it: sums of pixels that lie otherwise in memory are rounded otherwise.
        """
        if not isinstance(self.X, np.ndarray) or self.settings.candidates != "auto":
            return None
        settings = replace(self.settings, check_labels=False).key()
        return (
            self.X,
            self.X.strides,
            self.codes,
            self.n_clusters,
            settings,
            every_label,
            self.views,
        )

    def _given_or_plain(self) -> Evidence:
        """Return the graph that no label has a part in."""
        with self.progress.stage("graph", "graph", 1) as stage:
            if self.settings.candidates == "precomputed":
                graph = given_graph(self.X, self.affinity)
            else:
                graph = self.settings.edges.join(_in_memory(self.X))
            stage()
        return Evidence(graph, self.codes, propagation=self.settings.propagation)

    def _tried(self, evidence: Evidence) -> Evidence:
        """Return evidence with trials on its graph, if the choice made none."""
        if evidence.trials or evidence.tentative:
            return evidence
        if evidence.codes.max(initial=-1) < 1:  # there is nothing to tell apart
            return replace(evidence, trials=[])
        with self.progress.stage("hidden labels", "trial", MOST_TRIALS) as stage:
            return evidence.with_trials(self.X, self.rng, stage)

    def _with_new_labels(self, earlier: Evidence) -> Evidence:
        """Return evidence whose graph and trials still hold, with doubts about labels since then.

        The new labels have shaped nothing of it, so the graph as it is can judge them.
        """
        trusted = earlier.trusted(self.codes)
        new = (trusted >= 0) & (earlier.codes < 0)
        if not (self.settings.check_labels and new.any()):
            return earlier
        judged = self._tried(replace(earlier, codes=trusted, trials=None, tentative=()))
        doubted = check_labels(trusted, judged.trials or [])
        return replace(earlier, doubted=earlier.doubts_about(doubted[new[doubted]], self.codes))


def given_graph(X: Any, affinity: Any) -> Graph:
    """Return the graph that ``fit`` was given, checked."""
    if affinity is None:
        raise ValueError("graph='precomputed' needs the graph: call fit(X, y, affinity=W).")
    return GivenGraph.check(affinity, X.shape[0])


def _in_memory(X: Any) -> Any:
    """Return all of X as an array, for a plain graph."""
    if not isinstance(X, StoredRows):
        return X
    size = X.shape[0] * X.shape[1] * X.dtype.itemsize
    if size > allowed_bytes(_PLAIN_SHARE, int(_PLAIN_SHARE * min(memory(), 2**62))):
        raise ValueError(
            f"graph='plain' needs all of X in memory, {size / 2**30:.2g} GiB, which is too much"
            " here; use graph='auto' or a GraphRecipe."
        )
    return X.take(np.arange(X.shape[0]))
