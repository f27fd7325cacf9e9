"""NMF whose coefficients are propagated labels."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from array_api_compat import array_namespace

from ..graph import GraphRecipe
from ..graph._operator import GraphOperator
from ..labels.anchor import LabelAnchor
from ..labels.encoding import KnownLabels
from ..multiplicative.data_fits import LeastSquaresFit
from ..multiplicative.loop import Factors, Problem, Term
from ..multiplicative.terms import AnchorTerm, GraphTerm
from ..numerics.types import Seed
from ._graph_shell import GraphMultiplicativeClusterer
from ._shell import NON_NEGATIVE
from ._starts import plain_start

__all__ = ["LPNMF"]


class LPNMF(GraphMultiplicativeClusterer):
    r"""Label propagation NMF: the rows of labelled samples are their labels.

    It minimises :math:`\|X - VU'\|_F^2 + \lambda\,\mathrm{tr}(V'LV)` with one column of V for each
    class and labelled rows of V fixed to their one-hot labels [1]_. With `label_weight` μ they are
    only drawn to them, by :math:`\mu\,\mathrm{tr}((V-Y)'S(V-Y))`, which suits labels that may be
    wrong.

    Parameters
    ----------
    n_clusters : int, default=None
        Number of clusters. None: as many as there are labelled classes.
    graph_weight : float, default=10
        λ.
    label_weight : float, default=None
        μ of the relaxed form; None: labels are clamped.
    graph : {"plain", "precomputed"} or GraphRecipe, default="plain"
        The neighbour graph of X as it is, the one passed to ``fit``, or that of a recipe.
    edge_weights : {"self_tuning", "heat", "binary", "cosine"}, default="heat"
        Weights of the nearest-neighbour graph.
    n_neighbors : int, default=5
        Neighbours of each sample in the graph.
    heat_width : float, default=None
        Width of the heat kernel; None: the mean distance to a neighbour. The released code uses 1,
        for samples of unit length.
    assign : {"kmeans", "argmax"}, default="argmax"
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
    coefficients_ : array of shape (n_samples, n_clusters)
        V.
    components_ : array of shape (n_clusters, n_features)
        U': a prototype of each class.
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
    Reconstructed from the abstract; the authors' λ and μ are not known to us. What the RONMF
    paper's tables call LpNMF is most likely something else: LpCNMF without its label term, which
    is ``LpCNMF(label_weight=0, assign="kmeans")`` here.

    References
    ----------
    .. [1] L. Lan, T. Liu, X. Zhang, C. Xu and Z. Luo. Label propagated nonnegative matrix
       factorization for clustering. IEEE TKDE 34, 2022.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_digits
    >>> from sklearn.preprocessing import normalize
    >>> from ronmf.baselines import LPNMF
    >>> X, truth = load_digits(n_class=3, return_X_y=True)
    >>> y = np.where(np.arange(len(truth)) % 10 == 0, truth, -1)  # one label in ten
    >>> model = LPNMF(random_state=0).fit(normalize(X), y)
    >>> bool((model.transduction_ == truth)[y == -1].mean() > 0.9)
    True
    """

    _parameter_constraints: ClassVar[dict] = {
        **GraphMultiplicativeClusterer._graph_loop_constraints,
        "label_weight": [NON_NEGATIVE, None],
    }

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        graph_weight: float = 10.0,
        label_weight: float | None = None,
        graph: str | GraphRecipe = "plain",
        edge_weights: str = "heat",
        n_neighbors: int = 5,
        heat_width: float | None = None,
        assign: str = "argmax",
        n_init: int = 10,
        max_iter: int = 200,
        tol: float = 0.0,
        random_state: Seed = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.graph_weight = graph_weight
        self.label_weight = label_weight
        self.graph = graph
        self.edge_weights = edge_weights
        self.n_neighbors = n_neighbors
        self.heat_width = heat_width
        self.assign = assign
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def _problem(self, X: Any, known: KnownLabels, graph: Any) -> Problem:
        xp, n_clusters = array_namespace(X), len(known.classes)
        anchor = LabelAnchor.at(known.codes, n_clusters, X)
        Y, labelled = anchor.Y, anchor.anchored > 0
        terms: list[Term] = [
            GraphTerm("V", GraphOperator.build(graph, X), float(self.graph_weight))
        ]
        fixed = {}
        if self.label_weight is None:
            fixed["V"] = labelled[:, None], Y
        else:
            terms.append(AnchorTerm("V", anchor, float(self.label_weight)))

        def start(rng: np.random.RandomState) -> Factors:
            factors = plain_start(X, n_clusters, rng)
            # The first update of U must find the scale of V that the labels set.
            V = xp.where(labelled[:, None], Y, factors["V"] / xp.max(factors["V"]))
            return {"U": factors["U"], "V": V}

        return Problem(LeastSquaresFit(X), terms, start, fixed)

    def _basis_norms(self, U: Any) -> Any:
        return array_namespace(U).ones_like(U[0, :])  # the labels set the scale

    def _scores_are_named(self) -> bool:
        return self.label_weight is None or self.label_weight > 0
