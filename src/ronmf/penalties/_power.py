"""Powers of the group norm: l2,1, l2,p and the squared Frobenius norm."""

import math
from typing import ClassVar

from array_api_compat import array_namespace

from ._base import Array, Penalty, soft


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
        return soft(v, step * sigma)


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
            return soft(v, c)
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
