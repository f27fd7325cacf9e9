"""What single methods promise."""

import numpy as np
import pytest

from ronmf import neighbor_graph
from ronmf.baselines import (
    CNMF,
    GNMF,
    LPNMF,
    RNMF,
    RSNMF,
    SNMFSP,
)
from ronmf.baselines._cnmf import constraint_matrix


def test_snmfsp_cannot_predict_a_class_without_labels(unit):
    X, y, _ = unit
    with pytest.raises(ValueError, match="but 1 of 11 clusters have no labelled sample"):
        SNMFSP(11, assign="argmax").fit(X, y)


def test_labelled_samples_of_a_class_share_their_row_in_cnmf(fitted, unit):
    _, y, _ = unit
    V = fitted[CNMF].coefficients_
    for j in range(10):
        rows = V[y == j]
        np.testing.assert_array_equal(rows, np.broadcast_to(rows[0], rows.shape))


def test_constraint_matrix_follows_the_order_of_the_samples():
    codes = np.array([2, -1, 0, 2, -1, 1])
    P = constraint_matrix(codes).toarray()
    Z = np.arange(P.shape[1])[:, None]
    assert (P @ Z).ravel().tolist() == [2, 3, 0, 2, 4, 1]


def test_constraint_matrix_is_the_printed_one_where_labelled_samples_come_first():
    classes = np.array([1, 0, 2, 1])
    C = np.zeros((4, 3))
    for i, j in enumerate(classes):
        C[i, j] = 1
    printed = np.block([[C, np.zeros((4, 5))], [np.zeros((5, 3)), np.eye(5)]])
    found = constraint_matrix(np.concatenate([classes, np.full(5, -1)])).toarray()
    np.testing.assert_array_equal(found, printed)


def test_lpnmf_clamps_labels_and_its_relaxed_form_approaches_that(unit):
    X, y, _ = unit
    one_hot = np.eye(10)[y[y >= 0]]
    settings = {"max_iter": 300, "n_init": 1, "random_state": 0}
    clamped = LPNMF(**settings).fit(X, y)
    np.testing.assert_array_equal(clamped.coefficients_[y >= 0], one_hot)
    relaxed = LPNMF(label_weight=1e6, **settings).fit(X, y)
    np.testing.assert_allclose(relaxed.coefficients_[y >= 0], one_hot, atol=1e-3)
    assert (relaxed.labels_ == clamped.labels_).mean() > 0.97


def test_lpnmf_with_a_heavy_graph_is_label_propagation(unit):
    """Without weight on the data the free rows are harmonic."""
    X, y, _ = unit
    W = neighbor_graph(X, 5, weights="heat").affinity.toarray()
    L = np.diag(W.sum(axis=1)) - W
    free = y < 0
    harmonic = np.linalg.solve(
        L[np.ix_(free, free)], -L[np.ix_(free, ~free)] @ np.eye(10)[y[~free]]
    )
    model = LPNMF(graph_weight=1e6, max_iter=3000, n_init=1, random_state=0).fit(X, y)
    np.testing.assert_allclose(model.coefficients_[free], harmonic, atol=0.03)


def test_a_robust_loss_is_not_bent_by_bad_samples(unit):
    """Replace some samples by noise: the basis of the good ones moves less under l2,1."""
    X, _, _ = unit
    X = X[:200].copy()
    bad = np.arange(200) % 20 == 0
    rng = np.random.default_rng(0)
    X[bad] = 3 * rng.random((bad.sum(), X.shape[1]))

    def error_on_good(model):
        model.fit(X)
        codes = model.transform(X[~bad])
        return np.linalg.norm(X[~bad] - model.inverse_transform(codes))

    settings = {"n_clusters": 5, "random_state": 0}
    plain = error_on_good(GNMF(graph_weight=0.0, **settings))
    assert error_on_good(RNMF(**settings)) < 0.95 * plain
    assert error_on_good(RSNMF(p=0.5, components_per_class=1, **settings)) < 0.95 * plain
