"""Small random problems for the solver's tests."""

import numpy as np

from ronmf.admm import State
from ronmf.graph import degrees, neighbor_graph
from ronmf.membership import MembershipTerms
from ronmf.orthogonal import maximise_partition
from ronmf.penalties import MCP
from ronmf.residual import GroupLoss, Residual


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
        product=lambda B: W @ B,
        degree=degrees(W),
        Y=(codes[:, None] == np.arange(c)).astype(float),
        anchored=(codes >= 0).astype(float),
        graph_weight=graph_weight,
        label_weight=label_weight,
    )
    U = maximise_partition(rng.standard_normal((d, r)))
    A, Z = rng.random((n, c)), rng.random((c, r))
    residual = Residual(X, GroupLoss(penalty or MCP(), groups, 0.8), beta)
    state = State(U, A, Z, residual, terms, **options)
    residual.advance(U, A @ Z)
    return state
