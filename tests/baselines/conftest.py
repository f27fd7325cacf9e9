"""One fit of every method, on digits of unit length."""

import warnings

import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import normalize

from support.baselines import ALL
from support.multiplicative_problems import random_data


@pytest.fixture(scope="session")
def unit(digits):
    """Digits of unit length, as the methods are meant for; one label in ten."""
    X, y, truth = digits
    return normalize(X), y, truth


@pytest.fixture(scope="session")
def fitted(unit):
    X, y, _ = unit
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return {kind: kind(random_state=0).fit(X, y) for kind in ALL}


@pytest.fixture(scope="session")
def data():
    """One small problem that many tests of the loop look at."""
    return random_data(11)
