"""Robust NMF with a block of components for each class."""

from __future__ import annotations

from dataclasses import replace
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval

from ..labels.encoding import KnownLabels
from ..multiplicative.data_fits import GroupPowerFit
from ..multiplicative.loop import MultiplicativeFit, Problem
from ..multiplicative.terms import MaskedRidgeTerm
from ..numerics.arrays import from_numpy
from ..numerics.types import Seed
from ._shell import NON_NEGATIVE, MultiplicativeClusterer, Representation
from ._starts import plain_start

__all__ = ["RSNMF"]


class RSNMF(MultiplicativeClusterer):
    r"""Robust structured NMF: a block of components for each class.

    It minimises :math:`\sum_j \|x_j - U v_j\|_2^p + \lambda\|I \circ V\|_F^2`, 0 < p <= 2 [1]_.
    Every class owns `components_per_class` columns; I marks, for each labelled sample, the columns
    of the other classes.

    Parameters
    ----------
    n_clusters : int, default=None
        Number of clusters. None: as many as there are labelled classes.
    components_per_class : int, default=2
        Columns of V and U that each class owns.
    structure_weight : float, default=10
        λ.
    p : float, default=1
        Power of the residuals' lengths; 2 is least squares, less is more robust.
    assign : {"kmeans", "argmax"}, default="kmeans"
        How clusters are read: k-means on the rows of V (20 restarts), or the block of the largest
        sum.
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

    _parameter_constraints: ClassVar[dict] = {
        **MultiplicativeClusterer._loop_constraints,
        "components_per_class": [Interval(Integral, 1, None, closed="left")],
        "structure_weight": [NON_NEGATIVE],
        "p": [Interval(Real, 0, 2, closed="right")],
    }

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        components_per_class: int = 2,
        structure_weight: float = 10.0,
        p: float = 1.0,
        assign: str = "kmeans",
        n_init: int = 10,
        max_iter: int = 200,
        tol: float = 0.0,
        random_state: Seed = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.components_per_class = components_per_class
        self.structure_weight = structure_weight
        self.p = p
        self.assign = assign
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def _problem(self, X: Any, known: KnownLabels, graph: Any) -> Problem:
        owner = np.repeat(np.arange(len(known.classes)), self.components_per_class)
        foreign = (known.codes[:, None] >= 0) & (known.codes[:, None] != owner)
        mask = from_numpy(foreign.astype(float), X)
        structure = MaskedRidgeTerm("V", mask, float(self.structure_weight))
        data = GroupPowerFit(X, float(self.p), "samples")
        return Problem(data, (structure,), lambda rng: plain_start(X, len(owner), rng))

    def _scores_are_named(self) -> bool:
        return self.structure_weight > 0

    def _representation(self, fit: MultiplicativeFit, norms: Any) -> Representation:
        plain = super()._representation(fit, norms)
        n_clusters = norms.shape[0] // self.components_per_class
        blocks = np.kron(np.eye(n_clusters), np.ones((self.components_per_class, 1)))
        return replace(plain, to_scores=norms[:, None] * from_numpy(blocks, norms))
