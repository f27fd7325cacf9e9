"""NMF whose coefficients are propagated labels."""

from __future__ import annotations

from typing import Any

import numpy as np
from array_api_compat import array_namespace

from ..labels.anchor import LabelAnchor
from ..labels.encoding import KnownLabels
from ..system.parameters import NON_NEGATIVE, parameter, parameters
from ._multiplicative.clusterer import ASSIGN
from ._multiplicative.data_fits import LeastSquaresFit
from ._multiplicative.graph_clusterer import GraphMultiplicativeClusterer
from ._multiplicative.loop import Factors, Problem, Term
from ._multiplicative.starts import plain_start
from ._multiplicative.terms import AnchorTerm

__all__ = ["LPNMF"]


@parameters
class LPNMF(GraphMultiplicativeClusterer):
    r"""Label propagation NMF: the rows of labelled samples are their labels.

    It minimises :math:`\|X - VU'\|_F^2 + \lambda\,\mathrm{tr}(V'LV)` with one column of V for each
    class and labelled rows of V fixed to their one-hot labels [1]_. With `label_weight` μ they are
    only drawn to them, by :math:`\mu\,\mathrm{tr}((V-Y)'S(V-Y))`, which suits labels that may be
    wrong.

    Parameters
    ----------
    graph_weight : float, default=10
        λ.
    label_weight : float, default=None
        μ of the relaxed form; None: labels are clamped.
    assign : {"kmeans", "argmax"}, default="argmax"
        How clusters are read: k-means on the rows of V (20 restarts), or the largest entry.

    Attributes
    ----------
    coefficients_ : array of shape (n_samples, n_clusters)
        V.
    components_ : array of shape (n_clusters, n_features)
        U': a prototype of each class.

    Notes
    -----
    Reconstructed from the abstract; the authors' λ and μ are not known to us. What the RONMF
    paper's tables call LpNMF is most likely something else: LpCNMF without its label term, which
    is ``LpCNMF(label_weight=0, assign="kmeans")`` here.

    References
    ----------
    .. [1] L. Lan, T. Liu, X. Zhang, C. Xu and Z. Luo. Label propagated nonnegative matrix
       factorization for clustering. IEEE TKDE 34, 2022.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_digits
    >>> from sklearn.preprocessing import normalize
    >>> from ronmf.baselines import LPNMF
    >>> X, truth = load_digits(n_class=3, return_X_y=True)
    >>> y = np.where(np.arange(len(truth)) % 10 == 0, truth, -1)  # one label in ten
    >>> model = LPNMF(random_state=0).fit(normalize(X), y)
    >>> bool((model.transduction_ == truth)[y == -1].mean() > 0.9)
    True
    """

    graph_weight: float = parameter(default=10.0, allowed=NON_NEGATIVE)
    label_weight: float | None = parameter(default=None, allowed=[NON_NEGATIVE, None])
    assign: str = parameter(default="argmax", allowed=ASSIGN)

    def _problem(self, X: Any, known: KnownLabels, graph: Any) -> Problem:
        xp, n_clusters = array_namespace(X), len(known.classes)
        anchor = LabelAnchor.at(known.codes, n_clusters, X)
        Y, labelled = anchor.Y, anchor.anchored > 0
        terms: list[Term] = [self._graph_term(graph, X)]
        fixed, weight = {}, self.label_weight
        if weight is None:
            fixed["V"] = labelled[:, None], Y
        else:
            terms.append(AnchorTerm("V", weight, anchor))

        def start(rng: np.random.RandomState) -> Factors:
            factors = plain_start(X, n_clusters, rng)
            # The first update of U must find the scale of V that the labels set.
            V = xp.where(labelled[:, None], Y, factors["V"] / xp.max(factors["V"]))
            return {"U": factors["U"], "V": V}

        return Problem(LeastSquaresFit(X), terms, start, fixed, named=weight is None or weight > 0)

    def _basis_norms(self, U: Any) -> Any:
        return array_namespace(U).ones_like(U[0, :])  # the labels set the scale
