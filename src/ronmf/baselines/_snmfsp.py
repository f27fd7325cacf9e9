"""Structure-preserving semi-supervised NMF."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from array_api_compat import array_namespace

from ..graph import GraphRecipe
from ..graph._operator import GraphOperator
from ..labels.encoding import KnownLabels, is_labelled, one_hot
from ..multiplicative.data_fits import LeastSquaresFit
from ..multiplicative.factor_maps import Factor, MaskedMap
from ..multiplicative.loop import Factors, MultiplicativeFit, Problem
from ..multiplicative.terms import GraphTerm, ScaledTerm
from ..numerics.arrays import from_numpy
from ..numerics.types import Seed
from ._graph_shell import GraphMultiplicativeClusterer
from ._shell import NON_NEGATIVE, Representation
from ._starts import plain_start, uniform

__all__ = ["SNMFSP"]


class SNMFSP(GraphMultiplicativeClusterer):
    r"""Structure-preserving semi-supervised NMF.

    It minimises :math:`\|X - VU'\|_F^2 + \alpha\|S(M - VB')\|_F^2 + \beta\|U - EB\|_F^2 +
    \lambda\,\mathrm{tr}(V'LV)` [1]_: labels M are predicted from the rows of V by B, which also
    ties the basis U to class patterns E.

    Parameters
    ----------
    n_clusters : int, default=None
        Number of clusters. None: as many as there are labelled classes.
    n_components : int, default=None
        Number of columns of V and U. None: `n_clusters`.
    graph_weight : float, default=10
        λ.
    label_weight : float, default=100
        α.
    basis_weight : float, default=1
        β.
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
        How clusters are read: k-means on the rows of V (20 restarts), or the largest entry
        of VB', the predicted label.
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
    The updates follow the authors' code; the objective is reconstructed from them. Not
    recoverable, and chosen here: the weights in the label matrix, ``M = 1/sqrt(size)`` of the
    labelled class, so that classes with few labels count as much as others; one row of B for each
    class; α and λ; k-means on V. As in GNMF, V can shrink while U grows: the objective has no
    minimiser, and the scale at the start and the number of iterations matter.

    References
    ----------
    .. [1] W. Jing, L. Lu and W. Ou. Semi-supervised non-negative matrix factorization with
       structure preserving for image clustering. Neural Networks 187, 2025.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_digits
    >>> from sklearn.preprocessing import normalize
    >>> from ronmf.baselines import SNMFSP
    >>> X, truth = load_digits(n_class=3, return_X_y=True)
    >>> y = np.where(np.arange(len(truth)) % 10 == 0, truth, -1)  # one label in ten
    >>> model = SNMFSP(random_state=0).fit(normalize(X), y)
    >>> bool((model.transduction_ == truth)[y == -1].mean() > 0.9)
    True
    """

    _parameter_constraints: ClassVar[dict] = {
        **GraphMultiplicativeClusterer._parameter_constraints,
        "label_weight": [NON_NEGATIVE],
        "basis_weight": [NON_NEGATIVE],
    }

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        n_components: int | None = None,
        graph_weight: float = 10.0,
        label_weight: float = 100.0,
        basis_weight: float = 1.0,
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
        self.label_weight = label_weight
        self.basis_weight = basis_weight

    def _problem(self, X: Any, known: KnownLabels, graph: Any) -> Problem:
        n_clusters = len(known.classes)
        rank = self._columns(n_clusters)
        sizes = np.bincount(known.codes[known.codes >= 0], minlength=n_clusters)
        if self.assign == "argmax" and not sizes.all():
            raise ValueError(
                f"assign='argmax' reads predicted labels, but {np.sum(sizes == 0)} of {n_clusters}"
                " clusters have no labelled sample; label one of each or use assign='kmeans'."
            )
        M = one_hot(known.codes, n_clusters, X) * from_numpy(1 / np.sqrt(np.maximum(sizes, 1)), X)
        label_fit = LeastSquaresFit(M, V=MaskedMap("V", is_labelled(known.codes, X)), B=Factor("B"))
        terms = (
            ScaledTerm(label_fit, float(self.label_weight)),
            BasisTerm(float(self.basis_weight)),
            GraphTerm("V", GraphOperator.build(graph, X), float(self.graph_weight)),
        )

        def start(rng: np.random.RandomState) -> Factors:
            factors = plain_start(X, rank, rng)
            B, E = uniform(rng, (n_clusters, rank), X), uniform(rng, (X.shape[1], n_clusters), X)
            return {"U": factors["U"], "V": factors["V"], "B": B, "E": E}

        return Problem(LeastSquaresFit(X), terms, start)

    def _scores_are_named(self) -> bool:
        return self.label_weight > 0

    def _representation(self, fit: MultiplicativeFit, norms: Any) -> Representation:
        return replace(super()._representation(fit, norms), to_scores=fit.factors["B"].T)


@dataclass(frozen=True)
class BasisTerm:
    r"""The term :math:`\beta\|U - EB\|_F^2` in three factors."""

    weight: float

    def value(self, factors: Factors) -> float:
        """Return the term's value."""
        R = factors["U"] - factors["E"] @ factors["B"]
        return self.weight * float(array_namespace(R).sum(R * R))

    def split(self, name: str, factors: Factors) -> tuple[Any, Any] | None:
        """Return the parts of half the gradient."""
        U, E, B = factors["U"], factors["E"], factors["B"]
        if name == "U":
            return self.weight * (E @ B), self.weight * U
        if name == "E":
            return self.weight * (U @ B.T), self.weight * (E @ (B @ B.T))
        if name == "B":
            return self.weight * (E.T @ U), self.weight * ((E.T @ E) @ B)
        return None
