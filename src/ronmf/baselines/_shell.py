"""The shell of the multiplicative methods: parameters to problem, factors to clusters."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, ClassVar, Protocol, Self

import numpy as np
from array_api_compat import array_namespace, device
from sklearn.base import _fit_context
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from ..estimators.new_samples import LinkedCoefficients
from ..estimators.progress import FitProgress
from ..estimators.shell import SemiSupervisedClusterer
from ..graph import Graph
from ..graph._graph import no_links
from ..labels.assignment import ClusterAssignment
from ..labels.class_prior import normalize_rows
from ..labels.encoding import KnownLabels, encode_labels
from ..multiplicative.loop import TRIAL, MultiplicativeFit, Problem, minimise
from ..numerics.arrays import to_numpy
from ..numerics.types import Array, Labels, Seed

__all__ = ["NON_NEGATIVE", "MultiplicativeClusterer", "Representation"]

NON_NEGATIVE = Interval(Real, 0, None, closed="left")


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


class MultiplicativeClusterer(SemiSupervisedClusterer):
    """Clusters from a factorisation ``X ≈ V U'`` found by multiplicative updates.

    A subclass defines `_problem`, and overrides the hooks below it where it describes a sample by
    something else than a row of V, where columns of its scores stand for classes, or where it has
    more to keep.
    """

    n_clusters: int | None
    n_components: int | None
    assign: str
    n_init: int
    max_iter: int
    tol: float
    random_state: Seed
    graph_: Graph
    _how: Representation
    _assignment: ClusterAssignment

    _loop_constraints: ClassVar[dict] = {
        "n_clusters": [Interval(Integral, 1, None, closed="left"), None],
        "assign": [StrOptions({"kmeans", "argmax"})],
        "n_init": [Interval(Integral, 1, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [NON_NEGATIVE],
        "random_state": ["random_state"],
    }
    _parameter_constraints: ClassVar[dict] = {
        **_loop_constraints,
        "n_components": [Interval(Integral, 1, None, closed="left"), None],
    }

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        n_components: int | None = None,
        assign: str = "kmeans",
        n_init: int = 10,
        max_iter: int = 200,
        tol: float = 0.0,
        random_state: Seed = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_components = n_components
        self.assign = assign
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

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
        with self._nothing_half_written(), FitProgress(self, n_stages=1) as progress:
            X = self._validate_X(X, reset=True)
            known = encode_labels(y, X.shape[0], self.n_clusters)
            self._factorise(X, known, None, progress)
        self._warn_if_cut_short()
        return self

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

    def _scores_are_named(self) -> bool:
        """Whether the objective ties column j of the scores to class j."""
        return False

    def _basis_norms(self, U: Any) -> Any:
        """Return what the columns of U are divided by at the end: their lengths."""
        xp = array_namespace(U)
        norms = xp.sqrt(xp.sum(U * U, axis=0))
        return xp.where(norms > 0, norms, 1.0)

    def _keep(self, X: Any, known: KnownLabels, fit: MultiplicativeFit) -> None:
        """Set further attributes."""

    def _columns(self, n_clusters: int) -> int:
        return n_clusters if self.n_components is None else self.n_components

    def _rank(self, n_clusters: int) -> int:
        """Return the number of columns of V, of which argmax needs one for each cluster."""
        rank = self._columns(n_clusters)
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
        how, named = self._representation(result, norms), self._scores_are_named()
        rows = how.readable(how.training, self.assign)
        assignment = ClusterAssignment.fit(
            rows, self.assign, known.codes, len(known.classes), rng, named=named
        )

        if graph is not None:
            self.graph_ = graph
        self._how, self._assignment = how, assignment
        self.coefficients_ = how.training @ how.to_coefficients
        self.components_ = (U / norms).T
        self.history_, self.n_iter_ = result.history, result.n_iter
        self.converged_, self.stop_reason_ = result.converged, result.stop_reason
        self._keep_labels(assignment.clusters(rows), known)
        self._keep(X, known, result)

    def _warn_if_cut_short(self) -> None:
        if self.tol:
            self._warn_unless_converged(
                self.max_iter,
                "raise max_iter or tol, or set tol=0 to run all iterations without this warning",
            )

    def _rows(self, X: Any) -> Any:
        """Return what describes new samples."""
        links = self.graph_.link(X) if hasattr(self, "graph_") else no_links(X)
        return self._how.new_samples.coefficients(X, *links)

    def _represent(self, X: Any) -> Any:
        return self._rows(X) @ self._how.to_coefficients

    def predict(self, X: Array) -> np.ndarray:
        """Return the class name (an entry of ``classes_``) of each sample."""
        check_is_fitted(self)
        rows = self._rows(self._validate_X(X, reset=False))
        readable = self._how.readable(rows, self._assignment.rule)
        return self.classes_[self._assignment.clusters(readable)]

    @available_if(_reads_the_largest)
    def predict_proba(self, X: Array) -> np.ndarray:
        """Return scores scaled to sum to one (``assign="argmax"``); columns follow ``classes_``."""
        check_is_fitted(self)
        rows = self._rows(self._validate_X(X, reset=False))
        scores = self._how.readable(rows, "argmax")
        return normalize_rows(scores[:, np.argsort(self._assignment.numbers)])

    @property
    def _dictionary(self) -> Any:
        return self.components_
