"""Problems of the U-step, its two solvers, and what every answer must meet."""

import numpy as np
from sklearn.datasets import load_digits

from ronmf.admm.orthogonal import maximise_partition, maximise_penalty

SOLVERS = [maximise_partition, maximise_penalty]


def value(C, U):
    return float(np.sum(C * U))


def assert_feasible(U, tol=1e-10):
    assert np.all(U >= 0)
    assert np.all(np.count_nonzero(U, axis=1) <= 1)
    assert np.all(np.count_nonzero(U, axis=0) >= 1)
    assert np.max(np.abs(U.T @ U - np.eye(U.shape[1]))) <= tol


def low_rank(d, r, rank, seed=0):
    rng = np.random.default_rng(seed)
    return rng.random((d, rank)) ** 2 @ rng.random((rank, r))


def digits():
    X, y = load_digits(return_X_y=True)
    return X.T @ np.eye(10)[y]


PROBLEMS = {
    "digits": digits,
    "gauss 784x10": lambda: np.random.default_rng(0).standard_normal((784, 10)),
    "low rank 784x10": lambda: low_rank(784, 10, 5),
    "gauss 1024x100": lambda: np.random.default_rng(1).standard_normal((1024, 100)),
    "low rank 1024x100": lambda: low_rank(1024, 100, 20),
}
