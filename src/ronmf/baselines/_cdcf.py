"""Concept factorisation in which every class owns a concept."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..labels.encoding import KnownLabels
from ..numerics.arrays import from_numpy
from ..system.parameters import NON_NEGATIVE, parameter, parameters
from ._multiplicative.clusterer import MultiplicativeClusterer
from ._multiplicative.data_fits import LeastSquaresFit
from ._multiplicative.factor_maps import Factor
from ._multiplicative.loop import Factors, Problem
from ._multiplicative.starts import column_lengths, uniform
from ._multiplicative.terms import LinearTerm

__all__ = ["CDCF"]


@parameters
class CDCF(MultiplicativeClusterer):
    r"""Class-driven concept factorisation.

    It minimises :math:`\|X - VW'X\|_F^2 + \alpha\,\mathrm{tr}(EV)` [1]_: each concept is a
    combination W of samples, and E charges a labelled sample for its part in the concepts of other
    classes.

    Parameters
    ----------
    label_weight : float, default=100
        α.

    Attributes
    ----------
    coefficients_ : array of shape (n_samples, n_clusters)
        V, for the basis below.
    components_ : array of shape (n_clusters, n_features)
        W'X, rows of unit length.

    Notes
    -----
    E is inferred from the paper's idea: 1 where a labelled sample is not of the class, else 0; in
    the code released with LpCNMF it is all ones on the first samples. The n x n kernel XX' is
    never formed. An iteration has four products with the data where NMF has two. The linear
    term shrinks as V does while W grows: the objective has no minimiser.

    References
    ----------
    .. [1] H. Li, J. Zhang and J. Liu. Class-driven concept factorization for image representation.
       Neurocomputing 190, 2016.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_digits
    >>> from sklearn.preprocessing import normalize
    >>> from ronmf.baselines import CDCF
    >>> X, truth = load_digits(n_class=3, return_X_y=True)
    >>> y = np.where(np.arange(len(truth)) % 10 == 0, truth, -1)  # one label in ten
    >>> model = CDCF(random_state=0).fit(normalize(X), y)
    >>> bool((model.transduction_ == truth)[y == -1].mean() > 0.9)
    True
    """

    label_weight: float = parameter(default=100.0, allowed=NON_NEGATIVE)

    def _problem(self, X: Any, known: KnownLabels, graph: Any) -> Problem:
        codes, n_clusters = known.codes[:, None], len(known.classes)
        E = from_numpy(((codes >= 0) & (codes != np.arange(n_clusters))).astype(float), X)

        def start(rng: np.random.RandomState) -> Factors:
            V, W = (uniform(rng, (X.shape[0], n_clusters), X) for _ in range(2))
            return {"V": V, "W": W / column_lengths(X.T @ W)}

        charge = LinearTerm("V", self.label_weight, E)
        return Problem(ConceptFit(X), (charge,), start, named=self.label_weight > 0)


class ConceptFit(LeastSquaresFit):
    """The term ``|X - VB'|²`` with ``B = X'W``; the n x n kernel XX' is never formed."""

    def __init__(self, X: Any) -> None:
        super().__init__(X, B=Factor("W"))

    def _sides(self, factors: Factors) -> tuple[Any, Any]:
        return factors["V"], self._once("B", self.B, factors, lambda: self.X.T @ factors["W"])

    def _split_basis(self, factors: Factors) -> tuple[Any, Any]:
        V = factors["V"]
        return self.X @ self._XtV(factors), self._XB(factors) @ (V.T @ V)
