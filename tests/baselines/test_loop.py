"""The loop of multiplicative updates: descent, starts, callbacks and stopping."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ronmf.baselines._multiplicative.data_fits import LeastSquaresFit
from ronmf.baselines._multiplicative.loop import Problem, minimise
from support.marks import slow
from support.multiplicative_problems import METHODS, problem_of, random_data

# A name with a hyphen is another setting of a method that stands before it.
VARIANTS = [name for name in METHODS if "-" in name]


@pytest.mark.parametrize("name", [*sorted(METHODS.keys() - VARIANTS), *slow(*VARIANTS)])
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
