"""Structure-preserving semi-supervised NMF."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse as sp
from array_api_compat import array_namespace

from ..labels.encoding import KnownLabels, one_hot
from ..numerics.arrays import from_numpy
from ..system.parameters import COUNT, NON_NEGATIVE, parameter, parameters
from ._multiplicative.clusterer import Representation
from ._multiplicative.data_fits import LeastSquaresFit
from ._multiplicative.factor_maps import Factor, LinearMap
from ._multiplicative.graph_clusterer import GraphMultiplicativeClusterer
from ._multiplicative.loop import Factors, MultiplicativeFit, Problem
from ._multiplicative.starts import plain_start, uniform

__all__ = ["SNMFSP"]


@parameters
class SNMFSP(GraphMultiplicativeClusterer):
    r"""Structure-preserving semi-supervised NMF.

    It minimises :math:`\|X - VU'\|_F^2 + \alpha\|S(M - VB')\|_F^2 + \beta\|U - EB\|_F^2 +
    \lambda\,\mathrm{tr}(V'LV)` [1]_: labels M are predicted from the rows of V by B, which also
    ties the basis U to class patterns E.

    Parameters
    ----------
    n_components : int, default=None
        Number of columns of V and U. None: `n_clusters`.
    graph_weight : float, default=10
        λ.
    label_weight : float, default=100
        α.
    basis_weight : float, default=1
        β.
    assign : {"kmeans", "argmax"}, default="kmeans"
        How clusters are read: k-means on the rows of V (20 restarts), or the largest entry
        of VB', the predicted label.

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

    n_components: int | None = parameter(default=None, allowed=[COUNT, None])
    graph_weight: float = parameter(default=10.0, allowed=NON_NEGATIVE)
    label_weight: float = parameter(default=100.0, allowed=NON_NEGATIVE)
    basis_weight: float = parameter(default=1.0, allowed=NON_NEGATIVE)

    def _problem(self, X: Any, known: KnownLabels, graph: Any) -> Problem:
        n_clusters = len(known.classes)
        rank = self.n_components or n_clusters
        sizes = np.bincount(known.codes[known.codes >= 0], minlength=n_clusters)
        if self.assign == "argmax" and not sizes.all():
            raise ValueError(
                f"assign='argmax' reads predicted labels, but {np.sum(sizes == 0)} of {n_clusters}"
                " clusters have no labelled sample; label one of each or use assign='kmeans'."
            )
        M = one_hot(known.codes, n_clusters, X) * from_numpy(1 / np.sqrt(np.maximum(sizes, 1)), X)
        # Rows count with the square root of the term's weight, those without a label with 0.
        root = float(self.label_weight) ** 0.5
        rows = LinearMap("V", sp.csr_array(sp.diags(root * (known.codes >= 0))), X)
        terms = (
            LeastSquaresFit(root * M, V=rows, B=Factor("B")),
            BasisTerm(float(self.basis_weight)),
            self._graph_term(graph, X),
        )

        def start(rng: np.random.RandomState) -> Factors:
            factors = plain_start(X, rank, rng)
            B, E = uniform(rng, (n_clusters, rank), X), uniform(rng, (X.shape[1], n_clusters), X)
            return {"U": factors["U"], "V": factors["V"], "B": B, "E": E}

        return Problem(LeastSquaresFit(X), terms, start, named=self.label_weight > 0)

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
