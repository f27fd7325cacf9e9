"""Every option reaches the solver and does what it says."""

import numpy as np
import pytest
from scipy.sparse.csgraph import connected_components
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import adjusted_rand_score

from ronmf import (
    ADMM,
    ETP,
    MCP,
    RONMF,
    SCAD,
    GraphChoice,
    load_model,
    neighbor_graph,
    save_model,
)
from ronmf.admm import basis as admm
from ronmf.penalties import PENALTIES
from support.marks import slow
from support.settings import PLAIN


@pytest.mark.parametrize(
    "penalty", ["mcp", "etp", *slow(*sorted(PENALTIES.keys() - {"mcp", "etp"}))]
)
def test_every_penalty_runs_to_a_good_result(digits, penalty):
    X, y, truth = digits
    model = RONMF(**PLAIN, penalty=penalty, random_state=0).fit(X, y)
    assert (model.transduction_ == truth)[y == -1].mean() > 0.9
    # The proximal operators of capped l1 and l2,p (p < 1) jump at any step: they may cycle.
    assert model.converged_ or penalty in ("capped_l1", "l2p"), model.stop_reason_
    assert model.history_.primal[-1] < 0.01


@pytest.mark.parametrize(
    ("variant", "penalty"),
    [
        ("M", MCP(tau=1.5, rule="printed")),
        ("S", SCAD(tau=3.7, rule="printed")),
        ("E", ETP(rule="printed")),
    ],
)
def test_printed_settings(digits, variant, penalty):
    X, y, _ = digits
    model = RONMF.printed(variant, solver__max_iter=5, random_state=0)
    assert repr(model.penalty) == repr(penalty)
    assert (model.graph_weight, model.label_weight) == (1000, 1)
    heat = GraphChoice("plain", edge_weights="heat", heat_width=1.0)
    assert (model.graph.get_params(), model.n_neighbors) == (heat.get_params(), 5)
    printed = ADMM(10, relative=False, basis="penalty", exact=False, init="random", max_iter=5)
    assert model.solver.get_params() == printed.get_params()
    assert model.groups == "features"
    assert RONMF.printed("M", n_neighbors=9).n_neighbors == 9
    assert RONMF.printed("M", solver=ADMM(tol=0.1)).solver.basis == "partition"
    with pytest.raises(ValueError, match="RONMF has no parameter 'max_iter', but ADMM has"):
        RONMF.printed("M", max_iter=9)
    with pytest.warns(ConvergenceWarning):
        model.fit(X, y)
    assert np.isfinite(model.membership_).all()
    assert set(model.history_.beta) == {10.0}


def test_printed_weights_make_memberships_constant_on_connected_pieces(digits):
    """λ = 1000 against μ = 1: as many clusters as the graph has pieces, whatever the labels say."""
    X, y, _ = digits
    model = RONMF.printed("M", solver__max_iter=20, random_state=0)
    with pytest.warns(UserWarning, match="clusters have no samples"):
        model.fit(X, y)
    count, piece = connected_components(model.graph_.affinity)
    means = np.array([model.membership_[piece == k].mean(axis=0) for k in range(count)])
    rest = model.membership_ - means[piece]
    assert np.linalg.norm(rest) < 0.05 * np.linalg.norm(model.membership_)
    assert len(np.unique(model.labels_)) <= count < len(model.classes_)


def test_strong_labels_without_data_are_label_propagation(digits):
    """As λ and μ grow beside the data term, memberships tend to the harmonic solution."""
    X, y, _ = digits
    strong = RONMF(**PLAIN, graph_weight=1e6, random_state=0).fit(X, y)
    W = neighbor_graph(X, 5).affinity.toarray()
    S = np.diag((y >= 0) * 10.0 * W.sum(axis=1).mean())
    Y = (y[:, None] == np.arange(10)).astype(float)
    harmonic = np.linalg.solve(np.diag(W.sum(axis=1)) - W + S, S @ Y)
    np.testing.assert_allclose(strong.membership_, harmonic, atol=1e-3)


def test_label_edges_use_given_labels_only(digits):
    X, y, truth = digits
    model = RONMF(**PLAIN, random_state=0, solver=ADMM(max_iter=5))
    plain = model.fit(X, y).graph_summary_
    edited = model.set_params(graph__label_edges=True).fit(X, y)
    given = y >= 0
    same = y[given][:, None] == y[given]
    W = neighbor_graph(X, 5).affinity.toarray()[np.ix_(given, given)]
    joined = (same & (W == 0)).sum() - given.sum()  # the diagonal stays empty
    cut = (~same & (W > 0)).sum()
    assert edited.graph_summary_["edges"] == plain["edges"] + (joined - cut) // 2
    assert (edited.transduction_ == truth)[~given].mean() > 0.9


def test_automatic_weight_is_judged_without_the_edges_of_the_labels_it_hides():
    """On noise with random labels nothing predicts them: label edges must not seem to."""
    rng = np.random.default_rng(0)
    X, y = rng.random((200, 5)), np.where(rng.random(200) < 0.5, rng.integers(4, size=200), -1)
    model = RONMF(solver=ADMM(max_iter=1), random_state=0)
    plain = model.fit(X, y).graph_weight_
    edited = model.set_params(graph__label_edges=True).fit(X, y).graph_weight_
    assert edited == pytest.approx(plain)
    share = (y >= 0).mean()
    assert 0.5 < plain * share < 2  # the ratio of errors


@pytest.mark.parametrize(
    "change",
    [
        {"solver": ADMM(init="random", max_iter=4)},
        {"graph": GraphChoice("plain", edge_weights="heat", heat_width=0.1)},
        {"solver": ADMM(exact=False, max_iter=4)},
        {"n_components": 20},
        {"class_prior": "labels"},
        *slow(
            {"graph": GraphChoice("plain", edge_weights="heat")},
            {"graph": GraphChoice("plain", edge_weights="binary")},
            {"groups": "samples"},
            {"label_weight": 0.1},
            {"graph_weight": 1.0},
            {"graph": "auto"},
        ),
    ],
    ids=str,
)
def test_every_option_reaches_the_solver(digits, change):
    X, y, _ = digits
    base = {**PLAIN, "graph_weight": 2.0, "solver": ADMM(max_iter=4), "random_state": 0}
    reference = RONMF(**base)
    if getattr(change.get("graph"), "heat_width", None) is not None:
        reference.set_params(graph__edge_weights="heat")
    reference.fit(X, y)
    changed = RONMF(**(base | change)).fit(X, y)
    assert np.abs(changed.membership_ - reference.membership_).max() > 1e-6


def test_the_exact_penalty_solves_the_basis(digits, monkeypatch):
    calls = []
    original = admm.maximise_penalty
    monkeypatch.setattr(admm, "maximise_penalty", lambda C, U: calls.append(1) or original(C, U))
    X, y, _ = digits
    model = RONMF(**PLAIN, solver=ADMM(basis="penalty", max_iter=3), random_state=0).fit(X, y)
    assert len(calls) == model.n_iter_


def test_precomputed_graph_gives_the_same_fit(digits):
    X, y, _ = digits
    W = neighbor_graph(X, 5).affinity
    built = RONMF(graph="plain", random_state=0).fit(X, y)
    model = RONMF(graph="precomputed", random_state=0).fit(X, y, affinity=W)
    np.testing.assert_allclose(model.membership_, built.membership_, atol=1e-8)
    np.testing.assert_allclose(model.label_distributions_, built.label_distributions_, atol=1e-8)
    assert np.isfinite(model.transform(X[:4])).all()


def test_clusters_read_by_k_means_on_the_coefficients(digits):
    """As the released code reads them; nothing else of the fit changes."""
    X, y, truth = digits
    plain = RONMF(graph="plain", solver=ADMM(max_iter=5), random_state=0).fit(X, y)
    read = RONMF(graph="plain", solver=ADMM(max_iter=5), assign="kmeans", random_state=0).fit(X, y)
    np.testing.assert_array_equal(read.membership_, plain.membership_)
    np.testing.assert_array_equal(read.label_distributions_, plain.label_distributions_)
    coefficients = read.membership_ @ read.amplitudes_
    found = KMeans(10, n_init=20, random_state=1).fit_predict(coefficients)
    assert adjusted_rand_score(found, read.labels_) > 0.95
    assert adjusted_rand_score(read.labels_, plain.labels_) < 1.0
    assert (read.transduction_ == truth)[y < 0].mean() > 0.7  # clusters are named by the labels
    # New samples go to the nearest centre in the same space.
    centers = np.array([coefficients[read.labels_ == j].mean(axis=0) for j in range(10)])
    new = read.transform(X[:50]) @ read.amplitudes_
    nearest = ((new[:, None] - centers) ** 2).sum(axis=2).argmin(axis=1)
    assert (read.predict(X[:50]) == read.classes_[nearest]).mean() > 0.9


def test_k_means_reading_is_saved_with_a_model(digits, tmp_path):
    X, y, _ = digits
    model = RONMF(graph="plain", solver=ADMM(max_iter=5), assign="kmeans", random_state=0).fit(X, y)
    save_model(model, tmp_path / "model.ronmf")
    again = load_model(tmp_path / "model.ronmf")
    np.testing.assert_array_equal(again.predict(X[:20]), model.predict(X[:20]))
