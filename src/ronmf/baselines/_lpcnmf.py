"""NMF with propagated labels as a constraint."""

from __future__ import annotations

from typing import Any

import numpy as np
from array_api_compat import array_namespace, device

from ..estimators.evidence import Evidence
from ..estimators.new_samples import LinkedCoefficients
from ..estimators.reading import Reading, hints, keep_reading, query
from ..labels.anchor import LabelAnchor
from ..labels.assignment import match_names
from ..labels.encoding import KnownLabels
from ..numerics.arrays import to_numpy
from ..system.parameters import COUNT, NON_NEGATIVE, parameter, parameters
from ._multiplicative.clusterer import ASSIGN, Representation
from ._multiplicative.data_fits import LeastSquaresFit
from ._multiplicative.factor_maps import ProductMap
from ._multiplicative.graph_clusterer import GraphMultiplicativeClusterer
from ._multiplicative.loop import Factors, MultiplicativeFit, Problem
from ._multiplicative.starts import basis_start, uniform
from ._multiplicative.terms import AnchorTerm

__all__ = ["LpCNMF"]


@parameters
class LpCNMF(GraphMultiplicativeClusterer):
    r"""Label-propagation constrained NMF.

    It minimises :math:`\|X - AZU'\|_F^2 + \lambda\,\mathrm{tr}(A'LA) +
    \mu\,\mathrm{tr}((A-Y)'S(A-Y))` [1]_: the model of :class:`~ronmf.RONMF` with least squares in
    place of the robust loss and without orthogonality.

    Parameters
    ----------
    n_components : int, default=None
        Number of columns of Z and U. None: `n_clusters`.
    graph_weight : float, default=10
        λ.
    label_weight : float, default=None
        μ; None: λ, as published.
    assign : {"argmax", "kmeans"}, default="argmax"
        How clusters are read: the largest entry of A, or k-means on the rows of AZ (20 restarts),
        as in the authors' code.

    Attributes
    ----------
    membership_ : array of shape (n_samples, n_clusters)
        A.
    label_distributions_ : ndarray of shape (n_samples, n_clusters)
        A with rows scaled to sum to one; not calibrated.
    outlier_score_ : ndarray of shape (n_samples,)
        How strange each sample is beside its neighbours; about 1 for ordinary ones.
    coefficients_ : array of shape (n_samples, n_components)
        AZ, for the basis below.

    Notes
    -----
    A predicts labels, so its largest entry is the class; k-means on AZ, which the authors' code
    reads instead, forgets which column is which class and does worse on hard data (see the results
    in the documentation). Their code also multiplies Z by the square roots of the norms that it
    divides A and U by, which changes the product; here the scales balance.

    References
    ----------
    .. [1] J. Liu, Y. Wang, J. Ma, D. Han and Y. Huang. Constrained nonnegative matrix
       factorization based on label propagation for data representation. IEEE Trans. Artificial
       Intelligence 5, 2024.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_digits
    >>> from sklearn.preprocessing import normalize
    >>> from ronmf.baselines import LpCNMF
    >>> X, truth = load_digits(n_class=3, return_X_y=True)
    >>> y = np.where(np.arange(len(truth)) % 10 == 0, truth, -1)  # one label in ten
    >>> model = LpCNMF(random_state=0).fit(normalize(X), y)
    >>> bool((model.transduction_ == truth)[y == -1].mean() > 0.9)
    True
    """

    n_components: int | None = parameter(default=None, allowed=[COUNT, None])
    graph_weight: float = parameter(default=10.0, allowed=NON_NEGATIVE)
    label_weight: float | None = parameter(default=None, allowed=[NON_NEGATIVE, None])
    assign: str = parameter(default="argmax", allowed=ASSIGN)

    hints = hints
    query = query

    def _problem(self, X: Any, known: KnownLabels, graph: Any) -> Problem:
        n_clusters = len(known.classes)
        rank = self.n_components or n_clusters
        weight = self.graph_weight if self.label_weight is None else self.label_weight
        anchor = LabelAnchor.at(known.codes, n_clusters, X)
        terms = self._graph_term(graph, X, "A"), AnchorTerm("A", weight, anchor)

        def start(rng: np.random.RandomState) -> Factors:
            U = basis_start(X, rank, rng)
            A, Z = uniform(rng, (X.shape[0], n_clusters), X), uniform(rng, (n_clusters, rank), X)
            return {"U": U, "Z": Z, "A": A}

        data = LeastSquaresFit(X, V=ProductMap("A", "Z"))
        return Problem(data, terms, start, named=weight > 0)

    def _representation(self, fit: MultiplicativeFit, norms: Any) -> Representation:
        A, Z, U = (fit.factors[name] for name in ("A", "Z", "U"))
        same = array_namespace(A).eye(A.shape[1], dtype=A.dtype, device=device(A))
        return Representation(
            LinkedCoefficients(Z @ U.T, A, float(self.graph_weight)), A, Z * norms, same
        )

    def _keep(self, X: Any, known: KnownLabels, fit: MultiplicativeFit) -> None:
        A, U = fit.factors["A"], fit.factors["U"]
        self.membership_ = A
        # Trials would be fits of their own; memberships are taken for probabilities as they are.
        evidence = Evidence(self.graph_, known.codes)
        rows, n_clusters = to_numpy(A), A.shape[1]
        if not fit.problem.named:  # columns in the order of the classes they stand for
            rows = rows[:, np.argsort(match_names(rows.argmax(axis=1), known.codes, n_clusters))]
        found = Reading.take(X, rows, A @ fit.factors["Z"], U, evidence, known)
        keep_reading(self, found)
