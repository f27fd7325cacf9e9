"""Robust NMF with a block of components for each class."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from numbers import Real
from typing import Any

import numpy as np
from sklearn.utils._param_validation import Interval

from ..labels.encoding import KnownLabels
from ..numerics.arrays import from_numpy
from ..system.parameters import COUNT, NON_NEGATIVE, parameter, parameters
from ._multiplicative.clusterer import MultiplicativeClusterer, Representation
from ._multiplicative.data_fits import GroupPowerFit
from ._multiplicative.loop import MultiplicativeFit, Problem
from ._multiplicative.starts import plain_start
from ._multiplicative.terms import MaskedRidgeTerm

__all__ = ["RSNMF"]


@parameters
class RSNMF(MultiplicativeClusterer):
    r"""Robust structured NMF: a block of components for each class.

    It minimises :math:`\sum_j \|x_j - U v_j\|_2^p + \lambda\|I \circ V\|_F^2`, 0 < p <= 2 [1]_.
    Every class owns `components_per_class` columns; I marks, for each labelled sample, the columns
    of the other classes.

    Parameters
    ----------
    components_per_class : int, default=2
        Columns of V and U that each class owns.
    structure_weight : float, default=10
        λ.
    p : float, default=1
        Power of the residuals' lengths; 2 is least squares, less is more robust.
    assign : {"kmeans", "argmax"}, default="kmeans"
        How clusters are read: k-means on the rows of V (20 restarts), or the block of the largest
        sum.

    Notes
    -----
    The authors' values of λ and p are not known to us. The code released with LpCNMF runs this
    method with p = 2 and λ = 0, which is plain NMF with twice the components. As in GNMF, V can
    shrink while U grows: the objective has no minimiser, and the scale at the start and the number
    of iterations matter.

    References
    ----------
    .. [1] Z. Li, J. Tang and X. He. Robust structured nonnegative matrix factorization for image
       representation. IEEE TNNLS 29, 2018.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_digits
    >>> from sklearn.preprocessing import normalize
    >>> from ronmf.baselines import RSNMF
    >>> X, truth = load_digits(n_class=3, return_X_y=True)
    >>> y = np.where(np.arange(len(truth)) % 10 == 0, truth, -1)  # one label in ten
    >>> model = RSNMF(random_state=0).fit(normalize(X), y)
    >>> bool((model.transduction_ == truth)[y == -1].mean() > 0.9)
    True
    """

    components_per_class: int = parameter(default=2, allowed=COUNT)
    structure_weight: float = parameter(default=10.0, allowed=NON_NEGATIVE)
    p: float = parameter(default=1.0, allowed=Interval(Real, 0, 2, closed="right"))

    def _problem(self, X: Any, known: KnownLabels, graph: Any) -> Problem:
        owner = np.repeat(np.arange(len(known.classes)), self.components_per_class)
        foreign = (known.codes[:, None] >= 0) & (known.codes[:, None] != owner)
        weight, mask = self.structure_weight, from_numpy(foreign.astype(float), X)
        data, structure = GroupPowerFit(X, float(self.p)), MaskedRidgeTerm("V", weight, mask)
        start = partial(plain_start, X, len(owner))
        return Problem(data, (structure,), start, named=weight > 0)

    def _representation(self, fit: MultiplicativeFit, norms: Any) -> Representation:
        plain = super()._representation(fit, norms)
        n_clusters = norms.shape[0] // self.components_per_class
        blocks = np.kron(np.eye(n_clusters), np.ones((self.components_per_class, 1)))
        return replace(plain, to_scores=norms[:, None] * from_numpy(blocks, norms))
