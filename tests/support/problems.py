"""Problems for the solver's tests, and the augmented Lagrangian by the book."""

import numpy as np
import pytest

from ronmf.admm.buffered import BufferedResidual
from ronmf.admm.loss import GroupLoss
from ronmf.admm.orthogonal import maximise_partition
from ronmf.admm.problem import Weights, build_problem
from ronmf.admm.scales import ObjectiveScale
from ronmf.admm.start import start_from_memberships
from ronmf.admm.steps import State, update_A, update_error, update_U, update_Z
from ronmf.graph import neighbor_graph
from ronmf.graph._operator import GraphOperator, MembershipTerms
from ronmf.labels.anchor import LabelAnchor
from ronmf.penalties import MCP


def random_state(
    seed,
    *,
    n=30,
    d=12,
    c=3,
    r=4,
    penalty=None,
    groups="features",
    beta=2.0,
    graph_weight=0.5,
    label_weight=2.0,
    **options,
):
    """A small random problem in the middle of nowhere: factors feasible, E and Λ not zero."""
    rng = np.random.default_rng(seed)
    X = rng.random((n, d)) + rng.random((n, 2)) @ rng.random((2, d))
    W = neighbor_graph(X, 4).affinity
    codes = np.where(rng.random(n) < 0.3, rng.integers(c, size=n), -1)
    terms = MembershipTerms(
        GraphOperator.build(W, X), LabelAnchor.at(codes, c, X), graph_weight, label_weight
    )
    U = maximise_partition(rng.standard_normal((d, r)))
    A, Z = rng.random((n, c)), rng.random((c, r))
    residual = BufferedResidual(X, GroupLoss(penalty or MCP(), groups, 0.8), beta)
    state = State(U, A, Z, residual, terms, **options)
    residual.advance(U, A @ Z)
    return state


def started_state(X, y, penalty, groups="features"):
    """A problem as the estimator sets it up, after the first error step."""
    n_clusters = int(y.max()) + 1
    graph = GraphOperator.build(neighbor_graph(X, 5).affinity, X)
    A = graph.propagate(y, n_clusters, 10.0)
    U, Z = start_from_memberships(X, A, n_clusters, np.random.RandomState(0))
    scale = ObjectiveScale.measure(X, U, A @ Z, penalty, groups)
    problem = build_problem(X, graph, y, n_clusters, Weights(10.0, 10.0), scale)
    beta = 3.0 / problem.loss.scale**2
    state = State(U, A, Z, BufferedResidual(X, problem.loss, beta), problem.terms)
    update_error(state)
    return state


def lagrangian(state, E, Lam):
    """L_β by the book: every array explicit, the graph as a dense Laplacian."""
    terms, loss = state.terms, state.residual.loss
    n = len(state.A)
    W = terms.graph.product(np.eye(n))
    L = np.diag(W.sum(axis=1)) - W
    R = state.residual.X - state.A @ state.Z @ state.U.T - E
    norms = np.linalg.norm(E, axis=loss.axis)
    gap = state.A - terms.anchor.Y
    return (
        loss.penalty.value(norms / loss.scale).sum()
        + terms.graph_weight * np.trace(state.A.T @ L @ state.A)
        + terms.label_weight * np.trace(gap.T @ np.diag(terms.anchor.anchored) @ gap)
        - (Lam * R).sum()
        + state.residual.beta / 2 * (R**2).sum()
    )


def sweep_values(state):
    """L_β before a sweep and after each of its five blocks, and |R|² at the multiplier step."""
    E, Lam = state.residual.error(), state.residual.multiplier()
    values = [lagrangian(state, E, Lam)]
    update_U(state)
    values.append(lagrangian(state, E, Lam))
    target_basis = state.residual.target_times(state.U)
    update_A(state, target_basis)
    values.append(lagrangian(state, E, Lam))
    update_Z(state, target_basis)
    values.append(lagrangian(state, E, Lam))
    update_error(state)
    E_new, Lam_new = state.residual.error(), state.residual.multiplier()
    values.append(lagrangian(state, E_new, Lam))
    values.append(lagrangian(state, E_new, Lam_new))
    R = state.residual.X - state.A @ state.Z @ state.U.T - E_new
    return np.array(values), (R**2).sum()


def assert_sweep(state):
    values, primal_square = sweep_values(state)
    rounding = 1e-9 * np.abs(values).max()
    assert (np.diff(values[:5]) <= rounding).all(), np.diff(values)
    rise = values[5] - values[4]
    assert rise == pytest.approx(state.residual.beta * primal_square, rel=1e-6, abs=rounding)
