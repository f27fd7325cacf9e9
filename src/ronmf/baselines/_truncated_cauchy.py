"""NMF with the truncated Cauchy loss."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from numbers import Real
from typing import Any

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

from ..labels.encoding import KnownLabels
from ..system.parameters import COUNT, parameter, parameters
from ._multiplicative.cauchy_fit import (
    CauchyCoefficients,
    TruncatedCauchyFit,
    nagy_scale,
    sample_residual,
    three_sigma_threshold,
)
from ._multiplicative.clusterer import MultiplicativeClusterer, Representation
from ._multiplicative.data_fits import LeastSquaresFit
from ._multiplicative.loop import (
    STOPPED,
    TRIAL,
    Factors,
    MultiplicativeFit,
    ObjectiveHistory,
    Problem,
    minimise,
    ran_out,
)
from ._multiplicative.starts import plain_start

__all__ = ["TruncatedCauchyNMF"]

_FEW = 512  # components that need no reason: predictions take the square of them
_STAGES = 3


@parameters
class TruncatedCauchyNMF(MultiplicativeClusterer):
    r"""NMF with the truncated Cauchy loss of single entries.

    It minimises :math:`\sum_{ij} \log(1 + \min(e_{ij}^2, \theta^2)/\gamma^2)`, e being the
    residual ``X - VU'`` [1]_: large errors count little, those beyond θ not at all. The labels in
    `y`, if any, only name the clusters.

    Parameters
    ----------
    n_components : int, default=None
        Number of columns of V and U. None: `n_clusters`.
    scale : float or "nagy", default="nagy"
        γ; "nagy" estimates it from the residual by maximum likelihood.
    truncate : bool, default=True
        Whether entries beyond θ are set aside: three standard deviations above the mean of the
        smaller half of the residual's sizes, but at least their root mean square.

    Attributes
    ----------
    scale_, threshold_ : float
        γ and θ of the last stage.

    Notes
    -----
    Half-quadratic: residual entries get weights, then multiplicative updates follow, the cheaper
    of the solvers in the authors' code. The starts are compared by 30 iterations of least squares,
    not counted in ``n_iter_``. Scale and threshold are estimated after that and, so that the
    objective can be followed down, renewed twice only, each in its own stage of a third of
    `max_iter`; the objective in ``history_`` may rise where a stage begins. An iteration costs
    three times as many products with arrays of the data's size as one of NMF. The published rule
    for θ is severe: it sets aside about a third of the entries of clean data.

    References
    ----------
    .. [1] N. Guan, T. Liu, Y. Zhang, D. Tao and L. S. Davis. Truncated Cauchy non-negative matrix
       factorization. IEEE TPAMI 41, 2019.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_digits
    >>> from sklearn.preprocessing import normalize
    >>> from ronmf.baselines import TruncatedCauchyNMF
    >>> X, truth = load_digits(n_class=3, return_X_y=True)
    >>> y = np.where(np.arange(len(truth)) % 10 == 0, truth, -1)  # one label in ten
    >>> model = TruncatedCauchyNMF(n_init=3, random_state=0).fit(normalize(X), y)
    >>> bool((model.transduction_ == truth)[y == -1].mean() > 0.85)
    True
    """

    n_components: int | None = parameter(default=None, allowed=[COUNT, None])
    scale: float | str = parameter(
        default="nagy", allowed=[Interval(Real, 1e-100, 1e100, closed="both"), StrOptions({"nagy"})]
    )
    truncate: bool = parameter(default=True, allowed="boolean")

    def _problem(self, X: Any, known: KnownLabels, graph: Any) -> Problem:
        rank, most = self._rank(known), max(_FEW, X.shape[1])
        if rank > most:
            raise ValueError(
                f"{rank} components are more than {most}: as many as features, or {_FEW}, have a"
                " meaning; lower n_components, or n_clusters."
            )
        return Problem(LeastSquaresFit(X), (), lambda rng: plain_start(X, rank, rng))

    def _solve(
        self, X: Any, problem: Problem, rng: np.random.RandomState, progress: Any
    ) -> MultiplicativeFit:
        limit = min(TRIAL, self.max_iter)
        result = minimise(
            problem, rng, n_init=self.n_init, max_iter=limit, tol=0.0, callback=progress
        )
        stopped, factors = result.stop_reason == STOPPED, result.factors
        history, left = ObjectiveHistory(), self.max_iter
        for stage in range(_STAGES):
            # Equal shares of the rest; none if stopped among the starts, then only the loss is set.
            share = 0 if stopped else -(-left // (_STAGES - stage))
            loss = TruncatedCauchyFit(X, *self._estimate(X, **factors))
            problem = Problem(loss, (), partial(_go_on, factors))
            result = minimise(problem, rng, max_iter=share, tol=self.tol, callback=progress)
            history.extend(result.history, self.max_iter - left)
            factors, left = result.factors, left - result.n_iter
            stopped = stopped or result.stop_reason == STOPPED
            if stopped or not left:
                break
        reason = result.stop_reason if result.converged else ran_out(self.max_iter, self.tol)
        return replace(
            result,
            history=history,
            n_iter=self.max_iter - left,
            stop_reason=STOPPED if stopped else reason,
        )

    def _max_sweeps(self) -> int:
        return self.max_iter + self.n_init * min(TRIAL, self.max_iter)

    def _estimate(self, X: Any, V: Any, U: Any) -> tuple[float, float]:
        """Return γ and θ for the residual of given factors."""
        e = sample_residual(X, V, U)
        scale = nagy_scale(e) if self.scale == "nagy" else float(self.scale)
        return scale, three_sigma_threshold(e) if self.truncate else math.inf

    def _representation(self, fit: MultiplicativeFit, norms: Any) -> Representation:
        loss, U = _loss(fit), fit.matrices[1]
        robust = CauchyCoefficients(loss.scale, loss.threshold, U)
        return replace(super()._representation(fit, norms), new_samples=robust)

    def _keep(self, X: Any, known: KnownLabels, fit: MultiplicativeFit) -> None:
        self.scale_, self.threshold_ = _loss(fit).scale, _loss(fit).threshold


def _go_on(factors: Factors, rng: np.random.RandomState) -> Factors:
    """Start where the last stage ended."""
    return factors


def _loss(fit: MultiplicativeFit) -> TruncatedCauchyFit:
    loss = fit.problem.data
    assert isinstance(loss, TruncatedCauchyFit)
    return loss
