"""The E-step: no other error does better, group by group."""

import warnings

import numpy as np
import pytest

from ronmf.admm.buffered import BufferedResidual
from ronmf.admm.loss import GroupLoss
from ronmf.penalties import L21, PENALTIES
from support.problems import random_state


@pytest.mark.parametrize("groups", ["features", "samples"])
@pytest.mark.parametrize("penalty", sorted(PENALTIES))
def test_no_competitor_is_better(penalty, groups):
    rng = np.random.default_rng(0)
    state = random_state(0, penalty=PENALTIES[penalty](), groups=groups, beta=1.5)
    residual, loss = state.residual, state.residual.loss
    before = residual.multiplier()
    # Groups of very different size: some are outliers, some vanish
    strength = np.geomspace(0.01, 3.0, residual.X.shape[1 - loss.axis])
    P = state.A @ state.Z
    residual.X = P @ state.U.T + loss.spread(strength) * rng.random(residual.X.shape)
    residual.advance(state.U, P)
    V = residual.X - P @ state.U.T - before / residual.beta

    def cost(E):
        """β/2 |E - V|² + φ(|E|) of each group."""
        size = np.linalg.norm(E, axis=loss.axis) / loss.scale
        far = ((E - V) ** 2).sum(axis=loss.axis)
        return residual.beta / 2 * far + loss.penalty.value(size)

    E = residual.error()
    best = cost(E) - 1e-9
    for share in np.linspace(0, 1.2, 61):
        assert (cost(share * V) >= best).all()
    for spread in (1e-3, 1e-2, 0.1, 1.0):
        for _ in range(20):
            assert (cost(E + spread * rng.standard_normal(E.shape)) >= best).all()
    # The error has the direction of V, or is nothing
    inner = (E * V).sum(axis=loss.axis)
    lengths = np.linalg.norm(E, axis=loss.axis) * np.linalg.norm(V, axis=loss.axis)
    np.testing.assert_allclose(inner, lengths, atol=1e-9)


@pytest.mark.parametrize("groups", ["features", "samples"])
def test_a_group_without_residual_has_no_error(groups):
    """Where the printed rule divides zero by zero."""
    X = np.array([[1.0, 0.0], [0.0, 0.0], [2.0, 0.0]])
    residual = BufferedResidual(X, GroupLoss(L21(), groups), beta=2.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        residual.advance(np.zeros((2, 1)), np.zeros((3, 1)))
    E = residual.error()
    assert np.isfinite(E).all()
    assert (E[:, 1] == 0).all()
    assert (E[1] == 0).all()
    assert (E[[0, 2], 0] > 0).all()
    with np.errstate(invalid="ignore"):
        assert np.isnan(X[:, 1] / np.linalg.norm(X[:, 1])).all()
