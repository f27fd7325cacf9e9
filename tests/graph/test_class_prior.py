"""When the class sizes that labels suggest are not believed."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from ronmf import RONMF, HarmonicLabelPropagation
from ronmf.graph import GraphRequest, choose_graph, default_recipes
from ronmf.graph._class_prior import contradict_prior, cut_ratio
from ronmf.labels.class_prior import prior_factors


@settings(max_examples=50, deadline=None)
@given(seed=st.integers(0, 10**6), labels=st.integers(1, 6))
def test_the_ratio_is_that_of_edges_counted_one_by_one(seed, labels):
    rng = np.random.default_rng(seed)
    n, c = 30, 3
    W = np.triu(rng.random((n, n)) * (rng.random((n, n)) < 0.2), 1)
    W, A = W + W.T, rng.random((n, c))
    codes = np.full(n, -1)
    codes[: c * labels] = np.arange(c * labels) % c
    cuts = []
    for factors in (np.ones(c), prior_factors(A, codes)):
        found = [codes[i] if codes[i] >= 0 else int((A[i] * factors).argmax()) for i in range(n)]
        cuts.append(sum(W[i, j] for i in range(n) for j in range(n) if found[i] != found[j]))
    expected = (cuts[0] / cuts[1]) ** min(labels, 4) ** 0.5 if labels > 1 else 1.0
    assert cut_ratio(A, codes, sp.csr_array(W)) == pytest.approx(expected)
    assert cut_ratio(A, codes, sp.csr_array(7 * W)) == pytest.approx(expected)


def test_most_graphs_decide():
    assert contradict_prior([0.1, 0.2, 1.0])
    assert not contradict_prior([0.1, 1.0, 1.0])
    assert not contradict_prior([])


def clouds(sizes, seed=0, noise=1.0):
    """Groups of these sizes in eight dimensions, with two labels each."""
    rng = np.random.default_rng(seed)
    centres = 5 + 3 * rng.normal(size=(len(sizes), 8)) / 2
    truth = np.repeat(np.arange(len(sizes)), sizes)
    X = centres[truth] + noise * rng.normal(size=(len(truth), 8))
    y = np.full(len(truth), -1)
    for j in range(len(sizes)):
        y[np.flatnonzero(truth == j)[:2]] = j
    return X - min(0.0, X.min()), y, truth


def test_two_labels_each_do_not_make_classes_equal():
    """Of sizes 1:50 the large one is not given to the others; with equal sizes the prior stays."""
    gains, believed = [], []
    for seed in range(5):
        X, y, truth = clouds([400, 8, 8, 8], seed)
        model = HarmonicLabelPropagation(random_state=0, class_prior="labels").fit(X, y)
        free = HarmonicLabelPropagation(random_state=0).fit(X, y).membership_
        forced = (free * prior_factors(free, y)).argmax(axis=1)
        gains.append((model.labels_ == truth)[y < 0].mean() - (forced == truth)[y < 0].mean())
        for sizes in ([400, 8, 8, 8], [100, 100, 100, 100]):
            X, y, _ = clouds(sizes, seed)
            chosen = choose_graph(GraphRequest(X, y, rng=0), default_recipes(X, None))
            believed.append(chosen.propagation.class_prior is not None)
    assert np.mean(gains) > 0.02
    assert sum(believed[::2]) <= 1
    assert all(believed[1::2])


def test_a_fit_without_belief_is_the_one_without_a_prior():
    X, y, _ = clouds([400, 8, 8, 8])
    asked = RONMF(random_state=0).fit(X, y)
    never = RONMF(random_state=0, class_prior=None).fit(X, y)
    np.testing.assert_allclose(asked.membership_, never.membership_, rtol=1e-6, atol=1e-9)
    assert (asked.labels_ == never.labels_).all()
    assert asked._witnesses.class_prior is None
