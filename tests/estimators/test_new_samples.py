"""New samples: each on its own, and as the fit would have judged them."""

import numpy as np
import pytest
from scipy.integrate import trapezoid
from sklearn.datasets import load_digits

from ronmf import ADMM, RONMF
from support.marks import slow
from support.settings import PLAIN


@pytest.mark.parametrize("groups", ["features", *slow("samples")])
def test_new_samples_are_judged_one_by_one(digits, groups):
    X, y, truth = digits
    new = np.arange(600) % 6 == 1
    model = RONMF(groups=groups, random_state=0).fit(X[~new], y[~new])
    together = model.transform(X[new])
    alone = np.concatenate([model.transform(row[None, :]) for row in X[new][:20]])
    np.testing.assert_allclose(together[:20], alone, atol=1e-10)
    shares = model.predict_proba(X[new])
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    predicted = model.predict(X[new])
    assert (predicted == model.classes_[shares.argmax(axis=1)]).all()
    assert (predicted == truth[new]).mean() > 0.8
    assert model.inverse_transform(together).shape == X[new].shape


@pytest.mark.parametrize("groups", ["features", *slow("samples")])
def test_new_sample_minimises_its_share_of_the_objective(digits, groups):
    """No random membership does better than `transform` in the objective of a new sample."""
    X, y, _ = digits
    fitted = RONMF(**PLAIN, groups=groups, graph_weight=2.0, random_state=0).fit(X, y)
    X = load_digits().data[700:705] / 16.0
    X[2] += 5 * np.random.default_rng(0).random(64)  # an outlier among samples
    model = fitted._new_samples
    indices, weights = fitted.graph_.link(X)
    A = fitted.transform(X)

    def objective(a, i):
        residual = X[i] - a @ fitted.prototypes_
        if groups == "features":
            misfit = 0.5 * (model.group_weights * residual**2).sum()
        else:
            # The loss with its weight capped at β is quadratic up to where the two curves touch.
            norm = np.linalg.norm(residual)
            fine = np.linspace(0, norm, 20001)
            omega = np.minimum(model.loss.weight(fine), model.beta)
            misfit = trapezoid(omega * fine, fine)
        gaps = ((a - fitted.membership_[indices[i]]) ** 2).sum(axis=1)
        return misfit + model.graph_weight * (weights[i] * gaps).sum()

    rng = np.random.default_rng(0)
    for i in range(5):
        best = objective(A[i], i)
        for size in (1e-2, 1e-1):
            for _ in range(50):
                rival = np.maximum(A[i] + size * rng.standard_normal(10), 0)
                assert best <= objective(rival, i) + 1e-6 * abs(best)


@pytest.mark.parametrize(
    "settings", [PLAIN, *slow({"class_prior": "labels"})], ids=["plain", "default"]
)
def test_new_samples_weigh_graph_and_data_as_the_fit_did(digits, settings):
    """A training sample linked to its own neighbours gets the membership of the fit."""
    X, y, _ = digits
    X, y = X[:300], y[:300]
    settings = settings | {"graph_weight": 5.0, "solver": ADMM(tol=1e-5, max_iter=300)}
    model = RONMF(**settings, random_state=0).fit(X, y)
    W = model.graph_.affinity
    for i in np.flatnonzero(y == -1)[:20]:
        links = W[[i], :].tocsr()
        a = model._new_samples.memberships(X[[i]], links.indices[None, :], links.data[None, :])
        np.testing.assert_allclose(a[0], model.membership_[i], atol=1e-3)
