"""The interface of a penalty, and its check."""

import math
from numbers import Real
from typing import Any, ClassVar

from array_api_compat import array_namespace
from sklearn.base import BaseEstimator

Array = Any  # the array API standard has no base class to name here


def soft(v: Array, threshold: float) -> Array:
    """Return soft thresholding, the proximal operator of ``threshold * t``."""
    return array_namespace(v).clip(v - threshold, min=0.0)


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

    def provides(self) -> frozenset[str]:
        """Return which of ``value``, ``weight`` and ``prox`` a subclass has written."""
        hooks = {"value": "_value", "weight": "_slope", "prox": "_prox"}
        return frozenset(
            name
            for name, hook in hooks.items()
            if getattr(type(self), hook) is not getattr(Penalty, hook)
        )

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
