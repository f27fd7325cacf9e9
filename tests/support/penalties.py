"""Penalties with parameters on both sides of every change of regime."""

import numpy as np
from hypothesis import strategies as st

from ronmf.penalties import (
    ETP,
    L21,
    MCP,
    SCAD,
    CappedL1,
    Frobenius,
    L2p,
)

CASES = [
    MCP(),
    MCP(sigma=0.7, tau=1.5),
    SCAD(),
    SCAD(sigma=0.6, tau=2.2),
    ETP(),
    ETP(sigma=2.0, gamma=0.3),
    ETP(sigma=0.5, gamma=6.0),
    L21(sigma=1.3),
    L2p(),
    L2p(sigma=2.0, p=0.05),
    L2p(sigma=0.8, p=0.97),
    L2p(p=1.0),
    L2p(p=1.05),
    L2p(sigma=1.4, p=1.6),
    L2p(p=2.0),
    CappedL1(sigma=0.8, theta=1.2),
    CappedL1(theta=0.3),
    Frobenius(sigma=1.7),
]


V = np.linspace(0.0, 8.0, 161)


def objective(penalty, x, v, step):
    return 0.5 * (x - v) ** 2 + step * penalty.value(x)


def penalties():
    """Draw any penalty with any parameters."""
    sigma = st.floats(0.05, 5.0)
    return st.one_of(
        st.builds(MCP, sigma=sigma, tau=st.floats(1.01, 10.0)),
        st.builds(SCAD, sigma=sigma, tau=st.floats(2.01, 10.0)),
        st.builds(ETP, sigma=sigma, gamma=st.floats(0.01, 20.0)),
        st.builds(L21, sigma=sigma),
        st.builds(L2p, sigma=sigma, p=st.floats(0.02, 2.0)),
        st.builds(CappedL1, sigma=sigma, theta=st.floats(0.01, 10.0)),
        st.builds(Frobenius, sigma=sigma),
    )


steps = st.floats(0.01, 30.0)


norms = st.lists(st.floats(0.0, 60.0), min_size=2, max_size=20).map(np.array)
