import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.exceptions import ConvergenceWarning

from ronmf.baselines import LNP
from ronmf.baselines import _lnp as lnp
from ronmf.baselines._lnp import reconstruction_weights
from ronmf.numerics.nearest_neighbors import k_nearest


def test_weights_solve_the_quadratic_programme():
    rng = np.random.default_rng(0)
    X = rng.random((25, 6))
    indices = k_nearest(X, 4)[0]
    weights = reconstruction_weights(X, X, indices)
    np.testing.assert_allclose(weights.sum(axis=1), 1.0)
    assert weights.min() >= 0
    assert (weights == 0).any()  # the bound is active somewhere
    for i in range(len(X)):
        offsets = X[i] - X[indices[i]]
        G = offsets @ offsets.T
        G += 1e-3 * np.trace(G) * np.eye(4)

        def error(w, G=G):
            return w @ G @ w

        best = minimize(
            error, np.full(4, 0.25), bounds=[(0, 1)] * 4, tol=1e-14,
            constraints={"type": "eq", "fun": lambda w: w.sum() - 1},
        )  # fmt: skip
        assert error(weights[i]) <= best.fun * (1 + 1e-6) + 1e-12


@pytest.mark.parametrize("alpha", [0.5, 0.99])
def test_membership_is_the_limit(digits, alpha):
    X, y, _ = digits
    model = LNP(alpha=alpha).fit(X, y)
    n = len(X)
    indices = k_nearest(X, 5)[0]
    W = np.zeros((n, n))
    np.put_along_axis(W, indices, reconstruction_weights(X, X, indices), axis=1)
    Y = (y[:, None] == np.arange(10)).astype(float)
    F = np.linalg.solve(np.eye(n) - alpha * W, (1 - alpha) * Y)
    reached = F.sum(axis=1) > 1e-12
    expected = F[reached] / F[reached].sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.membership_[reached], expected, atol=1e-6)
    assert model.n_iter_ < 4000


def test_samples_that_no_label_reaches_get_equal_shares():
    X = np.concatenate([np.arange(6.0), 100 + np.arange(6.0)])[:, None]
    y = np.array([0, -1, -1, -1, -1, 1] + [-1] * 6)
    model = LNP(n_neighbors=2).fit(X, y)
    np.testing.assert_array_equal(model.membership_[6:], 0.5)


def test_copies_and_more_neighbours_than_dimensions():
    X = np.repeat(np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]), 6, axis=0)
    y = np.full(18, -1)
    y[[0, 6, 12]] = 0, 1, 2
    model = LNP(n_neighbors=5).fit(X, y)
    assert model.labels_.tolist() == [0] * 6 + [1] * 6 + [2] * 6
    assert np.isfinite(model.membership_).all()
    assert np.isfinite(model.transform(X)).all()


def test_a_run_cut_short_warns(digits, monkeypatch):
    X, y, _ = digits
    monkeypatch.setattr(lnp, "_MAX_STEPS", 20)
    with pytest.warns(ConvergenceWarning, match="from its limit after 20 steps; lower alpha=0.99"):
        LNP().fit(X[:60], y[:60])


@pytest.mark.parametrize("seed", range(4, 8))
def test_hints_of_a_few_samples_are_given(seed):
    """Classes may have no sample but those that were labelled."""
    X = np.random.default_rng(seed).random((20, 2))
    y = np.where(np.arange(20) < 6, np.arange(20) % 3, -1)
    assert isinstance(LNP(n_neighbors=5, random_state=0).fit(X, y).hints(), list)
