"""NMF with a neighbour graph and a smooth basis."""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar

from sklearn.utils._param_validation import Interval

from ..graph import GraphRecipe
from ..graph._operator import GraphOperator
from ..labels.encoding import KnownLabels
from ..multiplicative.data_fits import LeastSquaresFit
from ..multiplicative.loop import Problem
from ..multiplicative.terms import GraphTerm, PowerTerm
from ..numerics.types import Seed
from ._graph_shell import GraphMultiplicativeClusterer
from ._shell import NON_NEGATIVE
from ._starts import plain_start

__all__ = ["GSNMF"]


class GSNMF(GraphMultiplicativeClusterer):
    r"""Graph-regularised NMF with an lp-smooth basis.

    It minimises :math:`\|X - VU'\|_F^2 + \lambda\,\mathrm{tr}(V'LV) + \mu\|U\|_p^p` [1]_. The
    labels in `y`, if any, only name the clusters.

    Parameters
    ----------
    n_clusters : int, default=None
        Number of clusters. None: as many as there are labelled classes.
    n_components : int, default=None
        Number of columns of V and U. None: `n_clusters`.
    graph_weight : float, default=100
        λ.
    basis_weight : float, default=1
        μ.
    p : float, default=1.5
        The power, from 1 to 2.
    graph : {"plain", "precomputed"} or GraphRecipe, default="plain"
        The neighbour graph of X as it is, the one passed to ``fit``, or that of a recipe.
    edge_weights : {"self_tuning", "heat", "binary", "cosine"}, default="heat"
        Weights of the nearest-neighbour graph.
    n_neighbors : int, default=5
        Neighbours of each sample in the graph.
    heat_width : float, default=None
        Width of the heat kernel; None: the mean distance to a neighbour. The released code uses 1,
        for samples of unit length.
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
    labels_ : ndarray of int, shape (n_samples,)
        Cluster number of each sample, an index into ``classes_``.
    transduction_ : ndarray of shape (n_samples,)
        Class name of each sample.
    classes_ : ndarray of shape (n_clusters,)
        Names: the labelled classes in sorted order, then those of further clusters.
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
    n_features_in_ : int
        Number of features.

    Notes
    -----
    The objective is reconstructed from the abstracts of this and a sibling paper; the published
    constant in front of the last term, and the authors' values of λ, μ and p, are not known to us.

    References
    ----------
    .. [1] C. Leng, H. Zhang, G. Cai, I. Cheng and A. Basu. Graph regularized Lp smooth
       non-negative matrix factorization for data representation. IEEE/CAA J. Automatica Sinica 6,
       2019.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_digits
    >>> from sklearn.preprocessing import normalize
    >>> from ronmf.baselines import GSNMF
    >>> X, truth = load_digits(n_class=3, return_X_y=True)
    >>> y = np.where(np.arange(len(truth)) % 10 == 0, truth, -1)  # one label in ten
    >>> model = GSNMF(random_state=0).fit(normalize(X), y)
    >>> bool((model.transduction_ == truth)[y == -1].mean() > 0.9)
    True
    """

    _parameter_constraints: ClassVar[dict] = {
        **GraphMultiplicativeClusterer._parameter_constraints,
        "basis_weight": [NON_NEGATIVE],
        "p": [Interval(Real, 1, 2, closed="both")],
    }

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        n_components: int | None = None,
        graph_weight: float = 100.0,
        basis_weight: float = 1.0,
        p: float = 1.5,
        graph: str | GraphRecipe = "plain",
        edge_weights: str = "heat",
        n_neighbors: int = 5,
        heat_width: float | None = None,
        assign: str = "kmeans",
        n_init: int = 10,
        max_iter: int = 200,
        tol: float = 0.0,
        random_state: Seed = None,
    ) -> None:
        super().__init__(
            n_clusters,
            n_components=n_components,
            graph_weight=graph_weight,
            graph=graph,
            edge_weights=edge_weights,
            n_neighbors=n_neighbors,
            heat_width=heat_width,
            assign=assign,
            n_init=n_init,
            max_iter=max_iter,
            tol=tol,
            random_state=random_state,
        )
        self.basis_weight = basis_weight
        self.p = p

    def _problem(self, X: Any, known: KnownLabels, graph: Any) -> Problem:
        rank = self._rank(len(known.classes))
        terms = (
            GraphTerm("V", GraphOperator.build(graph, X), float(self.graph_weight)),
            PowerTerm("U", float(self.p), float(self.basis_weight)),
        )
        return Problem(LeastSquaresFit(X), terms, lambda rng: plain_start(X, rank, rng))
