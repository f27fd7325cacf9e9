"""NMF that is smooth over a neighbour graph."""

from typing import Any

from ..graph._operator import GraphOperator
from ..labels.encoding import KnownLabels
from ..multiplicative.data_fits import LeastSquaresFit
from ..multiplicative.loop import Problem
from ..multiplicative.terms import GraphTerm
from ._graph_shell import GraphMultiplicativeClusterer
from ._starts import plain_start

__all__ = ["GNMF"]


class GNMF(GraphMultiplicativeClusterer):
    r"""Graph-regularised NMF.

    It minimises :math:`\|X - VU'\|_F^2 + \lambda\,\mathrm{tr}(V'LV)` with the Laplacian L of a
    neighbour graph [1]_. The labels in `y`, if any, only name the clusters.

    Parameters
    ----------
    n_clusters : int, default=None
        Number of clusters. None: as many as there are labelled classes.
    n_components : int, default=None
        Number of columns of V and U. None: `n_clusters`.
    graph_weight : float, default=100
        λ.
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
    The graph term shrinks as V does while U grows, so the objective has no minimiser; the scale at
    the start and the number of iterations matter. As in the authors' code the start has a basis of
    unit columns, to which the factors are brought back at the end. A new sample is joined to its
    nearest training samples by the same term.

    References
    ----------
    .. [1] D. Cai, X. He, J. Han and T. Huang. Graph regularized nonnegative matrix factorization
       for data representation. IEEE TPAMI 33, 2011.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_digits
    >>> from sklearn.preprocessing import normalize
    >>> from ronmf.baselines import GNMF
    >>> X, truth = load_digits(n_class=3, return_X_y=True)
    >>> y = np.where(np.arange(len(truth)) % 10 == 0, truth, -1)  # one label in ten
    >>> model = GNMF(random_state=0).fit(normalize(X), y)
    >>> bool((model.transduction_ == truth)[y == -1].mean() > 0.9)
    True
    """

    def _problem(self, X: Any, known: KnownLabels, graph: Any) -> Problem:
        rank = self._rank(len(known.classes))
        smooth = GraphTerm("V", GraphOperator.build(graph, X), float(self.graph_weight))
        return Problem(LeastSquaresFit(X), (smooth,), lambda rng: plain_start(X, rank, rng))
