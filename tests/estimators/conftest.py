"""One fit that many tests look at."""

import pytest

from ronmf import RONMF


@pytest.fixture(scope="session")
def fitted(digits):
    X, y, _ = digits
    return RONMF(random_state=0).fit(X, y)
