"""Penalties that start linear and end flat: MCP, SCAD and capped l1."""

import math
from typing import ClassVar

from array_api_compat import array_namespace

from ._base import Array, Penalty, soft


def _soft_or_keep(v: Array, threshold: float, plateau: float) -> Array:
    """Return the better of soft(v, threshold) and v, where keeping v costs ``plateau``.

    This is the proximal operator of a penalty that starts as ``threshold * t``, ends on
    ``plateau`` and is so concave in between that no point there can be a minimiser.
    """
    if 2 * plateau >= threshold**2:
        switch = plateau / threshold + threshold / 2
    else:  # soft(v) is still 0 where keeping v starts to pay: hard thresholding
        switch = math.sqrt(2 * plateau)
    return array_namespace(v).where(v > switch, v, soft(v, threshold))


def _mcp(t: Array, sigma: float, tau: float) -> Array:
    t = array_namespace(t).clip(t, max=sigma * tau)
    return t * (sigma - t / (2 * tau))


class MCP(Penalty):
    """Minimax concave penalty: sigma t - t^2 / (2 tau) up to sigma tau, constant beyond.

    The proximal operator is continuous for step < tau and hard thresholding from there on.

    Parameters
    ----------
    sigma : float, default=1.0
        Slope at 0; greater than 0.
    tau : float, default=3.0
        Greater than 1; the penalty is flat from sigma tau on.
    rule : {"exact", "printed"}, default="exact"
        The true proximal operator or the paper's table (see the text of the module).

    References
    ----------
    .. [1] C.-H. Zhang, Annals of Statistics 38 (2010) 894-942.

    Examples
    --------
    >>> import numpy as np
    >>> from ronmf.penalties import MCP
    >>> MCP(tau=3.0).prox(np.array([0.5, 2.0, 4.0]), step=1.0)
    array([0. , 1.5, 4. ])
    """

    _limits: ClassVar = {"tau": (1.0, math.inf)}

    def __init__(self, sigma: float = 1.0, tau: float = 3.0, rule: str = "exact") -> None:
        self.sigma = sigma
        self.tau = tau
        self.rule = rule

    def _value(self, t: Array, sigma: float) -> Array:
        return _mcp(t, sigma, float(self.tau))

    def _slope(self, t: Array, sigma: float) -> Array:
        return array_namespace(t).clip(sigma - t / float(self.tau), min=0.0)

    def _prox(self, v: Array, sigma: float, step: float) -> Array:
        tau = float(self.tau)
        if step >= tau:
            return _soft_or_keep(v, step * sigma, step * sigma**2 * tau / 2)
        # The line through (step sigma, 0) and (sigma tau, sigma tau) meets v where phi gets flat.
        return array_namespace(v).minimum(soft(v, step * sigma) / (1 - step / tau), v)


class SCAD(Penalty):
    """Smoothly clipped absolute deviation.

    The slope is sigma up to t = sigma, falls linearly to 0 at t = sigma tau and stays 0. The
    proximal operator is continuous for step < tau - 1 and jumps from there on.

    Parameters
    ----------
    sigma : float, default=1.0
        Slope at 0; greater than 0.
    tau : float, default=3.7
        Greater than 2; the penalty is flat from sigma tau on.
    rule : {"exact", "printed"}, default="exact"
        The true proximal operator or the paper's table (see the text of the module).

    References
    ----------
    .. [1] J. Fan and R. Li, J. American Statistical Association 96 (2001) 1348-1360.

    Examples
    --------
    >>> import numpy as np
    >>> from ronmf.penalties import SCAD
    >>> SCAD(tau=3.0).prox(np.array([0.5, 1.5, 2.5, 4.0]), step=1.0)
    array([0. , 0.5, 2. , 4. ])
    """

    _limits: ClassVar = {"tau": (2.0, math.inf)}

    def __init__(self, sigma: float = 1.0, tau: float = 3.7, rule: str = "exact") -> None:
        self.sigma = sigma
        self.tau = tau
        self.rule = rule

    def _value(self, t: Array, sigma: float) -> Array:
        linear = sigma * array_namespace(t).clip(t, max=sigma)
        return linear + _mcp(soft(t, sigma), sigma, float(self.tau) - 1)

    def _slope(self, t: Array, sigma: float) -> Array:
        tau = float(self.tau)
        return array_namespace(t).clip((sigma * tau - t) / (tau - 1), min=0.0, max=sigma)

    def _prox(self, v: Array, sigma: float, step: float) -> Array:
        xp, tau = array_namespace(v), float(self.tau)
        if step >= tau - 1:
            return _soft_or_keep(v, step * sigma, step * sigma**2 * (tau + 1) / 2)
        # Three increasing lines; the middle one is the steepest and crosses the other two at the
        # knots, so the right piece is found without comparing v with them.
        middle = (v - step * sigma * tau / (tau - 1)) / (1 - step / (tau - 1))
        return xp.minimum(xp.maximum(soft(v, step * sigma), middle), v)


class CappedL1(Penalty):
    """Capped norm: sigma min(t, theta).

    Parameters
    ----------
    sigma : float, default=1.0
        Slope up to the cap; greater than 0.
    theta : float, default=1.0
        Norm from which a group costs no more; greater than 0.

    References
    ----------
    .. [1] T. Zhang, Journal of Machine Learning Research 11 (2010) 1081-1107.

    Examples
    --------
    >>> import numpy as np
    >>> from ronmf.penalties import CappedL1
    >>> CappedL1(theta=2.0).prox(np.array([0.5, 2.0, 4.0]), step=1.0)
    array([0., 1., 4.])
    """

    _limits: ClassVar = {"theta": (0.0, math.inf)}

    def __init__(self, sigma: float = 1.0, theta: float = 1.0) -> None:
        self.sigma = sigma
        self.theta = theta

    def _value(self, t: Array, sigma: float) -> Array:
        return sigma * array_namespace(t).clip(t, max=float(self.theta))

    def _slope(self, t: Array, sigma: float) -> Array:
        return sigma * array_namespace(t).astype(t <= float(self.theta), t.dtype)

    def _prox(self, v: Array, sigma: float, step: float) -> Array:
        return _soft_or_keep(v, step * sigma, step * sigma * float(self.theta))
