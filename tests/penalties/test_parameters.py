"""Penalties as scikit-learn objects, and their errors."""

import numpy as np
import pytest
from sklearn.base import clone

from ronmf.penalties import (
    ETP,
    L21,
    MCP,
    PENALTIES,
    SCAD,
    CappedL1,
    L2p,
    Penalty,
    check_penalty,
)
from support.penalties import CASES


def test_clone_and_set_params():
    for penalty in CASES:
        copy = clone(penalty)
        assert copy is not penalty
        assert copy.get_params() == penalty.get_params()
        copy.set_params(sigma=9.0)
        assert copy.sigma == 9.0
        assert penalty.sigma != 9.0
        t = np.array([1e-3])
        assert copy.value(t) > penalty.value(t)  # the new parameter is used, nothing is cached


@pytest.mark.parametrize("name", PENALTIES)
def test_check_penalty_from_name_and_instance(name):
    penalty = check_penalty(name)
    assert type(penalty) is PENALTIES[name]
    assert isinstance(penalty, Penalty)
    assert check_penalty(penalty) is penalty


@pytest.mark.parametrize("wrong", ["mcpp", "", None, 3, MCP, ["mcp"]])
def test_unknown_penalty(wrong):
    with pytest.raises(ValueError, match=r"^penalty must be one of 'mcp', .*'frobenius' or a "):
        check_penalty(wrong)


@pytest.mark.parametrize(
    ("penalty", "sentence"),
    [
        (MCP(sigma=0), "sigma of MCP must be a finite number greater than 0; got 0."),
        (L21(sigma=-1.0), "sigma of L21 must be a finite number greater than 0; got -1.0."),
        (L21(sigma=True), "sigma of L21 must be a finite number greater than 0; got True."),
        (L21(sigma="1"), "sigma of L21 must be a finite number greater than 0; got '1'."),
        (L21(sigma=np.nan), "sigma of L21 must be a finite number greater than 0; got nan."),
        (MCP(tau=1.0), "tau of MCP must be a finite number greater than 1; got 1.0."),
        (MCP(tau=np.inf), "tau of MCP must be a finite number greater than 1; got inf."),
        (SCAD(tau=2), "tau of SCAD must be a finite number greater than 2; got 2."),
        (ETP(gamma=0.0), "gamma of ETP must be a finite number greater than 0; got 0.0."),
        (L2p(p=0), "p of L2p must be a finite number greater than 0 and at most 2; got 0."),
        (L2p(p=2.1), "p of L2p must be a finite number greater than 0 and at most 2; got 2.1."),
        (CappedL1(theta=0), "theta of CappedL1 must be a finite number greater than 0; got 0."),
        (ETP(rule="paper"), "rule of ETP must be 'exact' or 'printed'; got 'paper'."),
    ],
    ids=repr,
)
def test_wrong_parameters(penalty, sentence):
    with pytest.raises(ValueError) as error:  # noqa: PT011
        check_penalty(penalty)
    assert str(error.value) == sentence
