"""Small fits with any data, labels and parameters: finite results, or one sentence.

``make fuzz`` draws 10,000 of them anew.
"""

import re
import warnings

import numpy as np
import pytest
from hypothesis import given, note
from hypothesis import strategies as st
from sklearn.utils._param_validation import Interval, Options

import ronmf
from ronmf import baselines
from support.fuzzing import small_fits

ESTIMATORS = (
    ronmf.RONMF,
    *(getattr(baselines, name) for name in baselines.__all__),
)
ODD_NUMBERS = [0, 1, 2, 3, 7, 10**9, 0.0, 1e-300, 1e-30, 1e-3, 0.5, 1.0, 3.7, 1e3, 1e30, 1e300]
NO_NUMBERS = [True, None, -1, float("nan"), float("inf"), "auto", "nonsense", [], 1j]
QUICK = {"max_iter": 4, "n_init": 1, "inner_iter": 2}  # a fuzz wants many fits, not good ones
QUICK_SOLVER = {"max_iter": 4}


def values_of(constraints):
    """Return a strategy for a parameter: allowed words, numbers of any size, and nonsense."""
    words = [word for each in constraints if isinstance(each, Options) for word in each.options]
    numbers = any(isinstance(each, Interval) for each in constraints)
    common = words + [True, False] * ("boolean" in constraints) + ODD_NUMBERS * numbers
    return st.one_of(st.sampled_from(common or NO_NUMBERS), st.sampled_from(common + NO_NUMBERS))


@st.composite
def parameters(draw, estimator):
    """Draw up to three parameters of an estimator."""
    constraints = {
        name: each
        for name, each in estimator._parameter_constraints.items()
        if each != "no_validation" and name not in {"verbose", "random_state", *QUICK}
    }
    names = draw(st.lists(st.sampled_from(sorted(constraints)), max_size=3, unique=True))
    found = {name: draw(values_of(constraints[name])) for name in names}
    if "solver" in found and draw(st.booleans()):
        found["solver"] = ronmf.ADMM(**(QUICK_SOLVER | draw(parameters(ronmf.ADMM))))
    return found


@st.composite
def data(draw):
    """Draw small data: noise, few values, equal rows, rows and columns of any scale."""
    n, d = draw(st.integers(1, 14)), draw(st.integers(1, 6))
    rng = np.random.RandomState(draw(st.integers(0, 2**16)))
    X = rng.rand(n, d)
    kind = draw(st.sampled_from(["noise", "clusters", "digits", "zeros", "equal", "counts"]))
    if kind == "clusters":
        X = X * 0.1 + rng.rand(3, d)[rng.randint(3, size=n)]
    elif kind == "digits":
        X = (X > 0.5).astype(float)
    elif kind == "zeros":
        X = X * 0
    elif kind == "equal":
        X[:] = X[0]
    elif kind == "counts":
        X = rng.poisson(3.0, size=(n, d))
    scale = 10.0 ** draw(st.sampled_from([0, 0, 0, -8, 8, -80, 80, -200, 200]))
    if draw(st.booleans()):
        X = X * scale
    else:
        X = X.astype(float)
        X[rng.randint(n)] *= scale
        X[:, rng.randint(d)] *= draw(st.sampled_from([0.0, 1.0, 1e5]))
    with np.errstate(over="ignore"):
        return X.astype(draw(st.sampled_from([np.float64, np.float32])))


@st.composite
def labels(draw, n):
    """Draw labels of many kinds, mostly as many as there are samples."""
    names = draw(
        st.sampled_from(
            [
                [0, 1, -1, -1],
                [0, -1, -1, -1],
                [0, 1, 2],
                ["cat", "dog", None, ""],
                ["", "", None],
                [1e300, 2e300, -1.0],
                [2**63 + 1, 2**63 + 2, -1],
                [frozenset([1]), frozenset([2]), -1],
                [True, False, -1],
                [True, 1, "1"],
                [float("inf"), 1.0, float("nan")],
                [1j, 2j, -1],
                [np.datetime64("2020-01-01"), np.datetime64("NaT"), np.datetime64("2021-01-01")],
                [(1, 2), (3,), -1],
                [b"a", "a", -1],
                [{}, [], -1],
            ]
        )
    )
    count = draw(st.sampled_from([n, n, n, n, n, n, 0, n + 1]))
    rng = np.random.RandomState(draw(st.integers(0, 2**16)))
    y = [names[k] for k in rng.randint(len(names), size=count)]
    if draw(st.booleans()):
        return y
    try:
        return np.asarray(y)
    except ValueError:
        return y


def numbers_of(model):
    """Yield the arrays of numbers that a fit has made, with their names."""
    for name, value in vars(model).items():
        if name.endswith("_") and isinstance(value, np.ndarray) and value.dtype.kind == "f":
            yield name, value


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda each: each.__name__)
@small_fits()
@given(drawn=st.data())
def test_fits_are_finite_or_refused(estimator, drawn):
    X = drawn.draw(data(), label="X")
    y = drawn.draw(st.one_of(labels(len(X)), st.none()), label="y")
    chosen = drawn.draw(parameters(estimator), label="parameters")
    known = estimator().get_params()
    quick = {name: value for name, value in QUICK.items() if name in known}
    if "solver" in known:
        quick["solver"] = ronmf.ADMM(**QUICK_SOLVER)
    fixed = {"n_clusters": 2} if y is None and "n_clusters" in known else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            model = estimator(**{**quick, **fixed, "random_state": 0, **chosen}).fit(X, y)
            found = dict(numbers_of(model))
            if hasattr(model, "predict"):
                predicted = model.predict(X)
                assert set(predicted.tolist()) <= set(model.classes_.tolist())
            if hasattr(model, "predict_proba"):
                found["predict_proba"] = model.predict_proba(X)
        except (ValueError, TypeError) as error:
            assert_says_what_is_wrong(error, {**known, **chosen})
            return
    for name, value in found.items():
        note(f"{name} of shape {value.shape}")
        assert np.isfinite(value).all(), name
    assert len(model.labels_) == len(X)


def assert_says_what_is_wrong(error, known):
    """Check that an error was raised on purpose: a sentence about something the user gave."""
    text = str(error)
    assert type(error).__name__ in ("ValueError", "InvalidParameterError"), repr(error)
    assert len(text) < 700
    # "array" is what scikit-learn calls X.
    given = ["X", "y", "data", "array", "samples", "affinity", "labels", "labelled", *known]
    assert any(re.search(rf"\b{word}\b", text) for word in given), text
