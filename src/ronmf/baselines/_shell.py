"""The shell of the multiplicative methods: parameters to problem, factors to clusters."""

import warnings
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from array_api_compat import array_namespace
from sklearn.base import _fit_context
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from ..arrays import from_numpy, to_numpy
from ..base import SemiSupervisedClusterer, shares
from ..graph import NeighborGraph
from ..graph_estimator import NeighborGraphMixin
from ..labels import KnownLabels, encode_labels
from ..multiplicative import TRIAL, Factors, MultiplicativeFit, Problem, minimise
from ..out_of_sample import LinkedCoder
from ..progress import SweepCallback
from ..readout import Readout

__all__ = ["GraphMultiplicativeClusterer", "MultiplicativeClusterer", "one_hot", "uniform"]

POSITIVE = Interval(Real, 0, None, closed="left")


class MultiplicativeClusterer(SemiSupervisedClusterer):
    """Clusters from a factorisation ``X ≈ V U'`` found by multiplicative updates.

    A subclass defines `_problem`, and overrides the small hooks below it where its code of a sample
    is not the row of V, or where the columns of its scores stand for classes.
    """

    n_clusters: int | None
    n_components: int | None
    assign: str
    n_init: int
    max_iter: int
    tol: float
    random_state: Any

    _loop_constraints: ClassVar[dict] = {
        "n_clusters": [Interval(Integral, 1, None, closed="left"), None],
        "assign": [StrOptions({"kmeans", "argmax"})],
        "n_init": [Interval(Integral, 1, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [POSITIVE],
        "random_state": ["random_state"],
    }
    _parameter_constraints: ClassVar[dict] = {
        **_loop_constraints,
        "n_components": [Interval(Integral, 1, None, closed="left"), None],
    }
    # Whether column j of the scores is about class j: the method ties them to the given labels.
    _scores_are_named: ClassVar[bool] = False
    # Whether U may be scaled to unit columns afterwards: not where labels set the scale of V.
    _unit_basis: ClassVar[bool] = True

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        n_components: int | None = None,
        assign: str = "kmeans",
        n_init: int = 10,
        max_iter: int = 200,
        tol: float = 1e-3,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_components = n_components
        self.assign = assign
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None) -> Self:
        """Factorise `X` and cluster its samples.

        Parameters
        ----------
        X : array of shape (n_samples, n_features)
            Non-negative data of any array API library; unit-length samples are meant.
        y : array-like of shape (n_samples,), default=None
            Class names of any type; -1 marks unlabelled samples. A method without labels in its
            objective uses them to name the clusters it found.

        Returns
        -------
        estimator
            The fitted estimator.
        """
        with self._nothing_half_written():
            X = self._validate_X(X, reset=True)
            return self._factorise(X, encode_labels(y, X.shape[0], self.n_clusters))

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
        trial = min(TRIAL, self.max_iter)
        return self.max_iter + (self.n_init - 1) * trial

    def _coder(self, fit: MultiplicativeFit) -> Any:
        """Return what codes a new sample: by default a row of V."""
        V, U = fit.matrices
        return LinkedCoder(U.T, V)

    def _lift(self, fit: MultiplicativeFit) -> Any:
        """Return the matrix that takes a code to a row of V; None: the code is one."""
        return None

    def _scores(self, codes: Any) -> Any:
        """Return one score a cluster from codes, for ``assign="argmax"``."""
        return self._coefficients(codes)

    def _rank(self, n_clusters: int) -> int:
        """Return the number of columns of V."""
        rank = n_clusters if self.n_components is None else self.n_components
        if self.assign == "argmax" and rank != n_clusters:
            raise ValueError(
                f"assign='argmax' reads one cluster from each of n_components={rank} columns, but"
                f" there are {n_clusters} clusters; use assign='kmeans' or leave n_components None."
            )
        return rank

    def _start(self, X: Any, rank: int, rng: np.random.RandomState) -> Factors:
        """Return uniform V and U, with unit columns of U and the brightness of the data."""
        xp = array_namespace(X)
        V, U = uniform(rng, (X.shape[0], rank), X), uniform(rng, (X.shape[1], rank), X)
        U = U / xp.sqrt(xp.sum(U * U, axis=0))
        made = float(xp.sum(xp.sum(V, axis=0) * xp.sum(U, axis=0)))
        return {"V": V * (float(xp.sum(X)) / made or 1.0), "U": U}

    def _factorise(self, X: Any, known: KnownLabels, graph: Any = None) -> Self:
        rng = check_random_state(self.random_state)
        W = graph.affinity if isinstance(graph, NeighborGraph) else graph
        problem = self._problem(X, known, W)
        progress = SweepCallback(self, self._max_sweeps())
        result = self._solve(X, problem, rng, progress)
        progress.finish()
        if self.tol and result.n_iter == self.max_iter and not result.converged:
            warnings.warn(
                f"{type(self).__name__} {result.stop_reason}; see history_, and raise max_iter or"
                " tol, or set tol=0 to run max_iter iterations without this warning.",
                ConvergenceWarning,
                stacklevel=5,
            )

        V, U = result.matrices
        xp = array_namespace(X)
        norms = xp.sqrt(xp.sum(U * U, axis=0)) if self._unit_basis else xp.ones_like(U[0, :])
        norms = xp.where(norms > 0, norms, 1.0)
        self._column_norms, self._lifting = norms, self._lift(result)
        self._new_samples = self._coder(result)
        self._graph = graph
        self.classes_, self.components_ = known.classes, (U / norms).T
        self.coefficients_ = V * norms
        self.history_, self.n_iter_ = result.history, result.n_iter
        self.converged_, self.stop_reason_ = result.converged, result.stop_reason
        readable = self._readable(self._new_samples.codes, self.assign)
        self._rule = self.assign  # a later set_params must not change what the fit reads
        self._readout = Readout.fit(
            readable,
            self.assign,
            known.codes,
            len(known.classes),
            rng,
            named=self._scores_are_named,
        )
        self.labels_ = self._readout.clusters(readable)
        self.transduction_ = self.classes_[self.labels_]
        return self

    def _coefficients(self, codes: Any) -> Any:
        """Return rows of V for a basis of unit columns."""
        V = codes if self._lifting is None else codes @ self._lifting
        return V * self._column_norms

    def _readable(self, codes: Any, rule: str) -> np.ndarray:
        """Return what the readout looks at."""
        return to_numpy(self._coefficients(codes) if rule == "kmeans" else self._scores(codes))

    def _new_codes(self, X: Any) -> Any:
        indices, weights = _links(self._graph, X)
        return self._new_samples.encode(X, indices, weights)

    def _encode(self, X: Any) -> Any:
        return self._coefficients(self._new_codes(X))

    def predict(self, X: Any) -> np.ndarray:
        """Return the class name (an entry of ``classes_``) of each sample."""
        check_is_fitted(self)
        codes = self._new_codes(self._validate_X(X, reset=False))
        return self.classes_[self._readout.clusters(self._readable(codes, self._rule))]

    @available_if(lambda self: self.assign == "argmax")
    def predict_proba(self, X: Any) -> np.ndarray:
        """Return scores scaled to sum to one (``assign="argmax"``); columns follow ``classes_``."""
        check_is_fitted(self)
        codes = self._new_codes(self._validate_X(X, reset=False))
        scores = self._readable(codes, "argmax")
        return shares(scores[:, np.argsort(self._readout.numbers)])

    @property
    def _dictionary(self) -> Any:
        return self.components_


class GraphMultiplicativeClusterer(NeighborGraphMixin, MultiplicativeClusterer):
    """A multiplicative method with a neighbour graph."""

    graph_weight: float

    _graph_loop_constraints: ClassVar[dict] = {
        **MultiplicativeClusterer._loop_constraints,
        "graph_weight": [POSITIVE],
        **NeighborGraphMixin._graph_constraints,
    }
    _parameter_constraints: ClassVar[dict] = {
        **_graph_loop_constraints,
        "n_components": [Interval(Integral, 1, None, closed="left"), None],
    }

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        n_components: int | None = None,
        graph_weight: float = 100.0,
        affinity: str = "heat",
        n_neighbors: int = 5,
        heat_width: float | None = None,
        assign: str = "kmeans",
        n_init: int = 10,
        max_iter: int = 200,
        tol: float = 1e-3,
        random_state: Any = None,
    ) -> None:
        super().__init__(
            n_clusters,
            n_components=n_components,
            assign=assign,
            n_init=n_init,
            max_iter=max_iter,
            tol=tol,
            random_state=random_state,
        )
        self.graph_weight = graph_weight
        self.affinity = affinity
        self.n_neighbors = n_neighbors
        self.heat_width = heat_width

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None, *, affinity: Any = None) -> Self:
        """Factorise `X` and cluster its samples.

        Parameters
        ----------
        X : array of shape (n_samples, n_features)
            Non-negative data of any array API library; unit-length samples are meant.
        y : array-like of shape (n_samples,), default=None
            Class names of any type; -1 marks unlabelled samples. A method without labels in its
            objective uses them to name the clusters it found.
        affinity : array or sparse matrix of shape (n_samples, n_samples), default=None
            Symmetric non-negative weights, with ``affinity="precomputed"`` only.

        Returns
        -------
        estimator
            The fitted estimator.
        """
        with self._nothing_half_written():
            X = self._validate_X(X, reset=True)
            known = encode_labels(y, X.shape[0], self.n_clusters)
            return self._factorise(X, known, self._build_graph(X, affinity))

    def _coder(self, fit: MultiplicativeFit) -> LinkedCoder:
        V, U = fit.matrices
        return LinkedCoder(U.T, V, float(self.graph_weight))


def _links(graph: Any, X: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the training samples each query is joined to, none without a graph of our own."""
    if isinstance(graph, NeighborGraph):
        return graph.link(X)
    return np.zeros((X.shape[0], 0), dtype=int), np.zeros((X.shape[0], 0))


def uniform(rng: np.random.RandomState, shape: tuple[int, int], like: Any) -> Any:
    """Return uniform random numbers in (0, 1] in the library of `like`."""
    return from_numpy(1.0 - rng.uniform(size=shape), like)


def one_hot(known: KnownLabels, like: Any) -> Any:
    """Return Y (n_samples x n_clusters), with zero rows for unlabelled samples."""
    return from_numpy((known.codes[:, None] == np.arange(len(known.classes))).astype(float), like)
