"""NMF with dissimilarity and similarity of labelled pairs."""

from __future__ import annotations

from typing import Any

from ..graph._matrix import cut_labelled_pairs
from ..labels.encoding import KnownLabels, one_hot
from ..system.parameters import COUNT, NON_NEGATIVE, parameter, parameters
from ._multiplicative.data_fits import LeastSquaresFit
from ._multiplicative.graph_clusterer import GraphMultiplicativeClusterer
from ._multiplicative.loop import Problem
from ._multiplicative.starts import plain_start
from ._multiplicative.terms import DissimilarityTerm, SameClassTerm

__all__ = ["SNMFDSR"]


@parameters
class SNMFDSR(GraphMultiplicativeClusterer):
    r"""Semi-supervised NMF with dissimilarity and similarity regularisation.

    It minimises :math:`\|X - VU'\|_F^2 + \alpha\|D \circ VV'\|_1 + \mu\,\mathrm{tr}(V'L_SV)` [1]_.
    D marks labelled pairs of different classes; L_S is the Laplacian of a graph with weight 1
    between labelled samples of the same class, none between those of different classes, and the
    neighbour graph's weights wherever a sample is unlabelled.

    Parameters
    ----------
    n_components : int, default=None
        Number of columns of V and U. None: `n_clusters`.
    graph_weight : float, default=0.02
        μ.
    dissimilarity_weight : float, default=1
        α.

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

    n_components: int | None = parameter(default=None, allowed=[COUNT, None])
    graph_weight: float = parameter(default=0.02, allowed=NON_NEGATIVE)
    dissimilarity_weight: float = parameter(default=1.0, allowed=NON_NEGATIVE)

    def _problem(self, X: Any, known: KnownLabels, graph: Any) -> Problem:
        rank, Y = self._rank(known), one_hot(known.codes, len(known.classes), X)
        terms = (
            self._graph_term(cut_labelled_pairs(graph, known.codes), X),
            SameClassTerm("V", self.graph_weight, Y),
            DissimilarityTerm("V", self.dissimilarity_weight, Y),
        )
        return Problem(LeastSquaresFit(X), terms, lambda rng: plain_start(X, rank, rng))
