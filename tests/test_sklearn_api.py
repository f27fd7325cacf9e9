"""RONMF in scikit-learn's own terms: estimator checks, cloning, searches, pipelines, callbacks."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer
from sklearn.utils.estimator_checks import parametrize_with_checks

from ronmf import MCP, RONMF


def expected_failures(estimator):
    return {
        "check_clustering": "upstream feeds negative data to a clusterer of non-negative data"
    }


@parametrize_with_checks(
    [RONMF(), RONMF(groups="samples", penalty="l21")], expected_failed_checks=expected_failures
)
def test_sklearn_checks(estimator, check):
    check(estimator)
