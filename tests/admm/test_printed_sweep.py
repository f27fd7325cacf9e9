"""Algorithm 2, line by line, with every array in full; only its A-equation is corrected."""

import itertools

import numpy as np
import pytest
from scipy.linalg import solve_sylvester

from ronmf.admm.loss import GroupLoss
from ronmf.admm.orthogonal import project_oblique
from ronmf.admm.parameters import ADMM
from ronmf.admm.problem import Problem
from ronmf.admm.solver import solve
from ronmf.admm.start import Start
from ronmf.graph import neighbor_graph
from ronmf.graph._operator import GraphOperator, MembershipTerms
from ronmf.labels.anchor import LabelAnchor
from ronmf.penalties import MCP

LAM, MU, BETA, SIGMA, TAU = 0.3, 2.0, 4.0, 0.5, 1.5
N, D, C, R = 12, 6, 3, 2


@pytest.fixture
def small():
    """Data, graph, codes of the labelled samples, and factors to start from."""
    rng = np.random.default_rng(5)
    X = rng.random((C, D))[np.arange(N) % C] + 0.2 * rng.random((N, D))
    codes = np.where(np.arange(N) < 5, np.arange(N) % C, -1)
    U = project_oblique(np.kron(np.eye(R), np.ones((D // R, 1))) * rng.random((D, R)))
    return X, neighbor_graph(X, 3).affinity, codes, U, rng.random((N, C)), rng.random((C, R))


def best_basis(G):
    """Line 1: the best of all non-negative matrices with orthonormal columns, by trying parts."""
    candidates = []
    for parts in itertools.product(range(R), repeat=D):
        mask = np.array(parts)[:, None] == np.arange(R)
        if mask.any(axis=0).all():
            candidates.append(project_oblique(np.where(mask, G, -np.inf)))
    return max(candidates, key=lambda U: (G * U).sum())


def table_mcp(v, sigma):
    """Table 1, for a positive number."""
    return 0.0 if v <= sigma else TAU * (v - sigma) / (TAU - 1) if v <= sigma * TAU else v


def error_and_multiplier(X, A, Z, U, multiplier):
    """Lines 4 and 5, over rows of the paper's matrix: our columns."""
    V = X - A @ Z @ U.T - multiplier / BETA
    lengths = np.linalg.norm(V, axis=0)
    E = V / lengths * [table_mcp(v, SIGMA / BETA) for v in lengths]
    return E, multiplier - BETA * (X - A @ Z @ U.T - E)


def textbook(X, W, codes, U, A, Z, sweeps):
    labelled = codes >= 0
    L, S = np.diag(W.sum(axis=1)) - W.toarray(), np.diag(labelled.astype(float))
    Y = (codes[:, None] == np.arange(C)).astype(float)
    E, multiplier = error_and_multiplier(X, A, Z, U, np.zeros_like(X))
    for _ in range(sweeps):
        T = X - E - multiplier / BETA
        U = best_basis(T.T @ A @ Z)
        rhs = BETA * T @ U @ Z.T + 2 * MU * S @ Y
        A = np.maximum(solve_sylvester(2 * LAM * L + 2 * MU * S, BETA * Z @ Z.T, rhs), 0)
        Z = np.maximum(np.linalg.inv(A.T @ A) @ A.T @ T @ U, 0)
        E, multiplier = error_and_multiplier(X, A, Z, U, multiplier)
    return U, A, Z, E, multiplier


@pytest.mark.parametrize("sweeps", [1, 2, 5])
def test_the_solver_does_what_algorithm_2_says(small, sweeps):
    X, W, codes, U, A, Z = small
    terms = MembershipTerms(GraphOperator.build(W, X), LabelAnchor.at(codes, C, X), LAM, MU)
    loss = GroupLoss(MCP(sigma=SIGMA, tau=TAU, rule="printed"))
    solver = ADMM(BETA, exact=False, max_iter=sweeps, tol=0.0)
    found = solve(Problem(X, loss, terms), Start(U, A, Z), solver)
    ours = found.U, found.A, found.Z, found.residual.error(), found.residual.multiplier()
    for name, got, expected in zip("UAZEΛ", ours, textbook(*small, sweeps), strict=True):
        # The A-step is solved to 1e-5 of its right-hand side.
        np.testing.assert_allclose(got, expected, atol=1e-3, err_msg=name)
    assert found.n_iter == sweeps
    assert np.abs(found.A - A).max() > 0.1
    if sweeps < 5:
        assert (found.A == 0).any()  # the bound was met
