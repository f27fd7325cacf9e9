"""NMF in which labelled samples of a class share their coefficients."""

from typing import Any

import numpy as np
import scipy.sparse as sp

from ..labels.encoding import KnownLabels
from ..system.parameters import COUNT, parameter, parameters
from ._multiplicative.clusterer import MultiplicativeClusterer
from ._multiplicative.data_fits import LeastSquaresFit
from ._multiplicative.factor_maps import LinearMap
from ._multiplicative.loop import Factors, Problem
from ._multiplicative.starts import plain_start

__all__ = ["CNMF", "constraint_matrix"]


@parameters
class CNMF(MultiplicativeClusterer):
    r"""Constrained NMF: labelled samples of a class share one row of coefficients.

    It minimises :math:`\|X - PZU'\|_F^2` [1]_. P gives every labelled sample the row of Z of its
    class and every other sample a row of its own; the method has no parameter.

    Parameters
    ----------
    n_components : int, default=None
        Number of columns of V and U. None: `n_clusters`.
    assign : {"kmeans", "argmax"}, default="kmeans"
        How clusters are read: k-means on the rows of V = PZ (20 restarts), or the largest entry.

    Attributes
    ----------
    coefficients_ : array of shape (n_samples, n_components)
        V = PZ, for the basis below.

    Notes
    -----
    P follows the order of the samples as they are given. The code released with LpCNMF builds it
    for labelled samples first while its samples are shuffled, which ties samples of different
    classes together; ``benchmarks/baselines.py`` measures what that costs.

    References
    ----------
    .. [1] H. Liu, Z. Wu, X. Li, D. Cai and T. Huang. Constrained nonnegative matrix factorization
       for image representation. IEEE TPAMI 34, 2012.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_digits
    >>> from sklearn.preprocessing import normalize
    >>> from ronmf.baselines import CNMF
    >>> X, truth = load_digits(n_class=3, return_X_y=True)
    >>> y = np.where(np.arange(len(truth)) % 10 == 0, truth, -1)  # one label in ten
    >>> model = CNMF(random_state=0).fit(normalize(X), y)
    >>> bool((model.transduction_ == truth)[y == -1].mean() > 0.9)
    True
    """

    n_components: int | None = parameter(default=None, allowed=[COUNT, None])

    def _problem(self, X: Any, known: KnownLabels, graph: Any) -> Problem:
        rank, P = self._rank(known), constraint_matrix(known.codes)

        def start(rng: np.random.RandomState) -> Factors:
            factors = plain_start(X, rank, rng)
            return {"Z": factors["V"][: P.shape[1], :], "U": factors["U"]}

        return Problem(LeastSquaresFit(X, V=LinearMap("Z", P, X)), (), start)


def constraint_matrix(codes: np.ndarray) -> sp.csr_array:
    """Return P (n x rows of Z): a row for each labelled class, then one for each other sample.

    Examples
    --------
    >>> constraint_matrix(np.array([0, -1, 0])).toarray().tolist()
    [[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]
    """
    n_classes, free = codes.max(initial=-1) + 1, codes < 0
    rows = np.where(free, n_classes + np.cumsum(free) - 1, codes)
    shape = (len(codes), n_classes + int(free.sum()))
    return sp.csr_array((np.ones(len(codes)), (np.arange(len(codes)), rows)), shape=shape)
