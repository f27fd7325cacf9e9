"""Transformers of pictures under scikit-learn's checks."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from ronmf.features import HOG, GaussianBlur, LocalContrast, MedianFilter, UnitNorm


class OneRow:
    """Takes rows of any length for pictures one pixel high, as scikit-learn's checks need."""

    def _shape(self, n_features):
        return 1, n_features, 1


class RowBlur(OneRow, GaussianBlur):
    pass


class RowMedian(OneRow, MedianFilter):
    pass


class RowContrast(OneRow, LocalContrast):
    pass


class RowHOG(OneRow, HOG):
    pass


@parametrize_with_checks([RowBlur()])
def test_sklearn_checks(estimator, check):
    check(estimator)


@pytest.mark.every_estimator
@parametrize_with_checks([UnitNorm(), RowMedian(), RowContrast(), RowHOG()])
def test_sklearn_checks_of_every_estimator(estimator, check):
    check(estimator)
