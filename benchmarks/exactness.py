"""Block updates against brute force: the A-step and the augmented Lagrangian.

    python benchmarks/exactness.py

On 20 random problems each: the A-step beside a dense Sylvester solve where the bound is inactive,
and beside a dense NNLS where it is active (largest deviation); then, over five sweeps, the largest
rise of the augmented Lagrangian in the blocks U, A, Z and E, and the largest deviation of its rise
in the multiplier step from β|R|², both relative to its value.
"""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
from scipy.linalg import solve_sylvester
from scipy.optimize import nnls

from ronmf.admm.memberships import MembershipQuadratic
from ronmf.labels.anchor import LabelAnchor
from ronmf.penalties import PENALTIES

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from support.problems import random_state, sweep_values

SEEDS = range(20)


def a_step(state, terms, target_basis):
    """Return the A-step, and the dense matrices of ``H A + A B = rhs``."""
    beta = state.residual.beta
    quadratic = MembershipQuadratic(state.Z, state.gram, target_basis, beta, terms)
    A = quadratic.nonnegative(state.A, tol=1e-12)[0]
    H, B = terms.hessian(np.eye(len(A))), beta * state.Z @ state.gram @ state.Z.T
    rhs = beta * target_basis @ state.Z.T
    rhs += 2 * terms.label_weight * terms.anchor.anchored[:, None] * terms.anchor.Y
    return A, H, B, rhs


def against_sylvester(seed: int) -> float:
    state = random_state(seed, graph_weight=5.0, label_weight=20.0, beta=0.5)
    # Every sample anchored to a positive target: the minimiser is positive.
    target = 5 + np.random.default_rng(seed).random(state.A.shape)
    terms = replace(state.terms, anchor=LabelAnchor(target, np.ones(len(state.A))))
    A, H, B, rhs = a_step(state, terms, state.residual.target_times(state.U))
    return float(np.abs(A - solve_sylvester(H, B, rhs)).max())


def against_nnls(seed: int) -> float:
    state = random_state(seed, n=15, beta=3.0)
    noise = np.random.default_rng(seed).standard_normal((15, state.U.shape[1]))
    A, H, B, rhs = a_step(state, state.terms, state.residual.target_times(state.U) + noise)
    n, c = A.shape
    root = np.linalg.cholesky(np.kron(H, np.eye(c)) + np.kron(np.eye(n), B) + 1e-13 * np.eye(n * c))
    exact = nnls(root.T, np.linalg.solve(root, rhs.ravel()))[0].reshape(n, c)
    return float(np.abs(A - exact).max())


def lagrangian_errors(seed: int, penalty: str) -> tuple[float, float]:
    state = random_state(seed, penalty=PENALTIES[penalty]())
    rises, gaps = [], []
    for _ in range(5):
        values, primal_square = sweep_values(state)
        size = np.abs(values).max()
        rises.append(np.diff(values[:5]).max() / size)
        gaps.append(abs(values[5] - values[4] - state.residual.beta * primal_square) / size)
    return max(0.0, *rises), max(gaps)


def main() -> None:
    print(f"A-step, bound inactive: {max(map(against_sylvester, SEEDS)):.1e} from dense Sylvester")
    print(f"A-step, bound active:   {max(map(against_nnls, SEEDS)):.1e} from dense NNLS")
    print("augmented Lagrangian    largest rise in U, A, Z, E    multiplier step: off β|R|² by")
    for name in PENALTIES:
        rise, gap = np.max([lagrangian_errors(seed, name) for seed in SEEDS], axis=0)
        print(f"   {name:20} {rise:26.1e} {gap:32.1e}")


if __name__ == "__main__":
    main()
