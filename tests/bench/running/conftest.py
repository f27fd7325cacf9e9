"""The dataset that the protocol draws from."""

import pytest

from ronmf.datasets import load


@pytest.fixture(scope="session")
def dataset():
    return load("digits")
