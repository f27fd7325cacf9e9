"""The exponential-type penalty, with Lambert's W for its proximal operator."""

import math
from typing import ClassVar

from array_api_compat import array_namespace

from ._base import Array, Penalty, soft


def lambertw0(x: Array) -> Array:
    """Return the principal branch of Lambert's W on [-1/e, 0]; a smaller x counts as -1/e."""
    xp = array_namespace(x)
    # q = 1 + e x cancels near the branch point, so 1/e is split in two to keep its digits. The
    # constant is the part of 1/e that float64 loses.
    head = float(xp.asarray(math.exp(-1), dtype=x.dtype))
    tail = math.exp(-1) - head - 1.2428753672788363e-17
    q = xp.clip(math.e * ((x + head) + tail), min=0.0)
    root = xp.sqrt(2 * q)
    near = x < -0.25
    w = xp.where(near, root * (1 - root * (1 / 3 - root * 11 / 72)) - 1, x - x**2 + 1.5 * x**3)
    for _ in range(5):
        # Newton on e (w e^w - x) = 0. Written in u = w + 1 the residual keeps its digits near the
        # branch point (u = 0), written in w it keeps them near w = 0.
        u = w + 1
        exp_u = xp.exp(u)
        residual = xp.where(near, u * exp_u - xp.expm1(u) - q, w * exp_u - math.e * x)
        w = w - residual / (exp_u * xp.clip(u, min=float(xp.finfo(x.dtype).eps)))
    return w


class ETP(Penalty):
    """Exponential-type penalty: sigma (1 - exp(-gamma t)) / (1 - exp(-gamma)).

    Parameters
    ----------
    sigma : float, default=1.0
        Value at t = 1; greater than 0.
    gamma : float, default=1.0
        Greater than 0; the penalty tends to sigma t for a small gamma and to sigma times the
        indicator of t > 0 for a large one.
    rule : {"exact", "printed"}, default="exact"
        The true proximal operator or the paper's table (see the text of the module).

    References
    ----------
    .. [1] C. Gao et al., "A feasible nonconvex relaxation approach to feature selection",
       AAAI 2011.

    Examples
    --------
    >>> import numpy as np
    >>> from ronmf.penalties import ETP
    >>> ETP(gamma=2.0).prox(np.array([0.5, 1.5, 4.0]), step=1.0).round(3)
    array([0.   , 1.342, 3.999])
    """

    _limits: ClassVar = {"gamma": (0.0, math.inf)}

    def __init__(self, sigma: float = 1.0, gamma: float = 1.0, rule: str = "exact") -> None:
        self.sigma = sigma
        self.gamma = gamma
        self.rule = rule

    def _value(self, t: Array, sigma: float) -> Array:
        gamma = float(self.gamma)
        return array_namespace(t).expm1(-gamma * t) * (sigma / math.expm1(-gamma))

    def _slope(self, t: Array, sigma: float) -> Array:
        gamma = float(self.gamma)
        return array_namespace(t).exp(-gamma * t) * (-sigma * gamma / math.expm1(-gamma))

    def _prox(self, v: Array, sigma: float, step: float) -> Array:
        xp, gamma = array_namespace(v), float(self.gamma)
        a = -step * sigma * gamma**2 / math.expm1(-gamma)
        switch = self._switch(a) / gamma
        # Below the switch the argument of W may leave its domain or overflow; 0 wins there anyway.
        argument = -a * xp.exp(-gamma * xp.clip(v, min=switch))
        x = xp.clip(v + lambertw0(argument) / gamma, min=0.0)
        return xp.where(v > switch, x, xp.zeros_like(v))

    @staticmethod
    def _switch(a: float) -> float:
        """Return the gamma v beyond which the stationary point beats 0.

        In y = gamma x the objective is (y - gamma v)^2 / 2 + a (1 - exp(-y)) over gamma^2. It is
        convex for a <= 1. Otherwise its local minimum has y >= log(a), and inserting
        gamma v = y + a exp(-y) leaves one increasing function of y, negative where 0 is better.
        A threshold on v keeps the operator monotone, unlike a comparison of rounded objectives.
        """
        if a <= 1:
            return a
        low, high = math.log(a), math.sqrt(2 * a)
        for _ in range(60):
            y = (low + high) / 2
            if y * y / 2 + a * (y * math.exp(-y) + math.expm1(-y)) < 0:
                low = y
            else:
                high = y
        return high + a * math.exp(-high)

    def _printed(self, v: Array, sigma: float) -> Array:
        xp, gamma = array_namespace(v), float(self.gamma)
        x = xp.where(v > sigma * (1 + 1 / gamma), v, soft(v, sigma / gamma))
        return xp.where(v > sigma, x, xp.zeros_like(v))
