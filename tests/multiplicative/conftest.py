"""One problem that many tests look at."""

import pytest

from support.multiplicative_problems import random_data


@pytest.fixture(scope="session")
def data():
    return random_data(11)
