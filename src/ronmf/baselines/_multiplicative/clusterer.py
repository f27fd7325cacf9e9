"""The shell of the multiplicative methods: parameters to problem, factors to clusters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, Self

import numpy as np
from array_api_compat import array_namespace, device
from sklearn.base import _fit_context
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import StrOptions
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from ...estimators.new_samples import LinkedCoefficients
from ...estimators.progress import FitProgress
from ...estimators.shell import SemiSupervisedClusterer
from ...graph import Graph
from ...graph._graph import no_links
from ...labels.assignment import ClusterAssignment
from ...labels.class_prior import normalize_rows
from ...labels.encoding import KnownLabels, encode_labels
from ...numerics.arrays import to_numpy
from ...numerics.types import Array, Labels, Seed
from ...storage._products import nonnegative
from ...system.parameters import COUNT, NON_NEGATIVE, parameter, parameters
from .loop import TRIAL, MultiplicativeFit, Problem, minimise
from .starts import column_lengths

__all__ = ["ASSIGN", "MultiplicativeClusterer", "Representation"]

ASSIGN = StrOptions({"kmeans", "argmax"})


class NewSamples(Protocol):
    """How new samples get the numbers that training samples have."""

    def coefficients(self, X: Any, indices: np.ndarray, weights: np.ndarray) -> Any:
        """Return a row for each row of X, which is linked to training samples as given."""
        ...


@dataclass(frozen=True)
class Representation:
    """The rows by which a fit describes samples, and what they mean.

    Attributes
    ----------
    new_samples : NewSamples
        Finds the rows of new samples.
    training : array of shape (n_samples, k)
        Those of the training samples.
    to_coefficients : array of shape (k, n_components)
        Takes rows to coefficients for a basis of unit columns.
    to_scores : array of shape (k, n_clusters)
        Takes rows to one score per cluster.
    """

    new_samples: NewSamples
    training: Any
    to_coefficients: Any
    to_scores: Any

    def readable(self, rows: Any, rule: str) -> np.ndarray:
        """Return what an assignment looks at: coefficients for k-means, scores for argmax."""
        return to_numpy(rows @ (self.to_coefficients if rule == "kmeans" else self.to_scores))


def _reads_the_largest(model: MultiplicativeClusterer) -> bool:
    """Whether scores decide; a later set_params does not change how a fit is read."""
    fitted = getattr(model, "_assignment", None)
    return (model.assign if fitted is None else fitted.rule) == "argmax"


@parameters
class MultiplicativeClusterer(SemiSupervisedClusterer):
    """Clusters from a factorisation ``X ≈ V U'`` found by multiplicative updates.

    A subclass defines `_problem`, and overrides the hooks below it where it describes a sample by
    something else than a row of V, where columns of its scores stand for classes, or where it has
    more to keep.

    Parameters
    ----------
    assign : {"kmeans", "argmax"}, default="kmeans"
        How clusters are read: k-means on the rows of V (20 restarts), or the largest entry.
    n_init : int, default=10
        Starts; the best after 30 iterations goes on.
    max_iter : int, default=200
        Largest number of iterations.
    tol : float, default=0
        Stop when ten iterations lower the objective by less than this share of it; 0: run all of
        `max_iter`, as published.
    random_state : int, RandomState or None, default=None
        Seed of the starts and of k-means.

    Attributes
    ----------
    coefficients_ : array of shape (n_samples, n_components)
        V, for the basis below.
    components_ : array of shape (n_components, n_features)
        U', rows of unit length.
    n_iter_ : int
        Iterations run.
    converged_ : bool
        Whether `tol` was met.
    stop_reason_ : str
        Why the iteration ended.
    history_ : ObjectiveHistory
        The objective, every ten iterations.
    """

    assign: str = parameter(default="kmeans", allowed=ASSIGN)
    n_init: int = parameter(default=10, allowed=COUNT)
    max_iter: int = parameter(default=200, allowed=COUNT)
    tol: float = parameter(default=0.0, allowed=NON_NEGATIVE)
    random_state: Seed = parameter(default=None, allowed="random_state")

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Array, y: Labels = None) -> Self:
        """Factorise `X` and cluster its samples.

        Parameters
        ----------
        X : array of shape (n_samples, n_features), or of pictures (n_samples, height, width, ...)
            Non-negative data of any array API library; unit-length samples are meant.
        y : array-like of shape (n_samples,), default=None
            Class names of any type; -1, None or NaN marks unlabelled samples. A method without
            labels in its objective uses them to name the clusters it found.

        Returns
        -------
        estimator
            The fitted estimator.
        """
        return self._fit(X, y)

    def _fit(self, X: Any, y: Any, affinity: Any = None) -> Self:
        with self._nothing_half_written(), FitProgress(self, n_stages=2) as progress:
            X = self._validate_X(X, reset=True)
            known = encode_labels(y, X.shape[0], self.n_clusters)
            graph = self._build_graph(X, affinity, progress)
            self._factorise(nonnegative(X), known, graph, progress)
        if self.tol:
            self._warn_unless_converged(
                self.max_iter,
                "raise max_iter or tol, or set tol=0 to run all iterations without this warning",
            )
        return self

    def _build_graph(self, X: Any, affinity: Any, progress: FitProgress) -> Graph | None:
        """Return the graph of the samples, if the method has one."""
        return None

    def _problem(self, X: Any, known: KnownLabels, graph: Any) -> Problem:
        """Return the objective; `graph` is a host graph W, or None."""
        raise NotImplementedError

    def _solve(
        self, X: Any, problem: Problem, rng: np.random.RandomState, progress: Any
    ) -> MultiplicativeFit:
        """Run the loop."""
        return minimise(
            problem,
            rng,
            n_init=self.n_init,
            max_iter=self.max_iter,
            tol=self.tol,
            callback=progress,
        )

    def _max_sweeps(self) -> int:
        """Return the largest number of iterations over all starts."""
        return self.max_iter + (self.n_init - 1) * min(TRIAL, self.max_iter)

    def _representation(self, fit: MultiplicativeFit, norms: Any) -> Representation:
        """Return what describes samples, given the norms of the basis: by default rows of V."""
        V, U = fit.matrices
        scale = norms * array_namespace(V).eye(V.shape[1], dtype=V.dtype, device=device(V))
        return Representation(LinkedCoefficients(U.T, V), V, scale, scale)

    def _basis_norms(self, U: Any) -> Any:
        """Return what the columns of U are divided by at the end."""
        return column_lengths(U)

    def _keep(self, X: Any, known: KnownLabels, fit: MultiplicativeFit) -> None:
        """Set further attributes."""

    def _rank(self, known: KnownLabels) -> int:
        """Return the number of columns of V, of which argmax needs one for each cluster."""
        n_clusters = len(known.classes)
        rank = self.n_components or n_clusters
        if self.assign == "argmax" and rank != n_clusters:
            raise ValueError(
                f"assign='argmax' reads one cluster from each of n_components={rank} columns, but"
                f" there are {n_clusters} clusters; use assign='kmeans' or leave n_components None."
            )
        return rank

    def _factorise(
        self, X: Any, known: KnownLabels, graph: Graph | None, progress: FitProgress
    ) -> None:
        rng = check_random_state(self.random_state)
        for name in ("n_components", "components_per_class"):  # a method has one of them
            count = getattr(self, name, None)
            if count is not None and count > max(X.shape):
                raise ValueError(
                    f"{name}={count} is more than there are samples or features ({max(X.shape)});"
                    " lower it."
                )
        problem = self._problem(X, known, None if graph is None else graph.affinity)
        with progress.stage("sweeps", "sweep", self._max_sweeps()) as stage:
            result = self._solve(X, problem, rng, stage)
        U = result.matrices[1]
        norms = self._basis_norms(U)
        how = self._representation(result, norms)
        rows = how.readable(how.training, self.assign)
        assignment = ClusterAssignment.fit(
            rows, self.assign, known.codes, len(known.classes), rng, named=problem.named
        )

        if graph is not None:
            self.graph_ = graph
        self._how, self._assignment = how, assignment
        self.coefficients_ = how.training @ how.to_coefficients
        self.components_ = self._in_columns_of_X((U / norms).T)
        self.history_, self.n_iter_ = result.history, result.n_iter
        self.converged_, self.stop_reason_ = result.converged, result.stop_reason
        self._keep_labels(assignment.clusters(rows), known)
        self._keep(X, known, result)

    def _rows(self, X: Any) -> Any:
        """Return what describes new samples."""
        links = self.graph_.link(X) if hasattr(self, "graph_") else no_links(X)
        return self._how.new_samples.coefficients(X, *links)

    def _represent(self, X: Any) -> Any:
        return self._rows(X) @ self._how.to_coefficients

    def _readable(self, X: Any, rule: str) -> np.ndarray:
        """Return what an assignment looks at to place new samples."""
        check_is_fitted(self)
        return self._how.readable(self._rows(self._validate_X(X, reset=False)), rule)

    def predict(self, X: Array) -> np.ndarray:
        """Return the class name (an entry of ``classes_``) of each sample."""
        check_is_fitted(self)
        readable = self._readable(X, self._assignment.rule)
        return self.classes_[self._assignment.clusters(readable)]

    @available_if(_reads_the_largest)
    def predict_proba(self, X: Array) -> np.ndarray:
        """Return scores scaled to sum to one (``assign="argmax"``); columns follow ``classes_``."""
        scores = self._readable(X, "argmax")
        return normalize_rows(scores[:, np.argsort(self._assignment.numbers)])

    @property
    def _dictionary(self) -> Any:
        return self.components_
