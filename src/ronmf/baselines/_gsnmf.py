"""NMF with a neighbour graph and a smooth basis."""

from __future__ import annotations

from numbers import Real
from typing import Any

from sklearn.utils._param_validation import Interval

from ..labels.encoding import KnownLabels
from ..system.parameters import COUNT, NON_NEGATIVE, parameter, parameters
from ._multiplicative.data_fits import LeastSquaresFit
from ._multiplicative.graph_clusterer import GraphMultiplicativeClusterer
from ._multiplicative.loop import Problem
from ._multiplicative.starts import plain_start
from ._multiplicative.terms import PowerTerm

__all__ = ["GSNMF"]


@parameters
class GSNMF(GraphMultiplicativeClusterer):
    r"""Graph-regularised NMF with an lp-smooth basis.

    It minimises :math:`\|X - VU'\|_F^2 + \lambda\,\mathrm{tr}(V'LV) + \mu\|U\|_p^p` [1]_. The
    labels in `y`, if any, only name the clusters.

    Parameters
    ----------
    n_components : int, default=None
        Number of columns of V and U. None: `n_clusters`.
    graph_weight : float, default=100
        λ.
    basis_weight : float, default=1
        μ.
    p : float, default=1.5
        The power, from 1 to 2.

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

    n_components: int | None = parameter(default=None, allowed=[COUNT, None])
    basis_weight: float = parameter(default=1.0, allowed=NON_NEGATIVE)
    p: float = parameter(default=1.5, allowed=Interval(Real, 1, 2, closed="both"))

    def _problem(self, X: Any, known: KnownLabels, graph: Any) -> Problem:
        rank, smooth = self._rank(known), PowerTerm("U", self.basis_weight, float(self.p))
        terms = self._graph_term(graph, X), smooth
        return Problem(LeastSquaresFit(X), terms, lambda rng: plain_start(X, rank, rng))
