"""The RONMF estimator."""

import warnings
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from array_api_compat import array_namespace
from sklearn.base import _fit_context, clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from ..admm.residual import GroupLoss, Residual, group_norms
from ..admm.scales import Units
from ..admm.solver import BASES, solve
from ..admm.start import random_start, seed_clusters, start_from_memberships
from ..graph import add_label_edges, graph_summary
from ..graph._operator import GraphOnData
from ..labels.calibration import calibrate_on_trials
from ..labels.class_prior import mass_factors, shares
from ..labels.encoding import encode_labels
from ..labels.hidden_labels import graph_trust
from ..labels.uncertainty import outlier_scores, worth_labelling
from ..numerics.arrays import from_numpy, to_numpy
from ..penalties import PENALTIES, Penalty, check_penalty
from .graph_parameters import ChosenGraphMixin, affinity_of, links_to
from .new_samples import NewSampleModel
from .progress import SweepCallback
from .shell import SemiSupervisedClusterer
from .warm_start import LastFit

__all__ = ["RONMF"]


class RONMF(ChosenGraphMixin, SemiSupervisedClusterer):
    r"""Robust orthogonal non-negative matrix factorisation with label propagation.

    It factorises non-negative data, rows being samples, as :math:`X \approx A Z U'` and minimises

    .. math:: \sum_g \phi(\|(X - AZU')_g\|) + \lambda\,\mathrm{tr}(A'LA)
              + \mu\,\mathrm{tr}((A-Y)'S(A-Y)),\quad A, Z, U \ge 0,\ U'U = I

    with a robust loss :math:`\phi` over features or samples, memberships A that are smooth over a
    neighbour graph (Laplacian L) and close to the known labels Y, and a basis U whose columns are
    disjoint parts, by ADMM [1]_. The equations are the corrected ones; see the errata in the
    documentation.

    Parameters
    ----------
    n_clusters : int, default=None
        Number of clusters. None: as many as there are labelled classes. More than that: the
        others are discovered.
    n_components : int, default=None
        Number of parts (columns of U). None: `n_clusters`, or the number of features if smaller.
    penalty : str or Penalty, default="mcp"
        Robust loss φ, by name ("mcp", "scad", "etp", "l21", "l2p", "capped_l1", "frobenius") or as
        an object of :mod:`ronmf.penalties`; with an object, ``penalty__tau`` works in a search.
    groups : {"features", "samples"}, default="features"
        Whether whole pixels or whole samples can be outliers.
    graph_weight : float or "auto", default="auto"
        λ, in units of the data term (see Notes). "auto" hides part of the given labels in turn
        and weighs the graph by how much better than class means it predicts them.
    label_weight : float, default=10
        μ: how many times a label outweighs its sample's edges and data together.
    beta : float, default=3
        Penalty parameter of ADMM. Larger is steadier and slower; it is doubled when the iterates
        stall (see ``history_.beta``).
    balance : bool, default=False
        Adapt β to keep primal and dual residual within a factor of ten.
    relative : bool, default=True
        Whether the three weights above and the penalty's parameters are free of the data's scale.
        False: they enter the objective as they are.
    class_mass : {"labels", None}, default="labels"
        Whether clusters are scaled, A against Z, towards the sizes that the numbers of given labels
        suggest, the less the more labels there are (see the guide). None: as
        the model leaves them.
    graph : {"auto", "plain"}, GraphRecipe or list of GraphRecipe, default="auto"
        "auto" hides part of the given labels in turn, sees which of many graphs predict them, and
        blends the best (:func:`ronmf.graph.choose_graph`; ``graph_report_`` tells). "plain" is the
        neighbour graph of X as it is. Recipes are candidates of your own.
    image_shape : tuple (height, width) or (height, width, channels), default=None
        How the features of a row lie in the picture, for graphs that denoise it or follow its
        edges. None: the data are no pictures.
    affinity : {"self_tuning", "heat", "binary", "cosine", "precomputed"}, default="self_tuning"
        Weights of the exact nearest-neighbour graph, or "precomputed": the graph is passed to
        ``fit``.
    n_neighbors : int, default=5
        Neighbours of each sample in the graph.
    heat_width : float, default=None
        Width of the heat kernel; None: the mean distance to a neighbour.
    label_edges : bool, default=False
        Whether the given labels edit the graph: join labelled samples of one class and cut edges
        between labelled samples of different ones.
    init : {"propagation", "random"}, default="propagation"
        Start from label propagation on the graph, or from uniform random factors as printed.
    basis : {"partition", "penalty", "unconstrained"}, default="partition"
        U-step: search over partitions of the features, the paper's exact penalty on the
        oblique manifold, or (for comparison) no orthogonality at all.
    exact : bool, default=True
        Exact non-negative A- and Z-steps. False: clipped unconstrained ones, as printed.
    max_iter : int, default=200
        Largest number of sweeps.
    tol : float, default=5e-3
        Relative tolerance on primal residual, dual residual and change of the memberships.
    warm_start : bool, default=False
        Start from the last fit where the data are the same: a refit with a few more labels
        reuses the factors, and the graph until labels have grown by half.
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
        ``Z U'``: one typical sample a cluster.
    group_weights_ : array of shape (n_features,) or (n_samples,)
        How much each pixel (or sample) counts beside the median of those that count, at most 1;
        0 marks an outlier, set aside entirely.
    n_iter_ : int
        Sweeps run.
    converged_ : bool
        Whether `tol` was met.
    stop_reason_ : str
        Why the iteration ended.
    history_ : History
        Objective, augmented Lagrangian, residuals and more, one entry a sweep.
    graph_weight_ : float
        The value of `graph_weight` in use.
    label_distributions_ : ndarray of shape (n_samples, n_clusters)
        Probability of each class for each sample: memberships calibrated on hidden labels.
    outlier_score_ : ndarray of shape (n_samples,)
        How strange each sample is beside its neighbours; about 1 for ordinary ones.
    graph_ : NeighborGraph, ConsensusGraph or csr_array
        The graph.
    graph_report_ : GraphReport or None
        All candidates of the graph with their scores; ``print`` it. None if there was no choice.
    graph_summary_ : dict
        Edges, degrees, connected components, and how many of them no label reaches.
    n_features_in_ : int
        Number of features.

    Notes
    -----
    With ``relative=True`` the loss is :math:`\phi(\|R_g\| / s)`, s being the upper quartile of the
    groups' residual norms at the start; with δ the loss a sample there, λ is
    ``graph_weight`` · δ / mean degree, μ is ``label_weight`` · (``graph_weight`` + 1) · δ, and
    β is ``beta`` / s². Multiplying the data by a constant changes nothing.

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

    _parameter_constraints: ClassVar[dict] = {
        "n_clusters": [Interval(Integral, 1, None, closed="left"), None],
        "n_components": [Interval(Integral, 1, None, closed="left"), None],
        "penalty": [StrOptions(set(PENALTIES)), Penalty],
        "groups": [StrOptions({"features", "samples"})],
        "graph_weight": [Interval(Real, 0, None, closed="left"), StrOptions({"auto"})],
        "label_weight": [Interval(Real, 0, None, closed="left")],
        "beta": [Interval(Real, 0, None, closed="neither")],
        "balance": ["boolean"],
        "relative": ["boolean"],
        "class_mass": [StrOptions({"labels"}), None],
        **ChosenGraphMixin._graph_constraints,
        "label_edges": ["boolean"],
        "init": [StrOptions({"propagation", "random"})],
        "basis": [StrOptions(set(BASES))],
        "exact": ["boolean"],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="left")],
        "warm_start": ["boolean"],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        n_components: int | None = None,
        penalty: str | Penalty = "mcp",
        groups: str = "features",
        graph_weight: float | str = "auto",
        label_weight: float = 10.0,
        beta: float = 3.0,
        balance: bool = False,
        relative: bool = True,
        class_mass: str | None = "labels",
        graph: Any = "auto",
        image_shape: tuple[int, ...] | None = None,
        affinity: str = "self_tuning",
        n_neighbors: int = 5,
        heat_width: float | None = None,
        label_edges: bool = False,
        init: str = "propagation",
        basis: str = "partition",
        exact: bool = True,
        max_iter: int = 200,
        tol: float = 5e-3,
        warm_start: bool = False,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_components = n_components
        self.penalty = penalty
        self.groups = groups
        self.graph_weight = graph_weight
        self.label_weight = label_weight
        self.beta = beta
        self.balance = balance
        self.relative = relative
        self.class_mass = class_mass
        self.graph = graph
        self.image_shape = image_shape
        self.affinity = affinity
        self.n_neighbors = n_neighbors
        self.heat_width = heat_width
        self.label_edges = label_edges
        self.init = init
        self.basis = basis
        self.exact = exact
        self.max_iter = max_iter
        self.tol = tol
        self.warm_start = warm_start
        self.random_state = random_state

    @classmethod
    def printed(cls, variant: str = "E", **changes: Any) -> "RONMF":
        """Return the printed method as RONMF-M (MCP), RONMF-S (SCAD) or RONMF-E (ETP).

        Loss over features by Table 1 taken literally, heat kernel of width 1 on five neighbours,
        λ = 1000, μ = 1, β = 10 in the data's own units (unit-length samples are meant), random
        start, exact-penalty U-step, clipped A- and Z-steps. What the paper leaves open (β, τ, the
        graph, the start) is as in the released code. Three things are not: the A-equation is the
        corrected one, since the printed sign makes it indefinite; the graph sees no label; and a
        sample's cluster is its largest membership, not k-means on ``A Z`` after two iterations.
        With λ a thousand times μ the memberships flow together over such a graph, and most samples
        end up in one cluster: the setting is here for comparison, not for use.

        Parameters
        ----------
        variant : {"M", "S", "E"}
            The loss.
        **changes
            Parameters to set otherwise.
        """
        losses = {
            "M": PENALTIES["mcp"](tau=1.5, rule="printed"),
            "S": PENALTIES["scad"](tau=3.7, rule="printed"),
            "E": PENALTIES["etp"](rule="printed"),
        }
        if variant not in losses:
            raise ValueError(f"variant={variant!r} is not known; use 'M', 'S' or 'E'.")
        settings: dict[str, Any] = {
            "penalty": losses[variant],
            "graph_weight": 1000.0,
            "label_weight": 1.0,
            "beta": 10.0,
            "relative": False,
            "class_mass": None,
            "graph": "plain",
            "affinity": "heat",
            "heat_width": 1.0,
            "init": "random",
            "basis": "penalty",
            "exact": False,
        }
        return cls(**(settings | changes))

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None, *, affinity: Any = None) -> "RONMF":
        """Factorise `X` and cluster its samples.

        Parameters
        ----------
        X : array of shape (n_samples, n_features)
            Non-negative data: a NumPy array, or an array of another array API library, such as a
            torch tensor on CPU or CUDA, in which the work is then done.
        y : array-like of shape (n_samples,), default=None
            Class names of any type; -1 marks unlabelled samples.
        affinity : array or sparse matrix of shape (n_samples, n_samples), default=None
            Symmetric non-negative weights, with ``affinity="precomputed"`` only.

        Returns
        -------
        RONMF
            The fitted estimator.
        """
        with self._nothing_half_written():
            return self._fit(self._validate_X(X, reset=True), y, affinity)

    def _fit(self, X: Any, y: Any, affinity: Any) -> "RONMF":
        penalty = clone(check_penalty(self.penalty))  # a later set_params must not reach the fit
        known = encode_labels(y, X.shape[0], self.n_clusters)
        n_clusters, n_components = len(known.classes), self._n_parts(X, len(known.classes))
        if self.graph_weight == "auto" and not self.relative:
            raise ValueError(
                "graph_weight='auto' is a relative weight; give a number with relative=False."
            )
        rng = check_random_state(self.random_state)
        progress = SweepCallback(self, self.max_iter)

        last = getattr(self, "_last_fit", None) if self.warm_start else None
        if last is not None and not last.is_on(X):
            last = None
        settings = self._graph_settings()
        found = last.graph_for(known, settings) if last is not None else None
        if found is None:
            found = self._find_graph(X, known.codes, affinity, rng)
        if last is not None and not last.can_start(
            known.classes, n_components, self._loss_settings()
        ):
            last = None
        W = affinity_of(found.graph)
        edited = add_label_edges(W, known.codes) if self.label_edges else W
        summary = graph_summary(edited, known.codes)
        if self.affinity == "precomputed" and self.relative and W.nnz:
            # Only ratios of weights matter then: at mean degree one they cannot overflow.
            unit = W.shape[0] / W.sum()
            W, edited = W * unit, edited * unit
        on_data = GraphOnData.build(edited, X)
        anchors = None if last is None else last.anchors_with(known.codes)
        if anchors is None:
            anchors = seed_clusters(edited, known.codes, n_clusters, rng)
        # Judged without label edges: they would show the graph the labels it must guess.
        plain = GraphOnData.build(W, X) if self.label_edges else on_data
        trials = self._trials(found, known.codes, plain, rng)
        if self.graph_weight == "auto":
            # The fewer the anchors, the more edges lie between a sample and the nearest of them,
            # and at each the data term has its say: the graph's weight must grow in proportion.
            graph_weight = graph_trust(X, known.codes, trials) / float((anchors >= 0).mean())
        else:
            graph_weight = float(self.graph_weight)

        if last is not None:
            U, A, Z = last.result.U, last.result.A, last.result.Z
            units, residual = last.units, last.result.residual
            residual.X = X  # the caller may have overwritten the array of the last fit
            residual.change_beta(self.beta / units.loss.scale**2)
            self._last_fit = None  # from here on the residual changes: an interrupted fit loses it
        else:
            U, A, Z = self._start(X, on_data, anchors, n_clusters, n_components, rng)
            units = Units(GroupLoss(penalty, self.groups), 1.0)
            if self.relative:
                units = Units.measure(X, U, A @ Z, penalty, self.groups)
            residual = Residual(X, units.loss, self.beta / units.loss.scale**2)
        lam, mu = graph_weight, self.label_weight
        if self.relative:
            lam, mu = units.weights(graph_weight, self.label_weight, on_data.mean_degree)
        result = solve(
            X,
            U,
            A,
            Z,
            on_data.terms(anchors, n_clusters, lam, mu),
            residual,
            max_iter=self.max_iter,
            tol=self.tol,
            basis=self.basis,
            exact=self.exact,
            balance=self.balance,
            callback=progress,
        )
        progress.finish()
        if result.n_iter == self.max_iter and not result.converged:
            warnings.warn(
                f"RONMF {result.stop_reason}; see history_, and raise max_iter or tol, or set"
                " balance=True.",
                ConvergenceWarning,
                stacklevel=3,
            )

        A, Z = result.A, result.Z
        factors = np.ones(n_clusters)
        if self.class_mass == "labels":
            factors = mass_factors(to_numpy(A), known.codes)
        factors = from_numpy(factors, A)
        A, Z = A * factors, Z / factors[:, None]  # their product does not see it
        omega = result.residual.group_weights()
        self._keep_memberships(A, Z @ result.U.T, known.classes)
        self.graph_weight_, self.graph_summary_ = graph_weight, summary
        self.components_, self.amplitudes_ = result.U.T, Z
        self.group_weights_ = _relative_to_median(omega, result.residual.beta)
        self.history_, self.n_iter_ = result.history, result.n_iter
        self.converged_, self.stop_reason_ = result.converged, result.stop_reason
        self.graph_, self.graph_report_ = found.graph, found.report
        self._calibration = calibrate_on_trials(trials, known.codes)
        self.label_distributions_ = self._calibration.probabilities(shares(to_numpy(A)))
        residuals = to_numpy(group_norms(X, result.U, A @ Z, "samples"))
        self.outlier_score_ = outlier_scores(residuals, found.graph, self.label_distributions_)
        self._known = known.codes >= 0
        # In the units of the fit, where distances between memberships mean what they meant there.
        self._new_samples = NewSampleModel(
            result.U, result.A, result.Z, units.loss, omega, lam, result.residual.beta, factors
        )
        # Residual and data are large: they are kept only for those who will use them.
        self._last_fit = None
        if self.warm_start:
            self._last_fit = LastFit(
                X=array_namespace(X).asarray(X, copy=True),
                found=found,
                graph_settings=settings,
                classes=known.classes,
                anchors=anchors,
                loss_settings=self._loss_settings(),
                units=units,
                result=result,
            )
        return self

    def query(self, n: int = 1) -> np.ndarray:
        """Return the samples to label next: uncertain, and typical of others that are.

        Parameters
        ----------
        n : int, default=1
            How many.

        Returns
        -------
        ndarray of int, shape (min(n, number of unlabelled samples),)
            Indices into the data of ``fit``, the most useful first.

        Examples
        --------
        >>> import numpy as np
        >>> from ronmf import RONMF
        >>> X = np.array([[1.0, 0.0], [0.9, 0.1], [0.5, 0.5], [0.1, 0.9], [0.0, 1.0]])
        >>> model = RONMF(n_neighbors=2, random_state=0).fit(X, [0, -1, -1, -1, 1])
        >>> model.query(1).tolist()
        [2]
        """
        check_is_fitted(self)
        if not isinstance(n, Integral) or n < 1:
            raise ValueError(f"n={n!r} is not a whole number from 1; say how many to suggest.")
        W = affinity_of(self.graph_)
        return worth_labelling(self.label_distributions_, W, self._known, int(n))

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the probability of each class, calibrated on hidden labels.

        Columns follow ``classes_``. For the samples of ``fit`` see ``label_distributions_``: here
        they count as new ones, whose labels are not known.
        """
        check_is_fitted(self)
        return self._calibration.probabilities(super().predict_proba(X))

    def _start(
        self,
        X: Any,
        graph: GraphOnData,
        anchors: np.ndarray,
        n_clusters: int,
        n_components: int,
        rng: np.random.RandomState,
    ) -> tuple[Any, Any, Any]:
        """Return the first U, A and Z."""
        if self.init == "random":
            return random_start(X, n_clusters, n_components, rng)
        A = graph.propagate(anchors, n_clusters, self.label_weight)
        U, Z = start_from_memberships(X, A, n_components, rng)
        return U, A, Z

    def _n_parts(self, X: Any, n_clusters: int) -> int:
        if self.n_components is None:
            return min(n_clusters, X.shape[1])
        if self.n_components > X.shape[1]:
            raise ValueError(
                f"n_components={self.n_components} is more than the number of features"
                f" ({X.shape[1]}), and parts may not overlap; lower it."
            )
        return self.n_components

    def _loss_settings(self) -> tuple:
        return repr(self.penalty), self.groups, self.beta, self.relative

    def _encode(self, X: Any) -> Any:
        return self._new_samples.memberships(X, *links_to(self.graph_, X))


def _relative_to_median(weights: Any, cap: float) -> Any:
    """Divide by the median of the groups neither set aside nor fitted exactly; at most 1."""
    xp = array_namespace(weights)
    typical = xp.sort(weights[(weights > 0) & (weights < cap)])
    if typical.shape[0] == 0:
        return weights / cap
    return xp.clip(weights / typical[typical.shape[0] // 2], max=1.0)
