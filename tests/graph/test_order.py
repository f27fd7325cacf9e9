"""Samples in another order: the same memberships, found with a warmer cache."""

import numpy as np

from ronmf.admm.memberships import MembershipQuadratic
from ronmf.graph import neighbor_graph
from ronmf.graph._operator import GraphOperator, MembershipTerms
from ronmf.labels.anchor import LabelAnchor
from ronmf.numerics.locality import local_order


def setting(n=200, c=3):
    rng = np.random.default_rng(0)
    X = rng.random((n, 4))
    W = neighbor_graph(X, 5).affinity
    codes = np.where(rng.random(n) < 0.2, rng.integers(c, size=n), -1)
    return rng, X, W, codes


def test_the_order_is_a_permutation_that_brings_neighbours_together():
    _, X, W, _ = setting(2000)
    order = local_order(X)
    assert sorted(order) == list(range(2000))
    place = np.argsort(order)
    rows, columns = W.nonzero()
    assert abs(place[rows] - place[columns]).mean() < 0.6 * abs(rows - columns).mean()


def test_propagation_does_not_depend_on_it():
    _, X, W, codes = setting()
    plain = GraphOperator.build(W, X).propagate(codes, 3, 10.0)
    ordered = GraphOperator.build(W, X, local_order(X)).propagate(codes, 3, 10.0)
    np.testing.assert_allclose(ordered, plain, atol=1e-10)


def test_the_step_of_memberships_does_not_depend_on_it():
    rng, X, W, codes = setting()
    Z, target, A = rng.random((3, 3)), rng.random((200, 3)), rng.random((200, 3))
    found = []
    for order in (None, local_order(X)):
        operator = GraphOperator.build(W, X, order)
        terms = MembershipTerms(operator, LabelAnchor.at(codes, 3, X), 0.7, 3.0)
        found.append(MembershipQuadratic(Z, np.eye(3), target, 2.0, terms).nonnegative(A, 1e-10))
    np.testing.assert_allclose(found[1][0], found[0][0], atol=1e-8)
