"""The estimator as a user meets it."""

import numpy as np
import pytest
from scipy.integrate import trapezoid
from sklearn.datasets import load_digits
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import normalized_mutual_info_score
from sklearn.semi_supervised import LabelSpreading

from ronmf import ETP, MCP, RONMF, SCAD, neighbor_graph
from ronmf.admm import solver as admm
from ronmf.penalties import PENALTIES

# The model alone: no choice of a graph before it, no scaling of clusters after it.
PLAIN = {"graph": "plain", "class_mass": None}


@pytest.fixture(scope="module")
def fitted(digits):
    X, y, _ = digits
    return RONMF(random_state=0).fit(X, y)


def test_labels_and_factors(digits, fitted):
    X, y, truth = digits
    hidden = y == -1
    rival = LabelSpreading(kernel="knn", n_neighbors=7).fit(X, y)
    accuracy = (fitted.transduction_ == truth)[hidden].mean()
    assert accuracy > (rival.transduction_ == truth)[hidden].mean()
    assert fitted.converged_, fitted.stop_reason_
    assert (fitted.transduction_[~hidden] == y[~hidden]).all()
    assert (fitted.classes_[fitted.labels_] == fitted.transduction_).all()
    assert fitted.membership_.shape == (600, 10)
    assert fitted.components_.shape == (10, 64)
    assert fitted.prototypes_.shape == (10, 64)
    assert (fitted.membership_ >= 0).all()
    assert (fitted.amplitudes_ >= 0).all()
    gram = fitted.components_ @ fitted.components_.T
    np.testing.assert_allclose(gram, np.eye(10), atol=1e-10)
    assert ((fitted.components_ > 0).sum(axis=0) <= 1).all()
    assert ((fitted.group_weights_ >= 0) & (fitted.group_weights_ <= 1)).all()
    history = vars(fitted.history_)
    assert {len(series) for series in history.values()} == {fitted.n_iter_}
    assert max(fitted.history_.orthogonality) < 1e-10


def test_the_same_labels_give_the_same_fit(digits, fitted):
    X, y, _ = digits
    again = RONMF(random_state=0)
    labels = again.fit_predict(X.copy(), y.copy())
    np.testing.assert_array_equal(labels, fitted.labels_)
    np.testing.assert_array_equal(fitted.membership_, again.membership_)
    assert fitted.graph_weight_ == again.graph_weight_


def test_multiplying_the_data_changes_nothing(digits, fitted):
    X, y, _ = digits
    plain = RONMF(**PLAIN, random_state=0).fit(X, y)
    # Distances between integers tie, and rounding on the way to a chosen graph would decide.
    for factor, expected, settings in [(1000, plain, PLAIN), (1024, fitted, {})]:
        scaled = RONMF(**settings, random_state=0).fit(factor * X, y)
        np.testing.assert_allclose(scaled.membership_, expected.membership_, atol=1e-6)
        prototypes = factor * expected.prototypes_
        np.testing.assert_allclose(scaled.prototypes_, prototypes, rtol=1e-5, atol=1e-3)


def test_renaming_classes_renames_the_result(digits, fitted):
    X, y, _ = digits
    names = np.array([f"digit {j}" for j in range(10)], dtype=object)
    named = RONMF(random_state=0).fit(X, np.where(y >= 0, names[y], -1))
    assert named.classes_.tolist() == names.tolist()
    assert (named.transduction_ == names[fitted.transduction_]).all()
    assert (named.predict(X[:7]) == names[fitted.predict(X[:7])]).all()


def test_samples_may_come_in_any_order(digits, fitted):
    X, y, _ = digits
    order = np.random.default_rng(0).permutation(len(X))
    # The hidden folds are drawn by position, so what they choose is held fixed.
    weight = fitted.graph_weight_
    straight = RONMF(**PLAIN, graph_weight=weight, random_state=0).fit(X, y)
    shuffled = RONMF(**PLAIN, graph_weight=weight, random_state=0).fit(X[order], y[order])
    assert (shuffled.labels_ == straight.labels_[order]).mean() > 0.995


@pytest.mark.parametrize("groups", ["features", "samples"])
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


@pytest.mark.parametrize("groups", ["features", "samples"])
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


@pytest.mark.parametrize("settings", [PLAIN, {"class_mass": "labels"}], ids=["plain", "default"])
def test_new_samples_weigh_graph_and_data_as_the_fit_did(digits, settings):
    """A training sample linked to its own neighbours gets the membership of the fit."""
    X, y, _ = digits
    X, y = X[:300], y[:300]
    settings = settings | {"graph_weight": 5.0, "tol": 1e-5, "max_iter": 300}
    model = RONMF(**settings, random_state=0).fit(X, y)
    W = model.graph_.affinity
    for i in np.flatnonzero(y == -1)[:20]:
        links = W[[i], :].tocsr()
        a = model._new_samples.memberships(X[[i]], links.indices[None, :], links.data[None, :])
        np.testing.assert_allclose(a[0], model.membership_[i], atol=1e-3)


def test_without_labels_it_clusters_by_graph_and_parts(digits):
    X, _, truth = digits
    model = RONMF(n_clusters=10, random_state=0).fit(X)
    assert normalized_mutual_info_score(truth, model.labels_) > 0.7
    assert len(np.unique(model.labels_)) == 10
    assert np.isfinite(model.membership_).all()


def test_unnamed_clusters_are_discovered(digits):
    X, y, truth = digits
    partial = np.where(np.isin(y, [0, 1, 2, 3, 4, 5, 6]), y, -1)
    model = RONMF(n_clusters=10, random_state=0).fit(X, partial)
    assert model.classes_.tolist() == list(range(10))
    new = np.isin(truth, [7, 8, 9])
    assert (model.labels_[new] >= 7).mean() > 0.7
    assert (model.transduction_[~new] == truth[~new]).mean() > 0.8


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


def test_a_warm_start_chooses_anew_when_labels_have_grown_by_half_or_changed(digits):
    X, truth = digits[0][:150], digits[2][:150]
    y = np.where(np.arange(150) % 3 == 0, truth, -1)  # 50 labels, of all classes

    def labelled(count):
        grown = y.copy()
        grown[np.flatnonzero(y < 0)[:count]] = truth[np.flatnonzero(y < 0)[:count]]
        return grown

    warm = RONMF(warm_start=True, max_iter=3, random_state=0)
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
    plain = RONMF(**PLAIN, warm_start=True, max_iter=3, random_state=0).fit(X, y)
    before = plain.graph_  # no label had a say in it
    assert plain.fit(X, labelled(60)).graph_ is before


def test_float32_stays_float32(digits, fitted):
    X, y, _ = digits
    model = RONMF(random_state=0).fit(X.astype(np.float32), y)
    for name in ("membership_", "components_", "amplitudes_", "prototypes_", "group_weights_"):
        assert getattr(model, name).dtype == np.float32, name
    assert model.transform(X[:3].astype(np.float32)).dtype == np.float32
    # Rotated coordinates break ties between neighbours by rounding.
    assert (model.labels_ == fitted.labels_).mean() > 0.97
    gram = model.components_ @ model.components_.T
    np.testing.assert_allclose(gram, np.eye(10), atol=1e-5)


@pytest.mark.parametrize("penalty", sorted(PENALTIES))
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
    model = RONMF.printed(variant, max_iter=5, random_state=0)
    assert repr(model.penalty) == repr(penalty)
    assert (model.graph_weight, model.label_weight, model.beta) == (1000, 1, 10)
    assert (model.affinity, model.heat_width, model.n_neighbors) == ("heat", 1, 5)
    assert (model.init, model.basis, model.exact, model.relative) == (
        "random",
        "penalty",
        False,
        False,
    )
    assert model.groups == "features"
    assert RONMF.printed("M", n_neighbors=9).n_neighbors == 9
    with pytest.warns(ConvergenceWarning):
        model.fit(X, y)
    assert np.isfinite(model.membership_).all()
    assert set(model.history_.beta) == {10.0}


def test_outlying_pixels_get_no_weight(digits):
    """A pixel of pure noise, stronger than all others, is set aside; its peers are kept."""
    X, y, _ = digits
    noisy = X.copy()
    noisy[:, 20] += 30 * np.random.default_rng(0).random(len(X))
    W = neighbor_graph(X, 5).affinity
    model = RONMF(affinity="precomputed", random_state=0).fit(noisy, y, affinity=W)
    assert model.group_weights_[20] == 0
    assert (np.delete(model.group_weights_, 20) > 0.1).mean() > 0.8


def test_outlying_samples_get_no_weight(digits):
    X, y, _ = digits
    noisy = X.copy()
    noisy[7] += 50 * np.random.default_rng(0).random(64)
    model = RONMF(**PLAIN, groups="samples", random_state=0).fit(noisy, y)
    assert model.group_weights_.shape == (600,)
    assert model.group_weights_[7] == 0
    assert np.median(model.group_weights_) > 0.9


def test_strong_labels_without_data_are_label_propagation(digits):
    """As λ and μ grow beside the data term, memberships tend to the harmonic solution."""
    X, y, _ = digits
    strong = RONMF(**PLAIN, graph_weight=1e6, random_state=0).fit(X, y)
    W = neighbor_graph(X, 5).affinity.toarray()
    S = np.diag((y >= 0) * 10.0 * W.sum(axis=1).mean())
    Y = (y[:, None] == np.arange(10)).astype(float)
    harmonic = np.linalg.solve(np.diag(W.sum(axis=1)) - W + S, S @ Y)
    np.testing.assert_allclose(strong.membership_, harmonic, atol=1e-3)


@pytest.mark.parametrize(("beta", "grows"), [(500.0, False), (0.01, True)])
def test_balancing_moves_beta_towards_the_middle(digits, beta, grows):
    X, y, _ = digits
    settings = {"balance": True, "tol": 1e-6, "max_iter": 30, "random_state": 0}
    model = RONMF(**PLAIN, beta=beta, **settings).fit(X, y)
    first, last = model.history_.beta[0], model.history_.beta[-1]
    assert last > first if grows else last < first


@pytest.mark.parametrize("beta", [3.0, 10.0])
def test_stops_only_when_all_three_quantities_are_small(digits, beta):
    X, y, _ = digits
    model = RONMF(**PLAIN, beta=beta, max_iter=300, random_state=0).fit(X, y)
    history = model.history_
    worst = np.max([history.primal, history.dual, history.membership_change], axis=0)
    assert model.converged_
    assert (worst[:-1] >= model.tol).all()
    assert worst[-1] < model.tol


def test_a_large_beta_does_not_pass_for_convergence(digits):
    X, y, _ = digits
    with pytest.warns(ConvergenceWarning, match="reached max_iter=5"):
        model = RONMF(**PLAIN, beta=1e6, max_iter=5, random_state=0).fit(X, y)
    assert not model.converged_


def test_label_edges_use_given_labels_only(digits):
    X, y, truth = digits
    plain = RONMF(**PLAIN, random_state=0, max_iter=5).fit(X, y).graph_summary_
    edited = RONMF(**PLAIN, random_state=0, max_iter=5, label_edges=True).fit(X, y)
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
    plain = RONMF(max_iter=1, random_state=0).fit(X, y).graph_weight_
    edited = RONMF(max_iter=1, random_state=0, label_edges=True).fit(X, y).graph_weight_
    assert edited == pytest.approx(plain)
    share = (y >= 0).mean()
    assert 0.5 < plain * share < 2  # the ratio of errors


@pytest.mark.parametrize(
    "change",
    [
        {"init": "random"},
        {"affinity": "heat"},
        {"affinity": "heat", "heat_width": 0.1},
        {"affinity": "binary"},
        {"exact": False},
        {"groups": "samples"},
        {"label_weight": 0.1},
        {"graph_weight": 1.0},
        {"n_components": 20},
        {"class_mass": "labels"},
        {"graph": "auto"},
    ],
    ids=str,
)
def test_every_option_reaches_the_solver(digits, change):
    X, y, _ = digits
    base = {**PLAIN, "graph_weight": 2.0, "max_iter": 4, "random_state": 0}
    if "heat_width" in change:
        reference = RONMF(**base, affinity="heat").fit(X, y)
    else:
        reference = RONMF(**base).fit(X, y)
    changed = RONMF(**(base | change)).fit(X, y)
    assert np.abs(changed.membership_ - reference.membership_).max() > 1e-6


def test_the_exact_penalty_solves_the_basis(digits, monkeypatch):
    calls = []
    original = admm.maximise_penalty
    monkeypatch.setattr(admm, "maximise_penalty", lambda C, U: calls.append(1) or original(C, U))
    X, y, _ = digits
    model = RONMF(**PLAIN, basis="penalty", max_iter=3, random_state=0).fit(X, y)
    assert len(calls) == model.n_iter_


def test_precomputed_graph_gives_the_same_fit(digits):
    X, y, _ = digits
    W = neighbor_graph(X, 5).affinity
    built = RONMF(graph="plain", random_state=0).fit(X, y)
    model = RONMF(affinity="precomputed", random_state=0).fit(X, y, affinity=W)
    np.testing.assert_allclose(model.membership_, built.membership_, atol=1e-8)
    np.testing.assert_allclose(model.label_distributions_, built.label_distributions_, atol=1e-8)
    assert np.isfinite(model.transform(X[:4])).all()


def test_warm_start_keeps_the_columns_of_discovered_clusters(digits):
    X, y, _ = digits
    partial = np.where(y < 8, y, -1)
    # A generator goes on drawing: every refit would find its anchors in another order.
    rng = np.random.RandomState(0)
    warm = RONMF(10, **PLAIN, warm_start=True, random_state=rng).fit(X, partial)
    first = warm.labels_
    for _ in range(3):
        assert (warm.fit(X, partial).labels_ == first).mean() > 0.95


def test_black_margins_do_not_make_outliers(digits):
    X, y, _ = digits
    bare = RONMF(**PLAIN, random_state=0).fit(X, y)
    framed = np.concatenate([X, np.zeros((600, 100))], axis=1)
    model = RONMF(**PLAIN, random_state=0).fit(framed, y)
    np.testing.assert_allclose(model.group_weights_[:64], bare.group_weights_, atol=0.05)


def test_group_weights_say_so_when_most_groups_are_outliers(digits):
    X, y, _ = digits
    model = RONMF(**PLAIN, penalty=MCP(sigma=0.2), random_state=0).fit(X, y)
    assert (model.group_weights_ == 0).mean() > 0.5
    assert model.group_weights_.max() == 1
