"""Algorithm 1: what the U-step minimises, its exact penalty, and its first-order conditions."""

import numpy as np
import pytest

from ronmf.admm import orthogonal
from ronmf.admm.orthogonal import maximise_partition, maximise_penalty, project_oblique
from ronmf.admm.steps import update_U
from support.basis import assert_feasible
from support.problems import random_state


def feasible(rng, d, r):
    return maximise_partition(rng.standard_normal((d, r)))


def test_the_subproblem_is_linear_where_columns_are_orthonormal():
    rng = np.random.default_rng(0)
    T, P = rng.standard_normal((20, 9)), rng.random((20, 3))
    sums = []
    for _ in range(5):
        U = feasible(rng, 9, 3)
        sums.append(((T - P @ U.T) ** 2).sum() / 2 + (T.T @ P * U).sum())
    np.testing.assert_allclose(sums, sums[0], rtol=1e-12)
    overlapping = project_oblique(rng.random((9, 3)))
    other = ((T - P @ overlapping.T) ** 2).sum() / 2 + (T.T @ P * overlapping).sum()
    assert abs(other - sums[0]) > 0.1


def test_the_step_beats_other_feasible_matrices():
    state = random_state(2)
    T, P = state.residual.target_times(np.eye(len(state.U))), state.A @ state.Z

    def objective(U):
        return ((T - P @ U.T) ** 2).sum() / 2

    before = state.U
    update_U(state)
    assert_feasible(state.U)
    rng = np.random.default_rng(0)
    others = [before, *(feasible(rng, *before.shape) for _ in range(200))]
    assert objective(state.U) <= min(map(objective, others)) + 1e-12


def test_the_penalty_is_the_overlap_of_unit_columns():
    for seed in range(3):
        rng = np.random.default_rng(seed)
        U = project_oblique(rng.random((12, 4)))
        overlap = sum(U[:, i] @ U[:, j] for i in range(4) for j in range(4) if i != j) / 4
        v = np.full(4, 1 / 2)  # e / sqrt(r)
        assert np.linalg.norm(U @ v) ** 2 - 1 == pytest.approx(overlap)
        assert orthogonal._penalty(np, U) == pytest.approx(overlap)
        assert overlap > 0.1
        assert orthogonal._penalty(np, feasible(rng, 12, 4)) == pytest.approx(0.0, abs=1e-12)


def test_without_unit_columns_the_printed_test_says_nothing():
    short = 0.4 * project_oblique(np.random.default_rng(0).random((12, 4)))
    for U in (np.zeros((12, 4)), short):
        assert orthogonal._penalty(np, U) <= 1e-4
        assert np.abs(U.T @ U - np.eye(4)).max() > 0.5


def riemannian(U, gradient):
    """The printed formula."""
    return gradient - U @ np.diag(np.diag(U.T @ gradient))


def test_the_printed_gradient_is_the_slope_along_the_manifold():
    """Finite differences along curves of unit columns."""
    rng = np.random.default_rng(1)
    T, P, sigma = rng.standard_normal((15, 8)), rng.random((15, 3)), 0.7

    def value(U):
        return ((T - P @ U.T) ** 2).sum() / 2 + sigma * orthogonal._penalty(np, U)

    def curve(t):
        moved = U + t * D
        return moved / np.linalg.norm(moved, axis=0)

    U = project_oblique(rng.random((8, 3)))
    total = U.sum(axis=1, keepdims=True)
    gradient = (P @ U.T - T).T @ P + 2 * sigma / 3 * np.repeat(total, 3, axis=1)
    projected = riemannian(U, gradient)
    np.testing.assert_allclose(np.diag(U.T @ projected), 0.0, atol=1e-12)
    for _ in range(5):
        D = rng.standard_normal(U.shape)
        slope = (value(curve(1e-6)) - value(curve(-1e-6))) / 2e-6
        assert (projected * D).sum() == pytest.approx(slope, rel=1e-6)


@pytest.mark.parametrize("sigma", [0.02, 0.3, 2.0])
def test_inner_steps_end_where_line_1_says(sigma):
    """Both conditions of the first line: a small min(U, grad f), and no rise of f."""
    rng = np.random.default_rng(3)
    F = rng.random((30, 4)) ** 3
    F /= np.linalg.norm(F)

    def value(U):
        return sigma * orthogonal._penalty(np, U) - (F * U).sum()

    def distance(U):
        gradient = 2 * sigma / 4 * np.repeat(U.sum(axis=1, keepdims=True), 4, axis=1) - F
        return np.linalg.norm(np.minimum(U, riemannian(U, gradient)))

    start = project_oblique(rng.random((30, 4)))
    U = orthogonal._descend(np, F, start, sigma, 1e-9, 5000)
    assert distance(U) <= 1e-4 < 1e-2 < distance(start)
    assert value(U) < value(start)
    assert U.min() >= 0
    np.testing.assert_allclose(np.linalg.norm(U, axis=0), 1.0)


def test_sigma_grows_until_the_test_of_line_2_is_passed(monkeypatch):
    """Columns overlap by less than the printed 1e-4 before they are rounded."""
    found = []
    original = orthogonal.fill_parts

    def recorded(xp, K, P, W):
        found.append(W.T)
        return original(xp, K, P, W)

    monkeypatch.setattr(orthogonal, "fill_parts", recorded)
    C = np.random.default_rng(4).random((60, 5)) ** 3
    U = maximise_penalty(C)
    (unrounded,) = found
    np.testing.assert_allclose(np.linalg.norm(unrounded, axis=0), 1.0)
    assert 0 <= orthogonal._penalty(np, unrounded) + 1e-15 <= 1e-4
    assert_feasible(U)
    used = U.any(axis=1)
    np.testing.assert_array_equal(U.argmax(axis=1)[used], unrounded.argmax(axis=1)[used])
