"""Penalties on arrays of other libraries."""

import array_api_strict
import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.base import clone

from support.penalties import CASES, V


@pytest.mark.parametrize("penalty", CASES, ids=repr)
def test_array_api_strict_agrees_with_numpy(penalty):
    with array_api_strict.ArrayAPIStrictFlags(api_version="2024.12"):
        for dtype in ("float32", "float64"):
            v = V.astype(dtype)
            strict = array_api_strict.asarray(v)
            pairs = [(penalty.value(strict), penalty.value(v))]
            pairs += [(penalty.weight(strict), penalty.weight(v))]
            pairs += [(penalty.prox(strict, step), penalty.prox(v, step)) for step in (0.2, 1, 5)]
            if "rule" in penalty.get_params():
                printed = clone(penalty).set_params(rule="printed")
                pairs.append((printed.prox(strict, 0.5), printed.prox(v, 0.5)))
            for got, expected in pairs:
                assert isinstance(got, type(strict))
                assert got.dtype == strict.dtype
                assert_allclose(np.asarray(got), expected, rtol=1e-6)


@pytest.mark.parametrize("penalty", CASES, ids=repr)
def test_torch_agrees_with_numpy(penalty):
    torch = pytest.importorskip("torch")
    for dtype in (torch.float32, torch.float64):
        tensor = torch.asarray(V, dtype=dtype)
        rtol = 1e-4 if dtype == torch.float32 else 1e-12
        for method, args in [
            (penalty.value, ()),
            (penalty.weight, ()),
            (penalty.prox, (0.2,)),
            (penalty.prox, (1.1,)),
            (penalty.prox, (5.3,)),
        ]:
            got = method(tensor, *args)
            assert got.dtype == dtype
            # In the same precision: at a kink, rounding alone decides on the side.
            expected = method(tensor.numpy(), *args)
            assert_allclose(got.numpy(), expected, rtol=rtol, atol=rtol)
