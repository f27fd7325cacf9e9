"""Find the graph, let hidden labels judge it, and set labels aside that the others contradict."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ..graph import GivenGraph, Graph, choose_graph, neighbor_graph
from ..labels.hidden_labels import MOST_TRIALS
from ..labels.wrong_labels import check_labels
from ..numerics.memory import allowed_bytes
from ..numerics.pictures import picture_shape
from ..storage._rows import StoredRows
from ..system.platform import memory
from .evidence import Evidence
from .progress import FitProgress
from .sampled_evidence import MANY, evidence_of_many
from .settings import GraphSettings

__all__ = ["evidence_stages", "find_graph", "gather_evidence", "given_graph"]

_PLAIN_SHARE = 0.3  # of the memory that a copy of stored data may take
_CHECKS = 3  # rounds in which wrong labels are looked for: each sees more, with fewer of them about


def evidence_stages(check_labels: bool) -> int:
    """Return how many stages `gather_evidence` has, at most.

    A graph is found, and one that labels did not choose is then judged by hidden ones. After every
    check of the labels it is chosen, or judged, anew. Of very many samples it is made of all of
    them in the end, and judged.
    """
    return 2 + _CHECKS * check_labels + 2


def _chosen_on_part(n_samples: int, settings: GraphSettings) -> bool:
    """Whether samples are so many that the graph is chosen on a part of them."""
    return n_samples > MANY and settings.graph not in ("plain", "precomputed")


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
        held = held.with_trials(X, held.codes, settings, rng, progress)
        if not settings.check_labels:
            return held
        return _with_new_labels(held, X, codes, settings, rng, progress)
    if held is None and _chosen_on_part(len(codes), settings):
        _check_settings(X, settings, affinity)

        def gather(some: Any, known: np.ndarray) -> Evidence:
            return gather_evidence(some, known, n_clusters, settings, None, None, rng, progress)

        return evidence_of_many(X, codes, settings, rng, progress, gather)
    if held is None:
        held = find_graph(X, codes, n_clusters, settings, affinity, rng, progress)
    evidence = held.with_trials(X, codes, settings, rng, progress)
    for _ in range(_CHECKS if settings.check_labels else 0):
        doubted = check_labels(evidence.codes, evidence.trials or [])
        if not len(doubted):
            break
        aside = evidence.doubts_about(doubted, codes)
        trusted = np.where(aside >= 0, -1, codes)
        if evidence.report is None:  # no label chose the graph
            evidence = replace(evidence, codes=trusted, trials=None, tentative=())
        else:
            evidence = find_graph(
                X, trusted, n_clusters, settings, affinity, rng, progress, every_label=True
            )
        evidence = replace(evidence, doubted=aside)
        evidence = evidence.with_trials(X, trusted, settings, rng, progress)
    return evidence.acquitted(X, codes, settings)


def _with_new_labels(
    held: Evidence,
    X: Any,
    codes: np.ndarray,
    settings: GraphSettings,
    rng: np.random.RandomState,
    progress: FitProgress,
) -> Evidence:
    """Return evidence whose graph and trials still hold, with doubts about labels that came since.

    The new labels have shaped nothing of it, so the graph as it is can judge them.
    """
    trusted = held.trusted(codes)
    new = (trusted >= 0) & (held.codes < 0)
    if not new.any():
        return held
    asked = replace(held, trials=None, tentative=())
    asked = asked.with_trials(X, trusted, settings, rng, progress)
    doubted = check_labels(trusted, asked.trials or [])
    return replace(held, doubted=held.doubts_about(doubted[new[doubted]], codes))


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
    _check_settings(X, settings, affinity)
    find = _FINDERS[settings.graph if isinstance(settings.graph, str) else "auto"]
    graph, *told = find(X, codes, n_clusters, settings, affinity, rng, progress, every_label)
    return Evidence(graph, codes, *told)


def _check_settings(X: Any, settings: GraphSettings, affinity: Any) -> None:
    """Refuse what does not go together."""
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


def given_graph(X: Any, affinity: Any) -> Graph:
    """Return the graph that ``fit`` was given, checked."""
    if affinity is None:
        raise ValueError("graph='precomputed' needs the graph: call fit(X, y, affinity=W).")
    return GivenGraph.check(affinity, X.shape[0])


def _take(
    X: Any,
    codes: np.ndarray,
    n_clusters: int,
    settings: GraphSettings,
    affinity: Any,
    rng: np.random.RandomState,
    progress: FitProgress,
    every_label: bool,
) -> tuple:
    with progress.stage("graph", "graph", 1) as stage:
        graph = given_graph(X, affinity)
        stage()
    return (graph,)


def _build(
    X: Any,
    codes: np.ndarray,
    n_clusters: int,
    settings: GraphSettings,
    affinity: Any,
    rng: np.random.RandomState,
    progress: FitProgress,
    every_label: bool,
) -> tuple:
    if isinstance(X, StoredRows):
        size = X.shape[0] * X.shape[1] * X.dtype.itemsize
        if size > allowed_bytes(_PLAIN_SHARE, int(_PLAIN_SHARE * min(memory(), 2**62))):
            raise ValueError(
                f"graph='plain' needs all of X in memory, {size / 2**30:.2g} GiB, which is too much"
                " here; use graph='auto' or a GraphRecipe."
            )
        X = X.take(np.arange(X.shape[0]))
    weights, width = settings.edge_weights, settings.heat_width
    with progress.stage("graph", "graph", 1) as stage:
        graph = neighbor_graph(X, settings.n_neighbors, weights=weights, heat_width=width)
        stage()
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
