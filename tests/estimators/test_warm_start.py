"""Fits that go on from the last one."""

import numpy as np
import pytest

from ronmf import ADMM, RONMF
from support.settings import PLAIN


def test_warm_start_is_cheaper_and_agrees(digits):
    X, y, truth = digits
    more = y.copy()
    more[5::60] = truth[5::60]
    warm = RONMF(**PLAIN, warm_start=True, random_state=0).fit(X, y)
    graph = warm.graph_
    warm.fit(X, more)
    cold = RONMF(**PLAIN, random_state=0).fit(X, more)
    assert warm.graph_ is graph
    assert warm.n_iter_ < cold.n_iter_
    assert (warm.labels_ == cold.labels_).mean() > 0.98
    warm.set_params(n_neighbors=7).fit(X, more)
    assert warm.graph_ is not graph


def test_a_withdrawn_label_leaves_nothing_behind(digits):
    """What a label shaped goes with it: a warm fit without it is a cold one."""
    X, _, truth = digits
    X, truth = X[:200], truth[:200]
    for y in (None, np.where(truth < 5, truth, -1)):
        settings = {"graph": "plain", "random_state": 0}
        warm = RONMF(10, warm_start=True, **settings).fit(X, truth).fit(X, y)
        cold = RONMF(10, **settings).fit(X, y)
        np.testing.assert_array_equal(warm.membership_, cold.membership_)


def test_a_graph_that_is_not_asked_for_is_refused_by_a_refit_too(digits):
    X, y, _ = digits
    model = RONMF(**PLAIN, warm_start=True, random_state=0).fit(X, y)
    with pytest.raises(ValueError, match="was given an affinity matrix but graph='plain'"):
        model.fit(X, y, affinity=np.eye(len(X)))


@pytest.mark.slow
def test_a_warm_start_chooses_anew_when_labels_have_grown_by_half_or_changed(digits):
    X, truth = digits[0][:150], digits[2][:150]
    y = np.where(np.arange(150) % 3 == 0, truth, -1)  # 50 labels, of all classes

    def labelled(count):
        grown = y.copy()
        grown[np.flatnonzero(y < 0)[:count]] = truth[np.flatnonzero(y < 0)[:count]]
        return grown

    warm = RONMF(warm_start=True, solver=ADMM(max_iter=3), random_state=0)
    chosen = [warm.fit(X, labelled(count)).graph_ for count in (0, 12, 25)]
    assert chosen[0] is chosen[1] is chosen[2]
    assert warm.graph_report_.n_hidden == 50  # of the choice, not of the last fit
    assert warm.fit(X, labelled(26)).graph_ is not chosen[0]
    assert warm.graph_report_.n_hidden == 76
    for change in (
        lambda y: np.where(y == 1, 2, y),  # labels were wrong, and a class is gone
        lambda y: np.where((y == 1) & (np.arange(150) > 60), 7, y),  # some were wrong
        lambda y: np.where(y >= 0, y + 5, -1),  # names only
    ):
        before = warm.fit(X, labelled(26)).graph_
        assert warm.fit(X, change(labelled(26))).graph_ is not before
    plain = RONMF(**PLAIN, warm_start=True, solver=ADMM(max_iter=3), random_state=0).fit(X, y)
    before = plain.graph_  # no label had a say in it
    assert plain.fit(X, labelled(60)).graph_ is before


def test_warm_start_keeps_the_columns_of_discovered_clusters(digits):
    X, y, _ = digits
    partial = np.where(y < 8, y, -1)
    # A generator goes on drawing: every refit would find its anchors in another order.
    rng = np.random.RandomState(0)
    warm = RONMF(10, **PLAIN, warm_start=True, random_state=rng).fit(X, partial)
    first = warm.labels_
    for _ in range(3):
        assert (warm.fit(X, partial).labels_ == first).mean() > 0.95


def test_warm_start_notices_data_changed_in_place(digits):
    X, y, truth = digits
    data, order = X.copy(), np.random.default_rng(0).permutation(len(X))
    warm = RONMF(**PLAIN, warm_start=True, random_state=0).fit(data, y)
    data[:] = X[order]
    warm.fit(data, y[order])
    assert (warm.transduction_ == truth[order]).mean() > 0.9
    data[:] = 0.0  # and the array of the last fit may be gone
    warm.fit(X[order], y[order])
    cold = RONMF(**PLAIN, random_state=0).fit(X[order], y[order])
    np.testing.assert_allclose(warm.prototypes_, cold.prototypes_, atol=0.05)
