"""Conjugate gradients: the energy falls, and a singular system keeps its start."""

import numpy as np

from ronmf.numerics.conjugate_gradients import conjugate_gradients


def test_conjugate_gradients_lower_the_energy_at_every_step():
    rng = np.random.default_rng(0)
    M = rng.standard_normal((20, 20))
    H, rhs = M @ M.T + 0.1 * np.eye(20), rng.standard_normal((20, 3))
    start = rng.standard_normal((20, 3))
    energies = []
    for k in range(25):
        x = conjugate_gradients(
            lambda B: H @ B, rhs, start, lambda r: r / np.diag(H)[:, None], tol=0, max_iter=k
        )
        energies.append((0.5 * (x * (H @ x)) - rhs * x).sum(axis=0))
    assert (np.diff(energies, axis=0) <= 1e-9).all()


def test_conjugate_gradients_leave_a_singular_consistent_system_at_its_start():
    H = np.diag([2.0, 0.0])
    rhs, start = np.array([[2.0], [0.0]]), np.array([[0.0], [7.0]])
    x = conjugate_gradients(lambda B: H @ B, rhs, start, lambda r: r, tol=1e-12, max_iter=9)
    np.testing.assert_allclose(x, [[1.0], [7.0]])
