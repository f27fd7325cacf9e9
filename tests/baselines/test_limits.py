"""Settings in which a method becomes another one."""

import numpy as np
import pytest
from sklearn.decomposition import non_negative_factorization

from ronmf import ADMM, RONMF, GraphChoice
from ronmf.baselines import CNMF, GNMF, RNMF, RSNMF, SNMFDSR, LpCNMF
from ronmf.baselines._multiplicative.loop import minimise, sweep
from ronmf.graph import neighbor_graph
from ronmf.graph._matrix import add_label_edges
from ronmf.labels.encoding import encode_labels
from support.marks import slow
from support.multiplicative_problems import random_data


def run(model, X, y=None, affinity=None, iterations=50):
    """Return V and U after iterations from one start."""
    W = neighbor_graph(X, 4, weights="heat").affinity if affinity is None else affinity
    problem = model._problem(X, encode_labels(y, len(X), 3), W)
    fit = minimise(problem, np.random.RandomState(7), max_iter=iterations, tol=0.0)
    return fit.matrices


@pytest.fixture(scope="module")
def plain(data):
    """Lee and Seung's NMF from the same start."""
    X, _ = data
    return run(GNMF(graph_weight=0.0), X)


def test_gnmf_without_graph_weight_is_scikit_learns_nmf(data, plain):
    X, y = data
    start = GNMF()._problem(X, encode_labels(y, len(X), 3), neighbor_graph(X, 4).affinity).start
    factors = start(np.random.RandomState(7))
    # scikit-learn updates W, then H: V, then U
    V, Ut, _ = non_negative_factorization(
        X, factors["V"].copy(), factors["U"].T.copy(), n_components=3, init="custom", solver="mu",
        max_iter=50, tol=0,
    )  # fmt: skip
    np.testing.assert_allclose(plain[0], V, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(plain[1], Ut.T, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize(
    ("model", "labelled"),
    [
        (RSNMF(p=2.0, structure_weight=0.0, components_per_class=1), True),
        (RSNMF(p=2.0, components_per_class=1), False),
        (CNMF(), False),
        (SNMFDSR(graph_weight=0.0, dissimilarity_weight=0.0), True),
    ],
    ids=["RSNMF, p=2, no structure", "RSNMF, p=2, no labels", "CNMF, no labels", "SNMFDSR, 0"],
)
def test_limits_that_are_plain_nmf(data, plain, model, labelled):
    X, y = data
    V, U = run(model, X, y if labelled else None)
    np.testing.assert_allclose(V @ U.T, plain[0] @ plain[1].T, rtol=1e-9)
    np.testing.assert_allclose(V, plain[0], rtol=1e-9, atol=1e-12)


def test_one_label_per_class_constrains_nothing_in_cnmf(data, plain):
    X, _ = data
    one_each = np.append(np.arange(3), np.full(len(X) - 3, -1))
    np.testing.assert_allclose(run(CNMF(), X, one_each)[0], plain[0], rtol=1e-9, atol=1e-12)
    two_each = np.append(np.arange(6) % 3, np.full(len(X) - 6, -1))
    assert np.abs(run(CNMF(), X, two_each)[0] - plain[0]).max() > 1e-3


def test_snmfdsr_without_labels_is_gnmf_on_its_graph(data):
    X, _ = data
    V, _ = run(SNMFDSR(graph_weight=3.0), X)
    expected, _ = run(GNMF(graph_weight=3.0), X)
    np.testing.assert_allclose(V, expected, rtol=1e-10)


def test_snmfdsr_with_labels_and_no_dissimilarity_is_gnmf_on_the_edited_graph(data):
    X, y = data
    known = encode_labels(y, len(X), 3)
    W = neighbor_graph(X, 4, weights="binary").affinity
    joined = add_label_edges(W, y)  # up to 50 labels per class: all pairs, weight 1
    expected = GNMF(graph_weight=0.5)._problem(X, known, joined)
    problem = SNMFDSR(graph_weight=0.5, dissimilarity_weight=0.0)._problem(X, known, W)
    factors = expected.start(np.random.RandomState(0))
    assert problem.value(factors) == pytest.approx(expected.value(factors), rel=1e-12)


@pytest.mark.parametrize("seed", [0, *slow(1, 2)])
def test_lpcnmf_is_the_model_of_ronmf_with_least_squares(seed):
    """Where ADMM ends, both objectives agree and no multiplicative update finds anything better."""
    X, y = random_data(seed, 30, 12)
    model = RONMF(
        penalty="frobenius", graph_weight=0.5, label_weight=2.0, class_prior=None,
        graph=GraphChoice("plain", edge_weights="heat"), n_neighbors=4, random_state=0,
        solver=ADMM(basis="unconstrained", relative=False, tol=1e-8, max_iter=5000),
    ).fit(X, y)  # fmt: skip
    assert model.converged_
    W = neighbor_graph(X, 4, weights="heat").affinity
    # RONMF has half a square where LpCNMF has a square
    same = LpCNMF(graph_weight=2 * 0.5, label_weight=2 * 2.0)
    problem = same._problem(X, encode_labels(y, len(X), 3), W)
    factors = {"U": model.components_.T, "Z": model.amplitudes_, "A": model.membership_}
    value = problem.value(factors)
    assert value == pytest.approx(2 * model.history_.objective[-1], rel=1e-10)
    for _ in range(300):
        factors = sweep(problem, factors)
    assert problem.value(factors) == pytest.approx(value, rel=1e-6)


def test_l21_weights_do_not_move_the_coefficients(data):
    """In Kong's rule for V the weights cancel."""
    X, y = data
    known = encode_labels(y, len(X), 3)
    robust, plain = RNMF()._problem(X, known, None), RSNMF(p=2.0, components_per_class=1)
    factors = robust.start(np.random.RandomState(0))
    weighted = sweep(robust, factors)
    unweighted = sweep(plain._problem(X, encode_labels(None, len(X), 3), None), factors)
    np.testing.assert_allclose(weighted["V"], unweighted["V"], rtol=1e-12)
    assert np.abs(weighted["U"] - unweighted["U"]).max() > 1e-4
