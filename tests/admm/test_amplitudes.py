"""The Z-step against least squares with all entries of Z at once."""

import numpy as np
import pytest
from scipy.optimize import nnls

from ronmf.admm.basis import BASES
from ronmf.admm.orthogonal import project_oblique
from ronmf.admm.steps import ExactSteps, PrintedSteps, update_Z
from support.problems import random_state


def after_step(seed, basis, steps, empty_cluster=False):
    """Return a state after its Z-step, the target T, and the matrix of vec(Z) -> vec(AZU')."""
    rng = np.random.default_rng(seed)
    state = random_state(seed, basis=BASES[basis], steps=steps)
    # Memberships so alike that least squares wants negative amplitudes
    state.A = state.A + 2 * rng.random((len(state.A), 1))
    if basis == "unconstrained":
        state.U = project_oblique(rng.random(state.U.shape))
    if empty_cluster:
        state.A[:, 1] = 0.0
    T = state.residual.target_times(np.eye(len(state.U)))
    update_Z(state, state.residual.target_times(state.U))
    return state, T, np.kron(state.A, state.U)


@pytest.mark.parametrize("basis", sorted(BASES))
def test_exact_amplitudes_are_nonnegative_least_squares(basis):
    for seed in range(4):
        state, T, matrix = after_step(seed, basis, ExactSteps())
        expected = nnls(matrix, T.ravel())[0].reshape(state.Z.shape)
        assert (expected == 0).any()
        np.testing.assert_allclose(state.Z, expected, atol=1e-5)


@pytest.mark.parametrize("empty_cluster", [False, True])
def test_printed_amplitudes_are_clipped_least_squares(empty_cluster):
    """Also where a cluster is empty, and the printed inverse of A'A does not exist."""
    for seed in range(4):
        state, T, matrix = after_step(seed, "partition", PrintedSteps(), empty_cluster)
        free = np.linalg.lstsq(matrix, T.ravel(), rcond=None)[0].reshape(state.Z.shape)
        assert free.min() < 0
        np.testing.assert_allclose(state.Z, np.maximum(free, 0), atol=1e-7)
        if not empty_cluster:
            A = state.A
            printed = np.linalg.inv(A.T @ A) @ A.T @ T @ state.U
            np.testing.assert_allclose(state.Z, np.maximum(printed, 0), atol=1e-7)


def test_clipped_amplitudes_fit_worse():
    exact, T, matrix = after_step(0, "partition", ExactSteps())
    clipped, _, _ = after_step(0, "partition", PrintedSteps())
    errors = [np.linalg.norm(matrix @ s.Z.ravel() - T.ravel()) for s in (exact, clipped)]
    assert errors[1] > 1.001 * errors[0]
