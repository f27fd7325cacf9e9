"""A fit of RONMF: evidence, problem, solution, reading."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..admm.parameters import ADMM
from ..admm.result import Factorization
from ..admm.solver import solve
from ..graph._count import ClusterCount
from ..labels.assignment import ClusterAssignment
from ..labels.class_prior import prior_factors
from ..labels.encoding import KnownLabels, encode_labels
from ..numerics.arrays import from_numpy, to_numpy
from ..numerics.types import Affinity, Labels
from ..storage._products import nonnegative
from ..storage._scratch import Scratch
from .cluster_count import number_of_clusters
from .evidence import Evidence
from .fit_problem import FitProblem, build_fit_problem
from .graph_search import GraphSearch
from .long_fits import check_memory
from .new_samples import NewSampleModel
from .progress import FitProgress
from .reading import Reading
from .settings import ProblemSettings
from .warm_start import PreviousFit, what_still_holds

if TYPE_CHECKING:
    from .ronmf import RONMF

__all__ = ["RONMFFit", "fit_ronmf"]


@dataclass(frozen=True, eq=False)
class RONMFFit:
    """What a fit found.

    Attributes
    ----------
    count : ClusterCount or None
        Why there are so many clusters, where that was asked.
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

    count: ClusterCount | None
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
    wanted, count = number_of_clusters(
        model.n_clusters, X, y, graph_settings, affinity, rng, progress
    )
    given = encode_labels(y, X.shape[0], wanted)
    n_clusters = len(given.classes)
    check_memory(model, X, given.codes, n_clusters)
    parts = nonnegative(X)
    settings = ProblemSettings.check(model, n_clusters, parts.shape[1])
    keys = graph_settings.key(), settings.key()
    previous = getattr(model, "_previous", None) if model.warm_start else None
    reusable = what_still_holds(previous, X, given, keys)

    # Which graph, and what it predicts of hidden labels
    search = GraphSearch(X, given.codes, n_clusters, graph_settings, affinity, rng, progress)
    evidence = search.evidence(reusable.evidence)
    known = given.trusting(evidence.trusted(given.codes))
    # Data, graph and label term with their weights, and where to start
    reusable = reusable.under(known.codes)
    with progress.stage("start", "step", 1) as stage:
        built = build_fit_problem(parts, known, evidence, settings, reusable, rng)
        stage()
    model._previous = None  # its residual changes from here on: an interrupted fit loses it
    solver = settings.solver
    with progress.stage("sweeps", "sweep", solver.max_iter) as stage:
        result = solve(built.problem, built.start, solver, scratch=scratch, callback=stage)
    # Class sizes, probabilities, outliers, clusters
    with progress.stage("results", "step", 1) as stage:
        prior = _prior(evidence.propagation.class_prior, result, known)
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
    return RONMFFit(
        count,
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


def _prior(kind: str | None, result: Factorization, known: KnownLabels) -> Any:
    """Return what memberships are multiplied by: one number for each cluster."""
    factors = np.ones(len(known.classes))
    if kind == "labels":
        factors = prior_factors(to_numpy(result.A), known.codes)
    return from_numpy(factors, result.A)
