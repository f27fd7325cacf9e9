"""The RONMF estimator."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import _fit_context
from sklearn.utils import check_random_state

from ..admm.result import Factorization
from ..admm.solver import solve
from ..admm.steps import ExactSteps, PrintedSteps
from ..labels.assignment import ClusterAssignment
from ..labels.class_prior import prior_factors
from ..labels.encoding import encode_labels
from ..numerics.arrays import from_numpy, to_numpy
from ..numerics.memory import memory_limit, read_size
from ..numerics.threads import own_threads
from ..numerics.types import Affinity, Array, Labels
from ..storage._products import template
from ..storage._scratch import Scratch
from .cluster_count import number_of_clusters
from .gathering import evidence_stages, gather_evidence
from .long_fits import check_memory, long_fit
from .new_samples import NewSampleModel
from .posing import pose
from .progress import FitProgress
from .reading import Reading
from .ronmf_parameters import RONMFParameters
from .settings import ProblemSettings
from .stored_input import check_data
from .warm_start import PreviousFit, what_still_holds

__all__ = ["RONMF"]


class RONMF(RONMFParameters):
    r"""Robust orthogonal non-negative matrix factorisation with label propagation.

    It factorises non-negative data, rows being samples, as :math:`X \approx A Z U'` and minimises

    .. math:: \sum_g \phi(\|(X - AZU')_g\|) + \lambda\,\mathrm{tr}(A'LA)
              + \mu\,\mathrm{tr}((A-Y)'S(A-Y)),\quad A, Z, U \ge 0,\ U'U = I

    with a robust loss :math:`\phi` over features or samples, memberships A that are smooth over a
    neighbour graph (Laplacian L) and close to the known labels Y, and a basis U whose columns are
    disjoint parts, by ADMM [1]_, with the equations corrected (see the errata).

    Parameters
    ----------
    n_clusters : int, "auto" or None, default=None
        Number of clusters. None: as many as there are labelled classes. More: others are found.
        "auto" estimates it from the graph; ``cluster_count_`` tells how.
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
    beta : float, default=3
        Penalty parameter of ADMM. Larger is steadier and slower; doubled when iterates stall.
    balance : bool, default=False
        Adapt β to keep primal and dual residual within a factor of ten.
    relative : bool, default=True
        Whether the three weights above and the penalty's parameters are free of the data's scale.
        False: they enter the objective as they are.
    check_labels : bool, default=True
        Set labels aside that the others confidently contradict; ``doubted_labels_`` names them.
    class_prior : {"labels", None}, default="labels"
        Scale clusters towards sizes that given labels suggest, the less the more labels there are.
    graph : {"auto", "plain", "precomputed"}, GraphRecipe or list of GraphRecipe, default="auto"
        "auto" hides part of the given labels in turn, sees which of many graphs predict them, and
        blends the best (:func:`ronmf.graph.choose_graph`). "plain" is the neighbour graph of X as
        it is, "precomputed" the one passed to ``fit``. Recipes are candidates of your own.
    image_shape : tuple (height, width) or (height, width, channels), default=None
        How the features of a row lie in the picture, for graphs that denoise it or follow its
        edges. None: as in X, if that is an array of pictures; else the data are no pictures.
    edge_weights : {"self_tuning", "heat", "binary", "cosine"}, default="self_tuning"
        Weights of the exact nearest-neighbour graph.
    n_neighbors : int, default=5
        Neighbours of each sample in the graph.
    heat_width : float, default=None
        Width of the heat kernel; None: the mean distance to a neighbour.
    label_edges : bool, default=False
        Whether given labels join samples of one class, and cut edges between different ones.
    init : {"propagation", "random"}, default="propagation"
        Start from label propagation on the graph, or from uniform random factors as printed.
    basis : {"partition", "penalty", "unconstrained"}, default="partition"
        U-step: search over partitions of the features, the paper's exact penalty, or nothing.
    exact : bool, default=True
        Exact non-negative A- and Z-steps. False: clipped unconstrained ones, as printed.
    assign : {"argmax", "kmeans"}, default="argmax"
        Read clusters by the largest membership, or by k-means on the rows of ``A Z``, as released.
    max_iter : int, default=200
        Largest number of sweeps.
    tol : float, default=5e-3
        Relative tolerance on primal residual, dual residual and change of the memberships.
    warm_start : bool, default=False
        Start from the last fit of the same data; its graph serves until labels grew by half.
    max_memory : int or str, default=None
        How much memory the process may take, such as "4GiB"; what cannot do with it is refused.
    checkpoint : str or Path, default=None
        A folder for the state of a long fit, which goes on from there if it is started again.
    verbose : bool, default=False
        Print stages on standard error; scikit-learn's callbacks see them in any case.
    random_state : int, RandomState or None, default=None
        Seed of everything random: compared samples, hidden folds, k-means starts, random init.

    Attributes
    ----------
    labels_ : ndarray of int, shape (n_samples,)
        Cluster number of each sample, an index into ``classes_``.
    transduction_ : ndarray of shape (n_samples,)
        Class name of each sample.
    classes_ : ndarray of shape (n_clusters,)
        Names: the labelled classes in sorted order, then the discovered clusters.
    membership_ : array of shape (n_samples, n_clusters)
        A.
    components_ : array of shape (n_components, n_features)
        U': non-negative parts of unit length, disjoint unless ``basis="unconstrained"``.
    amplitudes_ : array of shape (n_clusters, n_components)
        Z: how strongly each cluster uses each part.
    prototypes_ : array of shape (n_clusters, n_features)
        ``Z U'``: one typical sample per cluster.
    group_weights_ : array of shape (n_features,) or (n_samples,)
        How much each pixel (or sample) counts beside the median, at most 1; 0 is an outlier.
    n_iter_, converged_, stop_reason_, history_ : int, bool, str, History
        Sweeps run, whether `tol` was met, why the iteration ended, and all of it sweep by sweep.
    label_distributions_ : ndarray of shape (n_samples, n_clusters)
        Probability of each class for each sample: memberships calibrated on hidden labels.
    outlier_score_ : ndarray of shape (n_samples,)
        How strange each sample is beside its neighbours; about 1 for ordinary ones.
    graph_, graph_weight_, graph_summary_ : Graph, float, dict
        The graph, its weight in use, its edges, components, and how many no label reaches.
    doubted_labels_ : ndarray of int
        The samples whose given labels were set aside as probably wrong.
    graph_report_ : GraphReport or None
        All candidates of the graph and their scores; ``print`` it. None for a plain or given graph.
    cluster_count_ : ClusterCount or None
        Evidence for the number of clusters with ``n_clusters="auto"``; ``print`` it.
    n_features_in_, image_shape_ : int, tuple or None
        Number of features, and how they lie in a picture.

    Notes
    -----
    With ``relative=True`` the loss is :math:`\phi(\|R_g\| / s)`, s being the upper quartile of the
    groups' residual norms at the start; with δ the loss per sample there, λ is
    ``graph_weight`` · δ / mean degree, μ is ``label_weight`` · (``graph_weight`` + 1) · δ, and
    β is ``beta`` / s². Multiplying the data by a constant changes nothing, unless rounding decides
    which of equally near samples is a neighbour.

    A label that `y` does not give reaches nothing: graph, start, weights and stopping see -1 only.

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

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Array, y: Labels = None, *, affinity: Affinity | None = None) -> RONMF:
        """Factorise `X` and cluster its samples.

        Parameters
        ----------
        X : array of shape (n_samples, n_features), or of pictures (n_samples, height, width, ...)
            Non-negative data: a NumPy array, or an array of another array API library, such as a
            torch tensor on CPU or CUDA, in which the work is then done. A memory map, an array of
            Zarr or HDF5 is read by blocks; an array of Dask stays on its workers.
        y : array-like of shape (n_samples,), default=None
            Class names of any type; -1, None, NaN or "" marks unlabelled samples.
        affinity : array or sparse matrix of shape (n_samples, n_samples), default=None
            Symmetric non-negative weights, with ``graph="precomputed"`` only.
        """
        with (
            self._nothing_half_written(),
            memory_limit(None if self.max_memory is None else read_size(self.max_memory)),
            own_threads(),
            FitProgress(self, n_stages=5 + evidence_stages(self.check_labels)) as progress,
        ):
            with progress.stage("reading", "pass", 1) as stage:
                X = check_data(self, X)
                stage()
            with long_fit(self, X, y, affinity) as (seed, scratch):
                self._fit(X, y, affinity, check_random_state(seed), scratch, progress)
        self._warn_unless_converged("raise max_iter or tol, or set balance=True")
        self._warn_of_troubles()
        return self

    def _fit(
        self,
        X: Any,
        y: Labels,
        affinity: Affinity | None,
        rng: np.random.RandomState,
        scratch: Scratch,
        progress: FitProgress,
    ) -> None:
        graph_settings = self._graph_settings()
        wanted, count = number_of_clusters(
            self.n_clusters, X, y, graph_settings, affinity, rng, progress
        )
        known = encode_labels(y, X.shape[0], wanted)
        n_clusters = len(known.classes)
        check_memory(self, X, n_clusters)
        settings = ProblemSettings.check(self, n_clusters, X.shape[1])
        keys = graph_settings.key(), settings.key()
        previous = getattr(self, "_previous", None) if self.warm_start else None
        reusable = what_still_holds(previous, X, known, keys)

        # Which graph, and what it predicts of hidden labels
        evidence = gather_evidence(
            X,
            known.codes,
            n_clusters,
            graph_settings,
            affinity,
            reusable.evidence,
            rng,
            progress,
        )
        given, known = known, replace(known, codes=evidence.trusted(known.codes))
        reusable = reusable.under(known.codes)
        # Data, graph and label term with their weights, and where to start
        with progress.stage("start", "step", 1) as stage:
            posed = pose(X, known, evidence, settings, reusable, rng)
            stage()
        self._previous = None  # its residual changes from here on: an interrupted fit loses it
        with progress.stage("sweeps", "sweep", self.max_iter) as stage:
            result = solve(
                posed.problem,
                posed.start,
                basis=settings.basis,
                steps=ExactSteps() if self.exact else PrintedSteps(),
                max_iter=self.max_iter,
                tol=self.tol,
                balance=self.balance,
                scratch=scratch,
                callback=stage,
            )
        # Class sizes, probabilities, outliers
        with progress.stage("results", "step", 1) as stage:
            prior = np.ones(n_clusters)
            if self.class_prior == "labels":
                prior = prior_factors(to_numpy(result.A), known.codes)
            prior = from_numpy(prior, template(X))
            A, Z = result.A * prior, result.Z / prior[:, None]  # their product stays
            reading = Reading.take(X, A, A @ Z, result.U, evidence)
            self._assignment = ClusterAssignment.fit(
                to_numpy(A if self.assign == "argmax" else A @ Z),
                self.assign,
                known.codes,
                n_clusters,
                rng,
                named=True,
            )
            stage()

        self.amplitudes_ = Z
        self._keep_memberships(A, Z @ result.U.T, known)
        self._keep_reading(reading)
        self._keep_solution(result)
        self._keep_evidence(evidence, posed.graph, given.codes)
        self.graph_weight_, self.cluster_count_ = posed.graph_weight, count
        self._new_samples = NewSampleModel.after(result, posed.problem, prior)
        if self.warm_start:  # data and residual are large: kept only for those who will use them
            self._previous = PreviousFit.after(X, keys, given, evidence, posed, result)

    def _keep_solution(self, result: Factorization) -> None:
        self.components_ = result.U.T
        self.group_weights_ = result.residual.relative_group_weights()
        self.history_, self.n_iter_ = result.history, result.n_iter
        self.converged_, self.stop_reason_ = result.converged, result.stop_reason

    def _clusters_of(self, A: np.ndarray) -> np.ndarray:
        by_centers = self._assignment.centers is not None
        return self._assignment.clusters(A @ to_numpy(self.amplitudes_) if by_centers else A)

    def _represent(self, X: Any) -> Any:
        return self._new_samples.memberships(X, *self.graph_.link(X))
