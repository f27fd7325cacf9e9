"""The RONMF estimator."""

from __future__ import annotations

from dataclasses import replace
from numbers import Real
from pathlib import Path
from typing import Any, Self

import numpy as np
from sklearn.base import _fit_context
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions

from ..admm.parameters import ADMM
from ..labels.assignment import ClusterAssignment
from ..labels.encoding import KnownLabels
from ..numerics.arrays import from_numpy, to_numpy
from ..numerics.memory import memory_limit, read_size
from ..numerics.signs import smaller_of_signs
from ..numerics.threads import own_threads
from ..numerics.types import Affinity, Array, Labels
from ..penalties import PENALTIES, Penalty
from ..system.parameters import COUNT, parameter, parameters
from . import layers, printed, reporting
from .diagnosis import warn_of_troubles
from .discovery import STAGES
from .fitting import RONMFFit, fit_ronmf
from .graph_clusterer import GraphClusterer
from .graph_search import evidence_stages
from .layers import ClusterMeans
from .long_fits import long_fit
from .progress import FitProgress
from .stored_input import check_data

__all__ = ["RONMF"]


@parameters
class RONMF(GraphClusterer):
    r"""Robust orthogonal non-negative matrix factorisation with label propagation.

    It factorises data, rows being samples, as :math:`X \approx A Z U'` and minimises

    .. math:: \sum_g \phi(\|(X - AZU')_g\|) + \lambda\,\mathrm{tr}(A'LA)
              + \mu\,\mathrm{tr}((A-Y)'S(A-Y)),\quad A, Z, U \ge 0,\ U'U = I

    (and :math:`\nu\,\mathrm{tr}((A-P)'(I-S)(A-P))` where a linear classifier that says P stands
    beside the graph) with a robust loss :math:`\phi` over features or samples, memberships A that
    are smooth over a neighbour graph (Laplacian L) and close to the known labels Y, and a basis U
    whose columns are
    disjoint parts, by ADMM [1]_, with the equations corrected (see the errata).

    Parameters
    ----------
    n_clusters : int, "auto" or None, default=None
        Number of clusters. None: as many as there are labelled classes. More: others are found.
        "auto": labelled classes, and clusters beside them that seem to be classes without a label;
        without any label, the clusters of one of nested layers, ``layers_``.
    n_components : int, default=None
        Number of parts (columns of U). None: `n_clusters`, or the number of features if smaller.
    penalty : str or Penalty, default="mcp"
        Robust loss φ, by name ("mcp", "scad", "etp", "l21", "l2p", "capped_l1", "frobenius") or as
        an object of :mod:`ronmf.penalties`; with an object, ``penalty__tau`` works in a search.
    groups : {"features", "samples"}, default="features"
        Whether whole pixels or whole samples can be outliers.
    graph_weight : float or "auto", default="auto"
        λ, relative to the data term (see Notes). "auto" hides part of the given labels in turn
        and weighs the graph by how much better than class means it predicts them.
    label_weight : float, default=10
        μ: how many times a label outweighs its sample's edges and data together.
    check_labels : bool, default=True
        Set labels aside that the others confidently contradict; ``doubted_labels_`` names them.
    class_prior : {"labels", None}, default="labels"
        Scale clusters towards sizes that given labels suggest, the less the more labels there are.
    graph : str, GraphRecipe, list of GraphRecipe or GraphChoice, default="auto"
        "auto" hides part of the given labels in turn, sees which of many graphs predict them, and
        blends the best. "plain" is the neighbour graph of X as it is, "precomputed" the one passed
        to ``fit``. Recipes are candidates of your own. An object also sets edge weights, the width
        of the heat kernel, and edges by labels: :class:`ronmf.graph.GraphChoice`.
    solver : ADMM, default=None
        What minimises the objective, how exactly and for how long, as ``solver=ADMM(beta=10.0)``;
        its parameters are searched as ``solver__beta``. None: :class:`ronmf.ADMM` as it comes.
    assign : {"argmax", "kmeans"}, default="argmax"
        Read clusters by the largest membership, or by k-means on the rows of ``A Z``, as released.
    warm_start : bool, default=False
        Start from the last fit of the same data; its graph serves until labels grew by half. With
        "auto", clusters without a name stay, and as long as there are some, a graph is chosen anew.
    max_memory : int or str, default=None
        How much memory the process may take, such as "4GiB"; what cannot do with it is refused.
    checkpoint : str or Path, default=None
        A folder for the state of a long fit, which goes on from there if it is started again.
    random_state : int, RandomState or None, default=None
        Seed of everything random: compared samples, hidden folds, k-means starts, random init.

    Attributes
    ----------
    classes_ : ndarray of shape (n_clusters,)
        Names: the labelled classes in sorted order, then the discovered clusters.
    membership_ : array of shape (n_samples, n_clusters)
        A.
    components_ : array of shape (n_components, n_features)
        U': parts of unit length, disjoint unless the solver's basis is unconstrained; non-negative
        if X is (see Notes).
    amplitudes_ : array of shape (n_clusters, n_components)
        Z: how strongly each cluster uses each part.
    prototypes_ : array of shape (n_clusters, n_features)
        ``Z U'``: one typical sample per cluster.
    group_weights_ : array of shape (n_features,) or (n_samples,)
        How much each pixel (or sample) counts beside the median, at most 1; 0 is an outlier.
    n_iter_, converged_, stop_reason_, history_ : int, bool, str, History
        Sweeps run, whether `tol` was met, why the iteration ended, and all of it sweep by sweep.
    solver_ : ADMM
        The solver with the parameters that were used.
    graph_, graph_weight_, graph_summary_ : Graph, float, dict
        The graph, its weight in use, its edges, components, and how many no label reaches.
    graph_report_ : GraphReport or None
        All candidates of the graph and their scores; ``print`` it. None for a plain or given graph.
    layers_, layer_ : list of Layer, int; or None
        With ``n_clusters="auto"``: nested clusters that no label has shaped, from coarse to fine,
        each with ``labels`` and ``stability``, and the index of the one that the clusters come
        from. See :meth:`at_layer`.
    n_features_in_, image_shape_ : int, tuple or None
        Number of features, and how they lie in a picture.

    Notes
    -----
    If the solver is ``relative``, the loss is :math:`\phi(\|R_g\| / s)`, s being the upper quartile
    of the groups' residual norms at the start; with δ the loss per sample there, λ is
    ``graph_weight`` · δ / mean degree, μ is ``label_weight`` · (``graph_weight`` + 1) · δ, and β is
    ``beta`` / s². Multiplying the data by a constant changes nothing, unless rounding decides
    which of equally near samples is a neighbour.

    A label that `y` does not give reaches nothing: graph, start, weights and stopping see -1 only.

    The graph sees rows as they are. If some values are negative, what is factorised is
    :math:`(\max(0, X), \max(0, -X))`; parts and prototypes are then given in the signs of X, the
    second half taken from the first, and a feature's weight is the smaller one of its two. Sparse
    rows of more than 1000 columns are scaled to unit length and projected on their 200 leading
    singular axes, where all else happens; only ``group_weights_`` is told for these axes.

    References
    ----------
    .. [1] J. Liu, N. Wu, X. Xiu and J. Zhang. Robust orthogonal NMF with label propagation for
       image clustering. arXiv:2504.21472, 2025.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_digits
    >>> from ronmf import RONMF
    >>> X, truth = load_digits(return_X_y=True)
    >>> y = np.where(np.arange(len(truth)) % 20 == 0, truth, -1)  # one label in twenty
    >>> model = RONMF(random_state=0).fit(X, y)
    >>> bool((model.transduction_ == truth)[y == -1].mean() > 0.95)
    True
    """

    n_clusters: int | str | None = parameter(
        default=None, allowed=[COUNT, StrOptions({"auto"}), None], kw_only=False
    )
    n_components: int | None = parameter(default=None, allowed=[COUNT, None])
    penalty: str | Penalty = parameter(default="mcp", allowed=[StrOptions(set(PENALTIES)), Penalty])
    groups: str = parameter(default="features", allowed=StrOptions({"features", "samples"}))
    graph_weight: float | str = parameter(
        default="auto", allowed=[Interval(Real, 0, 1e100, closed="both"), StrOptions({"auto"})]
    )
    label_weight: float = parameter(
        default=10.0, allowed=Interval(Real, 1e-100, 1e100, closed="both")
    )
    solver: ADMM | None = parameter(default=None, allowed=[ADMM, None])
    assign: str = parameter(default="argmax", allowed=StrOptions({"argmax", "kmeans"}))
    warm_start: bool = parameter(default=False, allowed="boolean")
    max_memory: int | str | None = parameter(default=None, allowed=[COUNT, str, None])
    checkpoint: str | Path | None = parameter(default=None, allowed=[str, Path, None])

    at_layer = layers.at_layer
    _go_on_from = layers.go_on_from
    printed = classmethod(printed.printed)
    report = reporting.report

    def set_params(self, **params: Any) -> Self:
        """Set parameters, of parts too: ``solver__max_iter=50`` makes ``ADMM()`` of None first."""
        solver = params.get("solver", self.solver)
        if solver is None and any(name.startswith("solver__") for name in params):
            params = {**params, "solver": ADMM()}
        return super().set_params(**params)

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Array, y: Labels = None, *, affinity: Affinity | None = None) -> RONMF:
        """Factorise `X` and cluster its samples.

        Parameters
        ----------
        X : array of shape (n_samples, n_features), or of pictures (n_samples, height, width, ...)
            A NumPy array, or an array of another array API library, such as a torch tensor on CPU
            or CUDA, in which the work is then done; or a sparse matrix of SciPy. A memory map, an
            array of Zarr or HDF5 is read by blocks; an array of Dask stays on its workers.
        y : array-like of shape (n_samples,), default=None
            Class names of any type; -1, None, NaN or "" marks unlabelled samples.
        affinity : array or sparse matrix of shape (n_samples, n_samples), default=None
            Symmetric non-negative weights, with ``graph="precomputed"`` only.
        """
        n_stages = 5 + evidence_stages(self.check_labels) + STAGES * (self.n_clusters == "auto")
        with (
            self._nothing_half_written(),
            memory_limit(None if self.max_memory is None else read_size(self.max_memory)),
            own_threads(),
            FitProgress(self, n_stages) as progress,
        ):
            with progress.stage("reading", "pass", 1) as stage:
                X = check_data(self, X)
                stage()
            with long_fit(self, X, y, affinity) as (seed, scratch):
                rng = check_random_state(seed)
                self._keep_fit(fit_ronmf(self, X, y, affinity, rng, scratch, progress))
        most = self.solver_.max_iter
        change = f"set_params(solver__max_iter={2 * most})"
        self._warn_unless_converged(most, f"raise max_iter or tol, as in {change}, or set balance")
        warn_of_troubles(self)
        return self

    def _keep_fit(self, fit: RONMFFit) -> None:
        result = fit.result
        self.amplitudes_, self.components_ = fit.Z, self._in_columns_of_X(result.U.T)
        self._assignment, self._new_samples = fit.assignment, fit.new_samples
        prototypes = self._in_columns_of_X(fit.Z @ result.U.T)
        self._keep(fit.known, fit.evidence, fit.built.graph, fit.A, prototypes, fit.reading)
        self.graph_weight_ = fit.built.graph_weight
        self.layers_ = self.layer_ = self._cluster_means = None
        if fit.discovery is not None:
            self.layers_, self.layer_ = list(fit.discovery.layers), fit.discovery.used
            self._cluster_means = ClusterMeans.of(fit.built.problem.X, fit.discovery)
        weights = result.residual.relative_group_weights()
        of_features = self.groups == "features"
        self.group_weights_ = smaller_of_signs(weights, self._n_columns) if of_features else weights
        self.history_, self.n_iter_, self.solver_ = result.history, result.n_iter, fit.solver
        self.converged_, self.stop_reason_ = result.converged, result.stop_reason
        self._previous = fit.previous

    def _read_at(self, known: KnownLabels, A: np.ndarray, means: np.ndarray) -> None:
        """Set memberships in other clusters, given their means in the columns of the work."""
        U = self._new_samples.U
        Z = np.clip(means @ to_numpy(U), 0.0, None)
        self._assignment = ClusterAssignment(None, np.arange(len(known.classes)))
        self.amplitudes_, memberships = from_numpy(Z, U), from_numpy(A, U)
        self._new_samples = replace(
            self._new_samples,
            A=memberships,
            Z=self.amplitudes_,
            prior=from_numpy(np.ones(len(known.classes)), U),
            rule=None,  # it tells the classes of the fit
            view_weight=0.0,
        )
        prototypes = self._in_columns_of_X(self.amplitudes_ @ U.T)
        self._keep_memberships(memberships, prototypes, known)

    def _clusters_of(self, A: np.ndarray) -> np.ndarray:
        by_centers = self._assignment.rule == "kmeans"
        return self._assignment.clusters(A @ to_numpy(self.amplitudes_) if by_centers else A)

    def _represent(self, X: Any) -> Any:
        return self._new_samples.memberships(X, *self.graph_.link(X))
