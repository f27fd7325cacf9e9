"""NMF with the l2,1 loss."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sklearn.utils._param_validation import StrOptions

from ..estimators.new_samples import LinkedCoefficients
from ..labels.encoding import KnownLabels
from ..system.parameters import COUNT, parameter, parameters
from ._multiplicative.clusterer import MultiplicativeClusterer, Representation
from ._multiplicative.data_fits import GroupPowerFit
from ._multiplicative.loop import MultiplicativeFit, Problem
from ._multiplicative.starts import plain_start

__all__ = ["RNMF"]


@parameters
class RNMF(MultiplicativeClusterer):
    r"""Robust NMF: residuals count by their length, not its square.

    It minimises :math:`\sum_j \|x_j - U v_j\|_2` over samples j [1]_, so that a sample far from
    the others cannot bend the basis towards itself. The labels in `y`, if any, only name the
    clusters.

    Parameters
    ----------
    n_components : int, default=None
        Number of columns of V and U. None: `n_clusters`.
    groups : {"samples", "features"}, default="samples"
        Whether whole samples (as published) or whole features can be outliers.

    Attributes
    ----------
    group_weights_ : array of shape (n_samples,) or (n_features,)
        How much each sample (or feature) counts at the end, one over twice its residual.

    Notes
    -----
    The RONMF paper states this loss over features; Kong's is over samples. The rules are ``V ∘
    (XU)/(VU'U)`` and ``U ∘ (X'DV)/(UV'DV)`` with D holding one over the residual lengths.

    References
    ----------
    .. [1] D. Kong, C. Ding and H. Huang. Robust nonnegative matrix factorization using L21-norm.
       CIKM 2011.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_digits
    >>> from sklearn.preprocessing import normalize
    >>> from ronmf.baselines import RNMF
    >>> X, truth = load_digits(n_class=3, return_X_y=True)
    >>> y = np.where(np.arange(len(truth)) % 10 == 0, truth, -1)  # one label in ten
    >>> model = RNMF(random_state=0).fit(normalize(X), y)
    >>> bool((model.transduction_ == truth)[y == -1].mean() > 0.85)
    True
    """

    n_components: int | None = parameter(default=None, allowed=[COUNT, None])
    groups: str = parameter(default="samples", allowed=StrOptions({"samples", "features"}))

    def _problem(self, X: Any, known: KnownLabels, graph: Any) -> Problem:
        rank, loss = self._rank(known), GroupPowerFit(X, 1.0, self.groups)
        return Problem(loss, (), lambda rng: plain_start(X, rank, rng))

    def _representation(self, fit: MultiplicativeFit, norms: Any) -> Representation:
        plain = super()._representation(fit, norms)
        if self.groups == "samples":  # a sample's own weight does not move its coefficients
            return plain
        _, U = fit.matrices
        weighted = LinkedCoefficients(U.T, plain.training, feature_weights=_weights(fit))
        return replace(plain, new_samples=weighted)

    def _keep(self, X: Any, known: KnownLabels, fit: MultiplicativeFit) -> None:
        self.group_weights_ = _weights(fit)


def _weights(fit: MultiplicativeFit) -> Any:
    loss = fit.problem.data
    assert isinstance(loss, GroupPowerFit)
    return loss.weights(fit.factors)
