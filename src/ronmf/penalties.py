"""Robust penalties on group norms: value, exact proximal operator and half-quadratic weight.

A penalty phi acts on non-negative group norms t, so the loss of a residual R with groups R_g
(rows or columns) is sum_g phi(||R_g||). Every method is elementwise, takes floating point arrays
of any array API library (NumPy, PyTorch, ...) and keeps their dtype and device.

MCP, SCAD and ETP have a parameter ``rule``. ``"exact"`` is the true minimiser for every step.
``"printed"`` is Table 1 of the RONMF paper [1]_ taken literally, with sigma replaced by
step * sigma and tau or gamma kept; it is there to reproduce the paper. For MCP and SCAD it is
exact at step 1, but at any other step it belongs to another penalty than the one whose value is
reported. For ETP it is not a proximal operator at all: it is discontinuous, and where it is
negative 0 is returned, since a group norm cannot be negative.

References
----------
.. [1] "Robust Orthogonal NMF with Label Propagation for Image Clustering", arXiv:2504.21472.
"""

import math
from numbers import Real
from typing import Any, ClassVar

from array_api_compat import array_namespace
from sklearn.base import BaseEstimator

Array = Any  # the array API standard has no base class to name here


def _soft(v: Array, threshold: float) -> Array:
    return array_namespace(v).clip(v - threshold, min=0.0)


def _soft_or_keep(v: Array, threshold: float, plateau: float) -> Array:
    """Return the better of soft(v, threshold) and v, where keeping v costs ``plateau``.

    This is the proximal operator of a penalty that starts as ``threshold * t``, ends on
    ``plateau`` and is so concave in between that no point there can be a minimiser.
    """
    if 2 * plateau >= threshold**2:
        switch = plateau / threshold + threshold / 2
    else:  # soft(v) is still 0 where keeping v starts to pay: hard thresholding
        switch = math.sqrt(2 * plateau)
    return array_namespace(v).where(v > switch, v, _soft(v, threshold))


def _mcp(t: Array, sigma: float, tau: float) -> Array:
    t = array_namespace(t).clip(t, max=sigma * tau)
    return t * (sigma - t / (2 * tau))


def _lambertw0(x: Array) -> Array:
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


class Penalty(BaseEstimator):
    """Common base; a subclass writes ``_value``, ``_slope`` (the derivative) and ``_prox``."""

    sigma: float
    rule: str = "exact"
    # Limits of the other parameters: exclusive lower, inclusive upper.
    _limits: ClassVar[dict[str, tuple[float, float]]] = {}

    # float() throughout: a NumPy float64 parameter would turn float32 arrays into float64.

    def value(self, t: Array) -> Array:
        """Return phi(t) for group norms t >= 0."""
        return self._value(t, float(self.sigma))

    def weight(self, t: Array) -> Array:
        """Return the half-quadratic (IRLS) weight phi'(t) / t, taken at max(t, 1e-12).

        The floor keeps the weight of an exactly fitted group finite, also in float32.
        """
        t = array_namespace(t).clip(t, min=1e-12)
        return self._slope(t, float(self.sigma)) / t

    def prox(self, v: Array, step: float) -> Array:
        """Return the global minimiser over x >= 0 of 0.5 (x - v)^2 + step phi(x).

        ``v`` is non-negative, ``step`` is any positive number. A non-convex penalty can make the
        operator jump; where two points are equally good the smaller one is returned.
        """
        sigma, step = float(self.sigma), float(step)
        if self.rule == "printed":
            return self._printed(v, step * sigma)
        return self._prox(v, sigma, step)

    def _value(self, t: Array, sigma: float) -> Array:
        raise NotImplementedError

    def _slope(self, t: Array, sigma: float) -> Array:
        raise NotImplementedError

    def _prox(self, v: Array, sigma: float, step: float) -> Array:
        raise NotImplementedError

    def _printed(self, v: Array, sigma: float) -> Array:
        return self._prox(v, sigma, 1.0)

    def validate(self) -> None:
        """Raise a ValueError about the first parameter that has no allowed value."""
        owner = type(self).__name__
        for name, (above, most) in {"sigma": (0.0, math.inf), **self._limits}.items():
            value = getattr(self, name)
            number = isinstance(value, Real) and not isinstance(value, bool)
            if not (number and math.isfinite(value) and above < value <= most):
                limit = f" and at most {most:g}" if math.isfinite(most) else ""
                raise ValueError(
                    f"{name} of {owner} must be a finite number greater than {above:g}{limit}; "
                    f"got {value!r}."
                )
        if self.rule not in ("exact", "printed"):
            raise ValueError(f"rule of {owner} must be 'exact' or 'printed'; got {self.rule!r}.")


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
        return array_namespace(v).minimum(_soft(v, step * sigma) / (1 - step / tau), v)


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
        return linear + _mcp(_soft(t, sigma), sigma, float(self.tau) - 1)

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
        return xp.minimum(xp.maximum(_soft(v, step * sigma), middle), v)


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
        x = xp.clip(v + _lambertw0(argument) / gamma, min=0.0)
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
        x = xp.where(v > sigma * (1 + 1 / gamma), v, _soft(v, sigma / gamma))
        return xp.where(v > sigma, x, xp.zeros_like(v))


class L21(Penalty):
    """Norm of the group: sigma t, the l2,1 loss of robust NMF.

    Parameters
    ----------
    sigma : float, default=1.0
        Slope; greater than 0.

    References
    ----------
    .. [1] D. Kong et al., "Robust nonnegative matrix factorization using L21-norm", CIKM 2011.

    Examples
    --------
    >>> import numpy as np
    >>> from ronmf.penalties import L21
    >>> L21().prox(np.array([0.5, 2.0, 4.0]), step=1.0)
    array([0., 1., 3.])
    """

    def __init__(self, sigma: float = 1.0) -> None:
        self.sigma = sigma

    def _value(self, t: Array, sigma: float) -> Array:
        return sigma * t

    def _slope(self, t: Array, sigma: float) -> Array:
        return sigma * array_namespace(t).ones_like(t)

    def _prox(self, v: Array, sigma: float, step: float) -> Array:
        return _soft(v, step * sigma)


class L2p(Penalty):
    """Power of the group norm: sigma t^p.

    Parameters
    ----------
    sigma : float, default=1.0
        Scale; greater than 0.
    p : float, default=0.5
        Power, greater than 0 and at most 2; non-convex, with a jump in ``prox``, below 1.

    References
    ----------
    .. [1] G. Marjanovic and V. Solo, IEEE Trans. Signal Processing 60 (2012) 5714-5724.

    Examples
    --------
    >>> import numpy as np
    >>> from ronmf.penalties import L2p
    >>> L2p(p=0.5).prox(np.array([1.0, 2.0, 4.0]), step=1.0).round(3)
    array([0.   , 1.605, 3.742])
    """

    _limits: ClassVar = {"p": (0.0, 2.0)}

    def __init__(self, sigma: float = 1.0, p: float = 0.5) -> None:
        self.sigma = sigma
        self.p = p

    def _value(self, t: Array, sigma: float) -> Array:
        return sigma * t ** float(self.p)

    def _slope(self, t: Array, sigma: float) -> Array:
        p = float(self.p)
        return sigma * p * t ** (p - 1)

    def _prox(self, v: Array, sigma: float, step: float) -> Array:
        xp, p, c = array_namespace(v), float(self.p), step * sigma
        if p == 1:
            return _soft(v, c)
        if p == 2:
            return v / (1 + 2 * c)
        switch = 0.0
        if p < 1:  # smallest non-zero minimiser, and the v where it appears
            corner = (2 * c * (1 - p)) ** (1 / (2 - p))
            switch = corner + c * p * corner ** (p - 1)
        # With x = v exp(z) a stationary point is a zero of exp(z) + b exp((p - 1) z) - 1. That is
        # convex in z and increasing right of the wanted zero, so that Newton's method started at
        # the right of it goes down to it without a safeguard.
        info = xp.finfo(v.dtype)
        base = xp.clip(v, min=max(switch, float(info.smallest_normal)))
        log_b = math.log(c * p) + (p - 2) * xp.log(base)
        z = xp.zeros_like(v) if p < 1 else xp.clip(-log_b / (p - 1), max=0.0)
        for _ in range(100):
            kept, lost = xp.exp(z), xp.exp(log_b + (p - 1) * z)
            change = (kept + lost - 1) / (kept + (p - 1) * lost)
            z = z - change
            # Quadratic convergence: one step after this one is below the rounding error.
            if not bool(xp.any(xp.abs(change) > float(info.eps) ** 0.5)):
                break
        return xp.where(v > switch, v * xp.exp(xp.clip(z, max=0.0)), xp.zeros_like(v))


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


class Frobenius(Penalty):
    """Least squares, not robust: 0.5 sigma t^2. The 1/2 makes the weight sigma.

    Parameters
    ----------
    sigma : float, default=1.0
        Scale; greater than 0.

    References
    ----------
    .. [1] D. D. Lee and H. S. Seung, "Algorithms for non-negative matrix factorization", NIPS 2000.

    Examples
    --------
    >>> import numpy as np
    >>> from ronmf.penalties import Frobenius
    >>> Frobenius().prox(np.array([0.5, 2.0, 4.0]), step=1.0)
    array([0.25, 1.  , 2.  ])
    """

    def __init__(self, sigma: float = 1.0) -> None:
        self.sigma = sigma

    def _value(self, t: Array, sigma: float) -> Array:
        return 0.5 * sigma * t**2

    def _slope(self, t: Array, sigma: float) -> Array:
        return sigma * t

    def _prox(self, v: Array, sigma: float, step: float) -> Array:
        return v / (1 + step * sigma)


PENALTIES: dict[str, type[Penalty]] = {
    "mcp": MCP,
    "scad": SCAD,
    "etp": ETP,
    "l21": L21,
    "l2p": L2p,
    "capped_l1": CappedL1,
    "frobenius": Frobenius,
}


def check_penalty(penalty: str | Penalty) -> Penalty:
    """Return a penalty with valid parameters, from its name or from an instance.

    Parameters
    ----------
    penalty : str or Penalty
        A key of ``PENALTIES`` (that class with its default parameters) or an instance, which is
        returned itself and not copied.

    Returns
    -------
    penalty : Penalty

    Raises
    ------
    ValueError
        If the name is unknown or a parameter is out of range.

    Examples
    --------
    >>> from ronmf.penalties import check_penalty
    >>> check_penalty("mcp")
    MCP()
    """
    if isinstance(penalty, str) and penalty in PENALTIES:
        return PENALTIES[penalty]()
    if not isinstance(penalty, Penalty):
        names = ", ".join(repr(name) for name in PENALTIES)
        raise ValueError(f"penalty must be one of {names} or a Penalty instance; got {penalty!r}.")
    penalty.validate()
    return penalty
