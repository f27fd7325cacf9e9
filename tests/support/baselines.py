"""The methods RONMF is compared with, and data for them."""

import numpy as np

from ronmf.baselines import (
    CDCF,
    CNMF,
    GNMF,
    GSNMF,
    LNP,
    LPNMF,
    RNMF,
    RSNMF,
    SNMFDSR,
    SNMFSP,
    LpCNMF,
    TruncatedCauchyNMF,
)

MULTIPLICATIVE = [
    RNMF, GNMF, GSNMF, TruncatedCauchyNMF, RSNMF, SNMFDSR, CNMF, CDCF, LPNMF, LpCNMF, SNMFSP,
]  # fmt: skip
ALL = [*MULTIPLICATIVE, LNP]


def three_groups():
    rng = np.random.RandomState(0)
    group = np.arange(200) % 3
    X = np.abs((rng.uniform(size=(3, 6)) ** 3)[group] + 0.05 * rng.normal(size=(200, 6)))
    return X, np.where(np.arange(200) < 20, group, -1)
