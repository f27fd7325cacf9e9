"""The methods RONMF is compared with find and name digits, and their factors fit."""

import numpy as np
import pytest
from sklearn.base import clone

from ronmf.baselines import (
    CDCF,
    CNMF,
    GNMF,
    GSNMF,
    LNP,
    LPNMF,
    RNMF,
    RSNMF,
    SNMFDSR,
    SNMFSP,
    LpCNMF,
    TruncatedCauchyNMF,
)
from support.baselines import ALL, MULTIPLICATIVE

# Unlabelled accuracy on 600 digits, one label in ten: a bar that a wrong rule does not clear.
BARS = {
    RNMF: 0.55, GNMF: 0.7, GSNMF: 0.7, TruncatedCauchyNMF: 0.5, RSNMF: 0.75, SNMFDSR: 0.6,
    CNMF: 0.6, CDCF: 0.7, LPNMF: 0.85, LpCNMF: 0.8, SNMFSP: 0.85, LNP: 0.7,
}  # fmt: skip


@pytest.mark.parametrize("kind", ALL)
def test_finds_and_names_the_digits(fitted, unit, kind):
    _, y, truth = unit
    model = fitted[kind]
    assert (model.transduction_ == truth)[y == -1].mean() > BARS[kind]
    assert model.classes_.tolist() == list(range(10))
    np.testing.assert_array_equal(model.classes_[model.labels_], model.transduction_)


@pytest.mark.parametrize("kind", ALL)
def test_new_samples_are_recognised(unit, kind):
    X, y, truth = unit
    new = np.arange(len(X)) % 5 == 2
    model = kind(random_state=0).fit(X[~new], y[~new])
    assert (model.predict(X[new]) == truth[new]).mean() > BARS[kind] - 0.15


@pytest.mark.parametrize("kind", MULTIPLICATIVE)
def test_attributes_and_reconstruction(fitted, unit, kind):
    X, _, _ = unit
    model = fitted[kind]
    V, U = model.coefficients_, model.components_
    assert V.shape[0] == len(X)
    assert U.shape == (V.shape[1], X.shape[1])
    assert V.min() >= 0
    assert U.min() >= 0
    if kind is not LPNMF:
        np.testing.assert_allclose(np.linalg.norm(U, axis=1), 1.0, rtol=1e-10)
    error = np.linalg.norm(X - V @ U) / np.linalg.norm(X)
    assert error < 0.75
    assert np.linalg.norm(X - model.inverse_transform(V)) == pytest.approx(
        np.linalg.norm(X - V @ U)
    )
    # A code of its own fits a sample at least about as well as its row of V
    own = np.linalg.norm(X - model.inverse_transform(model.transform(X))) / np.linalg.norm(X)
    assert own < error + 0.05
    steps = np.diff(model.history_.objective)
    if kind is not TruncatedCauchyNMF:
        assert steps.max() <= 0
    assert model.history_.iteration[-1] == model.n_iter_


@pytest.mark.parametrize(
    "model",
    [
        RSNMF(structure_weight=0.0, components_per_class=1, assign="argmax"),
        CDCF(label_weight=0.0, assign="argmax"),
        LpCNMF(label_weight=0.0),
        LPNMF(label_weight=0.0),
        SNMFSP(label_weight=0.0, assign="argmax"),
    ],
    ids=lambda model: type(model).__name__,
)
def test_columns_that_no_label_ties_are_named_by_the_labels(unit, model):
    X, y, _ = unit
    fit = clone(model).set_params(random_state=0).fit(X, y)
    known = y >= 0
    agree = (fit.labels_[known] == y[known]).mean()
    column = fit._how.readable(fit._how.training, "argmax").argmax(axis=1)
    assert agree >= (column[known] == y[known]).mean()
    assert agree > 0.3


@pytest.mark.parametrize("kind", ALL)
def test_queries_too_large_are_refused(fitted, unit, kind):
    X, _, _ = unit
    with pytest.raises(ValueError, match="rescale it to between"):
        fitted[kind].predict(1e200 * X[:2])


def test_labels_of_other_names_and_discovered_clusters(unit):
    X, y, _ = unit
    names = np.array([f"digit {j}" for j in range(10)], dtype=object)
    some = np.where((y >= 0) & (y < 8), names[y], -1)
    for kind in ALL:
        settings = {} if kind is LNP else {"max_iter": 20, "n_init": 1}
        model = kind(10, random_state=0, **settings).fit(X, some)
        assert model.classes_.tolist() == [*names[:8], "cluster_8", "cluster_9"], kind
        assert set(model.predict(X)) <= set(model.classes_)


def test_classes_of_unsupervised_methods_are_named_by_the_labels_only_afterwards(unit):
    """Their factors must not depend on labels."""
    X, y, _ = unit
    for kind in (RNMF, GNMF, GSNMF, TruncatedCauchyNMF):
        settings = {"max_iter": 10, "n_init": 2, "random_state": 0}
        with_labels, without = kind(10, **settings).fit(X, y), kind(10, **settings).fit(X)
        np.testing.assert_array_equal(with_labels.coefficients_, without.coefficients_)
