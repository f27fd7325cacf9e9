"""NMF that is smooth over a neighbour graph."""

from typing import Any

from ..labels.encoding import KnownLabels
from ..system.parameters import COUNT, parameter, parameters
from ._multiplicative.data_fits import LeastSquaresFit
from ._multiplicative.graph_clusterer import GraphMultiplicativeClusterer
from ._multiplicative.loop import Problem
from ._multiplicative.starts import plain_start

__all__ = ["GNMF"]


@parameters
class GNMF(GraphMultiplicativeClusterer):
    r"""Graph-regularised NMF.

    It minimises :math:`\|X - VU'\|_F^2 + \lambda\,\mathrm{tr}(V'LV)` with the Laplacian L of a
    neighbour graph [1]_. The labels in `y`, if any, only name the clusters.

    Parameters
    ----------
    n_components : int, default=None
        Number of columns of V and U. None: `n_clusters`.
    graph_weight : float, default=100
        λ.

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

    n_components: int | None = parameter(default=None, allowed=[COUNT, None])

    def _problem(self, X: Any, known: KnownLabels, graph: Any) -> Problem:
        rank, smooth = self._rank(known), self._graph_term(graph, X)
        return Problem(LeastSquaresFit(X), (smooth,), lambda rng: plain_start(X, rank, rng))
