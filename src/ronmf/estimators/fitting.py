"""A fit of RONMF: evidence, problem, solution, reading."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..admm.parameters import ADMM
from ..admm.result import Factorization
from ..admm.solver import solve
from ..labels.assignment import ClusterAssignment
from ..labels.class_prior import prior_factors
from ..labels.encoding import KnownLabels, encode_labels, read_labels
from ..numerics.arrays import from_numpy, to_numpy
from ..numerics.types import Affinity, Labels
from ..storage._products import nonnegative
from ..storage._scratch import Scratch
from .discovery import ClustersBefore, Discovery, discover
from .evidence import Evidence
from .fit_problem import FitProblem, build_fit_problem
from .graph_search import GraphSearch
from .long_fits import check_memory
from .new_samples import NewSampleModel
from .progress import FitProgress
from .reading import Reading
from .reusable import Reusable
from .settings import GraphSettings, ProblemSettings
from .unnamed import evidence_beside_unnamed
from .warm_start import PreviousFit, what_still_holds

if TYPE_CHECKING:
    from .ronmf import RONMF

__all__ = ["RONMFFit", "fit_ronmf"]


@dataclass(frozen=True, eq=False)
class RONMFFit:
    """What a fit found.

    Attributes
    ----------
    discovery : Discovery or None
        Clusters that no label has shaped, where their number was asked for.
    known : KnownLabels
        The labels that were used, and the names of the clusters.
    evidence : Evidence
        The graph, why it was chosen, and what it predicted of hidden labels.
    built : FitProblem
        What was minimised, and where that began.
    solver : ADMM
        What minimised it.
    result : Factorization
        The factors, and how they were found.
    A, Z : arrays
        Memberships and amplitudes, scaled towards the class sizes that labels suggest.
    reading : Reading
        Probabilities and outliers.
    assignment : ClusterAssignment
        How clusters are read from memberships.
    new_samples : NewSampleModel
        How new samples get memberships.
    previous : PreviousFit or None
        What a warm start goes on from.
    """

    discovery: Discovery | None
    known: KnownLabels
    evidence: Evidence
    built: FitProblem
    solver: ADMM
    result: Factorization
    A: Any
    Z: Any
    reading: Reading
    assignment: ClusterAssignment
    new_samples: NewSampleModel
    previous: PreviousFit | None


def fit_ronmf(
    model: RONMF,
    X: Any,
    y: Labels,
    affinity: Affinity | None,
    rng: np.random.RandomState,
    scratch: Scratch,
    progress: FitProgress,
) -> RONMFFit:
    """Fit RONMF to checked data.

    Parameters
    ----------
    model : RONMF
        Its parameters and its last fit are read; a last fit that is gone on from is taken away.
    X : array or StoredRows of shape (n_samples, n_features)
        The data.
    y, affinity
        As ``fit`` was given them.
    rng : RandomState
        Source of everything random.
    scratch : Scratch
        Where large arrays go.
    progress : FitProgress
        Told of every step.
    """
    graph_settings = model._graph_settings()
    previous = getattr(model, "_previous", None) if model.warm_start else None
    discovery = _discovered(model, X, y, graph_settings, affinity, previous, progress)
    wanted: Any = model.n_clusters if discovery is None else discovery.n_clusters
    given = encode_labels(y, X.shape[0], wanted)
    n_clusters = len(given.classes)
    check_memory(model, X, given.codes, n_clusters)
    parts = nonnegative(X)
    settings = ProblemSettings.check(model, n_clusters, parts.shape[1])
    keys = graph_settings.key(), settings.key()
    reusable = what_still_holds(previous, X, given, keys)

    # Which graph, and what it predicts of hidden labels
    unnamed = discovery is not None and len(discovery.unnamed) > 0
    search = GraphSearch(X, given.codes, n_clusters, graph_settings, affinity, rng, progress)
    if discovery is None or not unnamed:
        evidence = search.evidence(reusable.evidence)
        anchors = None
    elif discovery.n_named:
        evidence = evidence_beside_unnamed(discovery, search)
        anchors = evidence.codes
    else:
        evidence = discovery.evidence
        anchors = discovery.anchors(given.codes)
    known = given.trusting(evidence.trusted(given.codes))
    # Data, graph and label term with their weights, and where to start
    reusable = reusable.under(known.codes) if anchors is None else Reusable(anchors=anchors)
    with progress.stage("start", "step", 1) as stage:
        built = build_fit_problem(parts, known, evidence, settings, reusable, rng)
        stage()
    model._previous = None  # its residual changes from here on: an interrupted fit loses it
    solver = settings.solver
    with progress.stage("sweeps", "sweep", solver.max_iter) as stage:
        result = solve(built.problem, built.start, solver, scratch=scratch, callback=stage)
    # Class sizes, probabilities, outliers, clusters
    with progress.stage("results", "step", 1) as stage:
        labels = known.codes if anchors is None else anchors
        prior = _prior(evidence.propagation.class_prior, result, labels, known.n_named)
        A, Z = result.A * prior, result.Z / prior[:, None]  # their product stays
        reading = Reading.take(parts, A, A @ Z, result.U, evidence, known)
        assignment = ClusterAssignment.fit(
            to_numpy(A if model.assign == "argmax" else A @ Z),
            model.assign,
            known.codes,
            n_clusters,
            rng,
            named=True,
        )
        stage()
    new_samples = NewSampleModel.after(result, built.problem, prior, built.rule)
    if model.warm_start:  # data and residual are large: kept only for those who will use them
        previous = PreviousFit.after(X, keys, given, evidence, built, result)
        labels = assignment.clusters(to_numpy(A if model.assign == "argmax" else A @ Z))
        before = ClustersBefore(discovery, labels, known.n_named)
        previous = replace(previous, clusters=before)
    return RONMFFit(
        discovery,
        known,
        evidence,
        built,
        solver,
        result,
        A,
        Z,
        reading,
        assignment,
        new_samples,
        previous,
    )


def _discovered(
    model: RONMF,
    X: Any,
    y: Labels,
    settings: GraphSettings,
    affinity: Affinity | None,
    previous: PreviousFit | None,
    progress: FitProgress,
) -> Discovery | None:
    """Return the clusters that no label has shaped; None if their number was not asked for."""
    if model.n_clusters != "auto":
        return None
    _, codes = read_labels(np.full(X.shape[0], -1) if y is None else y, X.shape[0])
    check_memory(model, X, codes, max(2, int(codes.max(initial=-1)) + 1))  # before all work
    before = model.__dict__.pop("_clusters_before", None)
    if previous is not None:
        before = previous.clusters_of(X, settings.key())
    elif before is not None and len(before.labels) != X.shape[0]:
        before = None
    return discover(X, codes, settings, affinity, before, progress)


def _prior(kind: str | None, result: Factorization, codes: np.ndarray, n_named: int) -> Any:
    """Return what memberships are multiplied by: one number for each cluster."""
    factors = np.ones(result.A.shape[1])
    if kind == "labels" and n_named:
        factors = prior_factors(to_numpy(result.A), codes)
    return from_numpy(factors, result.A)
