"""The methods RONMF is compared with, under scikit-learn's checks."""

import warnings

import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import parametrize_with_checks

from ronmf.baselines import GNMF
from support.baselines import ALL
from support.sklearn_checks import expected_failures

# One estimator of each shell: that of propagation is RONMF's, whose checks are with its tests;
# a method without a graph is one with a graph less that.
SHELLS = [GNMF]


def run_quietly(check, estimator):
    """Run the check; few iterations on tiny data need not converge."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        check(estimator)


@parametrize_with_checks([kind() for kind in SHELLS], expected_failed_checks=expected_failures)
def test_sklearn_checks(estimator, check):
    run_quietly(check, estimator)


@pytest.mark.every_estimator
@parametrize_with_checks(
    [kind() for kind in ALL if kind not in SHELLS], expected_failed_checks=expected_failures
)
def test_sklearn_checks_of_every_estimator(estimator, check):
    run_quietly(check, estimator)
