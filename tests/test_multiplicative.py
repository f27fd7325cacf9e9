"""The loop of multiplicative updates, and the terms it works on."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.decomposition import non_negative_factorization

from multiplicative_problems import METHODS, problem_of, random_data
from ronmf import RONMF
from ronmf.baselines import CNMF, GNMF, RNMF, RSNMF, SNMFDSR, LpCNMF
from ronmf.graph import add_label_edges, neighbor_graph
from ronmf.labels.encoding import encode_labels
from ronmf.multiplicative.data_fits import LeastSquaresFit
from ronmf.multiplicative.loop import Problem, minimise, sweep


@pytest.mark.parametrize("name", METHODS)
@settings(max_examples=8, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    n_samples=st.integers(6, 30),
    n_features=st.integers(2, 20),
    density=st.sampled_from([0.3, 0.8, 1.0]),
    label_rate=st.sampled_from([0.0, 0.3, 1.0]),
    unit=st.sampled_from([1e-3, 1.0, 255.0]),
)
def test_no_iteration_raises_the_objective(
    name, seed, n_samples, n_features, density, label_rate, unit
):
    X, y = random_data(seed, n_samples, n_features, density, label_rate=label_rate)
    problem = problem_of(name, unit * X, y)
    rng = np.random.RandomState(seed % 2**32)
    fit = minimise(problem, rng, max_iter=300, tol=0.0, check_every=1)
    values = np.array(fit.history.objective)
    assert len(values) == 301
    assert np.isfinite(values).all()
    # The smallest values are differences of sums as large as |X|²: rounding is relative to that.
    slack = 1e-12 * max(values[0], (unit * X).ravel() @ (unit * X).ravel())
    if name.startswith(("RNMF", "RSNMF")):
        slack = 1e-8 * values[0]  # roots of such differences
    assert np.diff(values).max() <= slack
    assert all((F >= 0).all() for F in fit.factors.values())


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("seed", range(3))
def test_parts_are_those_of_the_numerical_gradient(name, seed):
    X, y = random_data(seed)
    problem = problem_of(name, X, y)
    factors = problem.start(np.random.RandomState(seed))
    for _ in range(3):
        factors = sweep(problem, factors)
    rng = np.random.default_rng(seed)
    for key, F in factors.items():
        parts = [term.split(key, factors) for term in (problem.data, *problem.terms)]
        N = sum(part[0] for part in parts if part is not None)
        P = sum(part[1] for part in parts if part is not None)
        assert np.min(N) >= 0
        assert np.min(P) >= 0
        direction = rng.standard_normal(F.shape)
        step = 1e-6 * max(F.max(), 1e-3)
        ahead = problem.value({**factors, key: F + step * direction})
        behind = problem.value({**factors, key: F - step * direction})
        slope = np.sum(2 * (P - N) * direction)
        scale = np.sum(2 * (P + N) * np.abs(direction))
        assert abs((ahead - behind) / (2 * step) - slope) <= 2e-6 * scale, key


def run(model, X, y=None, affinity=None, iterations=50):
    """Return V and U after iterations from one start."""
    W = neighbor_graph(X, 4, weights="heat").affinity if affinity is None else affinity
    problem = model._problem(X, encode_labels(y, len(X), 3), W)
    fit = minimise(problem, np.random.RandomState(7), max_iter=iterations, tol=0.0)
    return fit.matrices


@pytest.fixture(scope="module")
def data():
    return random_data(11)


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


def test_snmfdsr_without_labels_is_gnmf_on_its_graph(data):
    X, _ = data
    V, _ = run(SNMFDSR(graph_weight=3.0), X)
    expected, _ = run(GNMF(graph_weight=3.0), X)
    np.testing.assert_allclose(V, expected, rtol=1e-10)


def test_snmfdsr_with_labels_and_no_dissimilarity_is_gnmf_on_the_edited_graph(data):
    X, y = data
    known = encode_labels(y, len(X), 3)
    W = neighbor_graph(X, 4, weights="binary").affinity
    joined = add_label_edges(W, y)  # up to 50 labels a class: all pairs, weight 1
    expected = GNMF(graph_weight=0.5)._problem(X, known, joined)
    problem = SNMFDSR(graph_weight=0.5, dissimilarity_weight=0.0)._problem(X, known, W)
    factors = expected.start(np.random.RandomState(0))
    assert problem.value(factors) == pytest.approx(expected.value(factors), rel=1e-12)


def test_dissimilarity_is_that_of_all_labelled_pairs_of_two_classes(data):
    X, y = data
    known, W = encode_labels(y, len(X), 3), neighbor_graph(X, 4).affinity
    near = SNMFDSR(graph_weight=0.0, dissimilarity_weight=0.0)._problem(X, known, W)
    far = SNMFDSR(graph_weight=0.0, dissimilarity_weight=0.7)._problem(X, known, W)
    factors = near.start(np.random.RandomState(0))
    V, pairs = factors["V"], 0.0
    for i in range(len(X)):
        for j in range(len(X)):
            if y[i] >= 0 and y[j] >= 0 and y[i] != y[j]:
                pairs += V[i] @ V[j]
    assert far.value(factors) - near.value(factors) == pytest.approx(0.7 * pairs, rel=1e-10)


@pytest.mark.parametrize("seed", range(3))
def test_lpcnmf_is_the_model_of_ronmf_with_least_squares(seed):
    """Where ADMM ends, both objectives agree and no multiplicative update finds anything better."""
    X, y = random_data(seed, 30, 12)
    model = RONMF(
        penalty="frobenius", basis="unconstrained", relative=False, graph_weight=0.5,
        label_weight=2.0, graph="plain", class_mass=None, affinity="heat", n_neighbors=4,
        tol=1e-8, max_iter=5000, random_state=0,
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


def test_the_best_of_several_starts_goes_on(data):
    X, y = data
    problem = problem_of("GNMF", X, y)
    trials = [
        minimise(problem, np.random.RandomState(seed), max_iter=30, tol=0.0).history.objective[-1]
        for seed in range(2)
    ]

    class Starts:
        """A generator that hands out the states of two seeds in turn."""

        seeds = iter((0, 1))

    def start(_):
        return problem.start(np.random.RandomState(next(Starts.seeds)))

    fit = minimise(
        Problem(problem.data, problem.terms, start), np.random.RandomState(0), n_init=2,
        max_iter=50, tol=0.0,
    )  # fmt: skip
    best = minimise(problem, np.random.RandomState(int(np.argmin(trials))), max_iter=50, tol=0.0)
    assert fit.history.objective[-1] == pytest.approx(best.history.objective[-1], rel=1e-12)
    assert fit.n_iter == 50
    assert fit.history.iteration == [0, 10, 20, 30, 40, 50]


def test_stops_when_nothing_is_gained_and_says_so(data):
    X, _ = data
    problem = Problem(LeastSquaresFit(X), (), lambda rng: start_of(X, rng))
    fit = minimise(problem, np.random.RandomState(0), max_iter=5000, tol=1e-4)
    assert fit.converged
    assert fit.stop_reason == "converged"
    assert fit.n_iter < 5000
    last = fit.history.objective[-2:]
    assert last[0] - last[1] < 1e-4 * last[0]
    cut = minimise(problem, np.random.RandomState(0), max_iter=7, tol=1e-4)
    assert not cut.converged
    assert cut.stop_reason == "did not converge within max_iter=7 iterations"
    assert cut.history.iteration == [0, 7]


def start_of(X, rng):
    return {"V": rng.uniform(size=(len(X), 3)), "U": rng.uniform(size=(X.shape[1], 3))}


def test_a_callback_stops_it_among_the_starts_and_later(data):
    X, _ = data
    problem = Problem(LeastSquaresFit(X), (), lambda rng: start_of(X, rng))
    for stop_at, n_iter in [(1, 1), (35, 30), (100, 40)]:
        calls = []

        def callback(iteration, history, calls=calls, stop_at=stop_at):
            calls.append(iteration)
            return len(calls) == stop_at

        fit = minimise(
            problem, np.random.RandomState(0), n_init=3, max_iter=50, tol=0.0, callback=callback
        )
        assert len(calls) == stop_at
        assert fit.stop_reason == "stopped by a callback"
        assert fit.n_iter == n_iter
        assert not fit.converged


def test_exact_zeros_and_tiny_entries_stay_harmless():
    X = np.zeros((6, 4))
    X[0, 0] = 1.0
    problem = Problem(LeastSquaresFit(X), (), lambda rng: start_of(X, rng))
    with np.errstate(all="raise", under="ignore"):
        fit = minimise(problem, np.random.RandomState(0), max_iter=2000, tol=0.0)
    for F in fit.factors.values():
        assert np.isfinite(F).all()
        assert not ((F > 0) & (F < 1e-154)).any()
    assert fit.history.objective[-1] < 1e-12
