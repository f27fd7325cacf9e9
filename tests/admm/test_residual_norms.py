"""The norms that the error step works with, beside the buffer they are of."""

import numpy as np
import pytest

from ronmf.admm.buffered import BufferedResidual
from ronmf.admm.loss import GroupLoss
from ronmf.penalties import MCP


@pytest.mark.parametrize("groups", ["features", "samples"])
def test_norms_stay_those_of_the_buffer_while_the_residual_falls(groups):
    for dtype in (np.float32, np.float64):
        rng = np.random.default_rng(0)
        U = np.linalg.qr(rng.random((30, 3)))[0].astype(dtype)
        P = rng.random((400, 3)).astype(dtype)
        X = (P @ U.T + 0.3 * rng.random((400, 30))).astype(dtype)
        residual = BufferedResidual(X, GroupLoss(MCP(1.0, 3.0), groups), beta=1.0)
        for sweep in range(30):
            # From a poor model to a good one: the buffer shrinks by orders of magnitude
            residual.advance(U, P * (1 - dtype(0.7) ** sweep))
        axis = 0 if groups == "features" else 1
        true = (residual.V.astype(np.float64) ** 2).sum(axis=axis)
        np.testing.assert_allclose(
            residual._square, true, rtol=1e-6 if dtype == np.float32 else 1e-12
        )


def test_the_products_kept_of_the_last_pass_are_those_of_the_target():
    rng = np.random.default_rng(1)
    X, U, P = rng.random((50, 12)), np.eye(12)[:, :4], rng.random((50, 4))
    residual = BufferedResidual(X, GroupLoss(MCP(1.0, 3.0)), beta=2.0)
    residual.advance(U, P)
    for beta in (2.0, 5.0):
        residual.change_beta(beta)
        target = X - residual.error() - residual.multiplier() / beta
        np.testing.assert_allclose(residual.target_transposed_times(P), target.T @ P, atol=1e-12)
        other = rng.random((50, 4))
        np.testing.assert_allclose(
            residual.target_transposed_times(other), target.T @ other, atol=1e-12
        )
        np.testing.assert_allclose(residual.target_times(U), target @ U, atol=1e-12)
