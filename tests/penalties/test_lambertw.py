"""Lambert's W against SciPy and against 60 digits."""

import decimal
from decimal import Decimal

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import lambertw

from ronmf.penalties._exponential import lambertw0


def test_lambertw_agrees_with_scipy():
    x = -np.concatenate([np.linspace(0, 0.3678, 4001), np.geomspace(1e-300, 1e-2, 500)])
    assert_allclose(lambertw0(x), lambertw(x).real, rtol=2e-14, atol=0)
    x32 = x.astype(np.float32)
    assert_allclose(lambertw0(x32), lambertw(x32.astype(float)).real, rtol=5e-6, atol=1e-44)


def test_lambertw_keeps_its_digits_at_the_branch_point():
    # SciPy loses half its digits here, so the reference is Newton's method with 60 digits.
    x = np.append(-np.exp(-1) + np.array([6e-17, 1e-15, 1e-12, 1e-8, 1e-5, 1e-3, 0.05]), -0.25)
    with decimal.localcontext() as context:
        context.prec = 60
        reference = []
        for number in map(Decimal, x.tolist()):
            w = Decimal("-0.3")  # f is convex and increasing right of -1: descends to the root
            for _ in range(120):
                w -= (w - number * (-w).exp()) / (1 + w)
            reference.append(float(w))
    assert_allclose(lambertw0(x), reference, rtol=1e-9)  # 1e-15 with NumPy 2
    assert_array_equal(lambertw0(np.array([-np.exp(-1), -0.4, 0.0])), [-1.0, -1.0, 0.0])
