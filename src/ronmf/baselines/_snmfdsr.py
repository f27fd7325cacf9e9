"""NMF with dissimilarity and similarity of labelled pairs."""

from __future__ import annotations

from typing import Any, ClassVar

from ..graph import GraphRecipe, cut_labelled_pairs
from ..graph._operator import GraphOperator
from ..labels.encoding import KnownLabels, one_hot
from ..multiplicative.data_fits import LeastSquaresFit
from ..multiplicative.loop import Problem
from ..multiplicative.terms import DissimilarityTerm, GraphTerm, SameClassTerm
from ..numerics.types import Seed
from ._graph_shell import GraphMultiplicativeClusterer
from ._shell import NON_NEGATIVE
from ._starts import plain_start

__all__ = ["SNMFDSR"]


class SNMFDSR(GraphMultiplicativeClusterer):
    r"""Semi-supervised NMF with dissimilarity and similarity regularisation.

    It minimises :math:`\|X - VU'\|_F^2 + \alpha\|D \circ VV'\|_1 + \mu\,\mathrm{tr}(V'L_SV)` [1]_.
    D marks labelled pairs of different classes; L_S is the Laplacian of a graph with weight 1
    between labelled samples of the same class, none between those of different classes, and the
    neighbour graph's weights wherever a sample is unlabelled.

    Parameters
    ----------
    n_clusters : int, default=None
        Number of clusters. None: as many as there are labelled classes.
    n_components : int, default=None
        Number of columns of V and U. None: `n_clusters`.
    graph_weight : float, default=0.02
        μ.
    dissimilarity_weight : float, default=1
        α.
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
    The default weights are those of the code released with LpCNMF; that code also scales U to unit
    column sums after every iteration, which changes the objective and is left out. The paper lets
    some unlabelled samples enter D and S in a way that its code does not show. Neither matrix is
    formed: the cost grows with n, not with n². As in GNMF, V can shrink while U grows: the
    objective has no minimiser, and the scale at the start and the number of iterations matter.

    References
    ----------
    .. [1] Y. Jia, S. Kwong, J. Hou and W. Wu. Semi-supervised non-negative matrix factorization
       with dissimilarity and similarity regularization. IEEE TNNLS 31, 2020.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_digits
    >>> from sklearn.preprocessing import normalize
    >>> from ronmf.baselines import SNMFDSR
    >>> X, truth = load_digits(n_class=3, return_X_y=True)
    >>> y = np.where(np.arange(len(truth)) % 10 == 0, truth, -1)  # one label in ten
    >>> model = SNMFDSR(random_state=0).fit(normalize(X), y)
    >>> bool((model.transduction_ == truth)[y == -1].mean() > 0.9)
    True
    """

    _parameter_constraints: ClassVar[dict] = {
        **GraphMultiplicativeClusterer._parameter_constraints,
        "dissimilarity_weight": [NON_NEGATIVE],
    }

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        n_components: int | None = None,
        graph_weight: float = 0.02,
        dissimilarity_weight: float = 1.0,
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
        self.dissimilarity_weight = dissimilarity_weight

    def _problem(self, X: Any, known: KnownLabels, graph: Any) -> Problem:
        n_clusters = len(known.classes)
        rank, Y = self._rank(n_clusters), one_hot(known.codes, n_clusters, X)
        others = GraphOperator.build(cut_labelled_pairs(graph, known.codes), X)
        terms = (
            GraphTerm("V", others, float(self.graph_weight)),
            SameClassTerm("V", Y, float(self.graph_weight)),
            DissimilarityTerm("V", Y, float(self.dissimilarity_weight)),
        )
        return Problem(LeastSquaresFit(X), terms, lambda rng: plain_start(X, rank, rng))
