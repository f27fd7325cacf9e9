"""Shared data. Real datasets are looked for in $RONMF_DATA, then in ../shared/data."""

import os
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_digits


@pytest.fixture(scope="session")
def digits():
    """600 digits in [0, 1] with every tenth labelled: X, y, truth."""
    X, truth = load_digits(return_X_y=True)
    X, truth = X[:600] / 16.0, truth[:600]
    return X, np.where(np.arange(600) % 10 == 0, truth, -1), truth


@pytest.fixture(scope="session")
def data_folder():
    """The folder of the real datasets, or a skip with the reason."""
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    folder = Path(os.environ.get("RONMF_DATA", beside))
    if not (folder / "yale.npz").exists():
        pytest.skip("the real datasets are absent: set RONMF_DATA to a folder with yale.npz etc.")
    return folder
