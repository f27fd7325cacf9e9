"""The A-step against dense linear algebra and brute-force NNLS."""

import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from scipy.linalg import solve_sylvester
from scipy.optimize import nnls

from ronmf.admm.memberships import MembershipQuadratic
from ronmf.labels.anchor import LabelAnchor
from support.problems import random_state


def dense_problem(state, TU):
    """The A-step as ``H A + A B = rhs`` with dense matrices."""
    H = state.terms.hessian(np.eye(len(state.A)))
    B = state.residual.beta * state.Z @ state.gram @ state.Z.T
    rhs = state.residual.beta * TU @ state.Z.T
    anchor = state.terms.anchor
    rhs += 2 * state.terms.label_weight * anchor.anchored[:, None] * anchor.Y
    return H, B, rhs


def quadratic(state, TU):
    return MembershipQuadratic(state.Z, state.gram, TU, state.residual.beta, state.terms)


def test_membership_equals_dense_sylvester_where_the_bound_is_inactive():
    for seed in range(10):
        state = random_state(seed, graph_weight=5.0, label_weight=20.0, beta=0.5)
        # Every sample anchored to a positive target: the minimiser is positive
        rng = np.random.default_rng(seed)
        anchor = LabelAnchor(5 + rng.random(state.A.shape), np.ones(len(state.A)))
        state.terms = replace(state.terms, anchor=anchor)
        TU = state.residual.target_times(state.U)
        H, B, rhs = dense_problem(state, TU)
        expected = solve_sylvester(H, B, rhs)
        assert expected.min() > 0
        A = quadratic(state, TU).nonnegative(state.A, tol=1e-12)[0]
        np.testing.assert_allclose(A, expected, atol=1e-8)


def test_membership_equals_brute_force_nnls_where_the_bound_is_active():
    for seed in range(10):
        state = random_state(seed, n=15, beta=3.0)
        # A target of mixed signs, as the multiplier makes it, pushes memberships to the bound
        noise = np.random.default_rng(seed).standard_normal((15, state.U.shape[1]))
        TU = state.residual.target_times(state.U) + noise
        H, B, rhs = dense_problem(state, TU)
        n, c = state.A.shape
        dense = np.kron(H, np.eye(c)) + np.kron(np.eye(n), B)
        root = np.linalg.cholesky(dense + 1e-13 * np.eye(n * c))
        expected = nnls(root.T, np.linalg.solve(root, rhs.ravel()))[0].reshape(n, c)
        assert (expected == 0).any()
        A = quadratic(state, TU).nonnegative(state.A, tol=1e-11)[0]
        np.testing.assert_allclose(A, expected, atol=1e-8)
        clipped = quadratic(state, TU).clipped(state.A, tol=1e-11)
        np.testing.assert_allclose(clipped, np.maximum(solve_sylvester(H, B, rhs), 0), atol=1e-8)

        def objective(A, H=H, B=B, rhs=rhs):
            return 0.5 * (A * (H @ A + A @ B)).sum() - (A * rhs).sum()

        assert objective(A) <= min(objective(clipped), objective(state.A)) + 1e-10


@pytest.mark.parametrize("step", ["nonnegative", "clipped"])
def test_nothing_of_samples_by_samples_is_formed(step):
    """The dense equation of the paper has n² entries; here memory grows with the samples alone."""
    peaks = []
    for n in (2000, 8000):
        state = random_state(0, n=n)
        model = quadratic(state, state.residual.target_times(state.U))
        state.terms.graph.product(state.A)  # what is made once
        tracemalloc.start()
        getattr(model, step)(state.A, tol=1e-6)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 0.02 * 8 * 8000**2
    assert peaks[1] < 6 * peaks[0]
