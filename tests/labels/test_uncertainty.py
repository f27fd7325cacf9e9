"""Which samples are strange, and which are worth a look."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import entropy as reference_entropy
from sklearn.datasets import load_digits
from sklearn.metrics import roc_auc_score

from ronmf import ADMM, RONMF, neighbor_graph
from ronmf.labels.uncertainty import entropy, outlier_scores, worth_labelling


def random_case(seed, n=12, c=3):
    rng = np.random.default_rng(seed)
    W = np.triu(rng.random((n, n)) * (rng.random((n, n)) < 0.4), 1)
    known = rng.random(n) < 0.3
    return rng.dirichlet(np.ones(c), size=n), sp.csr_array(W + W.T), known


def test_limits_of_the_entropy():
    for c in (2, 3, 10):
        assert entropy(np.eye(c)).tolist() == [0.0] * c
        np.testing.assert_allclose(entropy(np.full((2, c), 1 / c)), 1.0)
    assert entropy(np.ones((3, 1))).tolist() == [0.0] * 3
    P = np.random.default_rng(0).dirichlet(np.ones(5), size=20)
    np.testing.assert_allclose(entropy(P), reference_entropy(P, base=5, axis=1))


def by_the_book(P, W, known, n):
    """Greedy choice with loops over a dense graph."""
    u = [0.0 if k else float(h) for k, h in zip(known, entropy(P), strict=True)]
    W, size, chosen = W.toarray(), len(u), []
    degree = W.sum(axis=1)
    free = [i for i in range(size) if not known[i]]
    while free and len(chosen) < n:
        gains = {
            i: u[i] + sum(W[i, j] / degree[i] * u[j] for j in range(size) if W[i, j]) for i in free
        }
        best = max(free, key=lambda i: gains[i])
        chosen.append(best)
        free.remove(best)
        u = [0.0 if j == best else u[j] * (1 - W[j, best] / (degree[j] or 1)) for j in range(size)]
    return chosen


@settings(max_examples=50, deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(1, 15))
def test_the_choice_is_the_greedy_one(seed, n):
    P, W, known = random_case(seed)
    before = known.copy()
    chosen = worth_labelling(P, W, known, n)
    assert chosen.tolist() == by_the_book(P, W, known, n)
    np.testing.assert_array_equal(known, before)  # the caller's array is left alone
    assert not known[chosen].any()
    assert len(set(chosen.tolist())) == len(chosen) == min(n, (~known).sum())


def test_copies_are_not_asked_for_twice():
    """Of two groups of samples in equal doubt, the second is asked for before a copy."""
    block = np.ones((4, 4)) - np.eye(4)
    W = sp.csr_array(np.kron(np.eye(3), block))
    P = np.full((12, 2), 0.5)
    first = worth_labelling(P, W, np.zeros(12, dtype=bool), 3)
    assert sorted(first // 4) == [0, 1, 2]


def test_query_suggests_unlabelled_samples_once(digits):
    X, y, _ = digits
    model = RONMF(graph="plain", solver=ADMM(max_iter=5), random_state=0).fit(X, y)
    some = model.query(25)
    assert len(set(some.tolist())) == 25
    assert (y[some] == -1).all()
    np.testing.assert_array_equal(model.query(25), some)
    np.testing.assert_array_equal(model.query(7), some[:7])  # a longer list begins as a shorter
    everything = model.query(10**6)
    np.testing.assert_array_equal(np.sort(everything), np.flatnonzero(y == -1))
    doubt = entropy(model.label_distributions_)
    assert doubt[some].mean() > doubt[y == -1].mean()
    for wrong in (0, -3, 2.5, None):
        with pytest.raises(ValueError, match=r"is not a whole number from 1"):
            model.query(wrong)
    full = RONMF(graph="plain", solver=ADMM(max_iter=2)).fit(X[:50], np.arange(50) % 3)
    assert full.query(5).tolist() == []


def test_a_given_graph_will_do(digits):
    X, y, _ = digits
    W = neighbor_graph(X, 5).affinity
    settings = {"solver": ADMM(max_iter=5), "random_state": 0}
    given = RONMF(graph="precomputed", **settings).fit(X, y, affinity=W)
    built = RONMF(graph="plain", **settings).fit(X, y)
    np.testing.assert_array_equal(given.query(20), built.query(20))
    assert given.outlier_score_.shape == (600,)
    assert (given.outlier_score_ <= built.outlier_score_ + 1e-9).all()  # it knows no distances


@pytest.mark.slow
def test_labelling_what_it_asks_for_beats_labelling_at_random():
    """Ten more labels, over draws of the samples; the random ones are averaged over three."""
    X, truth = load_digits(return_X_y=True)
    asked, random = [], []
    for seed in range(8):
        rng = np.random.default_rng(seed)
        some = rng.permutation(len(X))[:300]
        data, names = X[some] / 16.0, truth[some]
        y = np.full(300, -1)
        for j in range(10):
            y[np.flatnonzero(names == j)[:2]] = j

        def accuracy(more, data=data, names=names, y=y):
            grown = y.copy()
            grown[more] = names[more]
            model = RONMF(graph="plain", solver=ADMM(max_iter=5), random_state=0).fit(data, grown)
            return (model.transduction_ == names)[y < 0].mean()

        query = RONMF(graph="plain", solver=ADMM(max_iter=5), random_state=0).fit(data, y).query(10)
        asked.append(accuracy(query))
        draws = [rng.choice(np.flatnonzero(y < 0), 10, replace=False) for _ in range(3)]
        random.append(np.mean([accuracy(draw) for draw in draws]))
    assert np.mean(asked) > np.mean(random) + 0.01


def test_ordinary_samples_score_about_one_and_each_reason_counts():
    rng = np.random.default_rng(0)
    X = rng.random((40, 3))
    X[7] += 9  # far from all others
    graph, sure = neighbor_graph(X, 4), np.tile([1.0, 0.0], (40, 1))
    residuals, remote = np.ones(40), graph.remoteness()
    scores = outlier_scores(residuals, remote, sure)
    assert np.median(scores) == pytest.approx(1.0, abs=0.1)
    assert scores.argmax() == 7
    residuals[3] = 100.0  # unlike its prototype
    assert outlier_scores(residuals, remote, sure).argmax() == 3
    doubtful = sure.copy()
    doubtful[5] = 0.5
    doubled = outlier_scores(residuals, remote, doubtful) / outlier_scores(residuals, remote, sure)
    np.testing.assert_allclose(doubled, np.where(np.arange(40) == 5, 2.0, 1.0))
    for unit in (1e-20, 1e80):  # of the data, hence of residuals and distances
        scaled = outlier_scores(unit * residuals, neighbor_graph(unit * X, 4).remoteness(), sure)
        np.testing.assert_allclose(scaled, outlier_scores(residuals, remote, sure), rtol=1e-6)
    nothing = outlier_scores(np.zeros(40), None, sure)
    assert nothing.tolist() == [0.0] * 40


@pytest.mark.slow
def test_noise_among_pictures_is_found():
    X, truth = load_digits(return_X_y=True)
    areas = []
    for seed in range(3):
        rng = np.random.default_rng(seed)
        some = rng.permutation(len(X))[:200]
        data, strange = X[some] / 16.0, np.arange(200) < 10
        # Noise with the brightness of digits: pixels of a picture in random places.
        data[strange] = rng.permuted(data[strange], axis=1)
        y = np.where(np.arange(200) >= 160, truth[some], -1)
        model = RONMF(image_shape=(8, 8), solver=ADMM(max_iter=20), random_state=0).fit(data, y)
        assert (model.outlier_score_ >= 0).all()
        areas.append(roc_auc_score(strange, model.outlier_score_))
    assert np.mean(areas) > 0.9, areas
