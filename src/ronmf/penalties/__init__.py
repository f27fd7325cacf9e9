"""Robust penalties on group norms: value, exact proximal operator and half-quadratic weight.

A penalty phi acts on non-negative group norms t, so the loss of a residual R with groups R_g
(rows or columns) is sum_g phi(||R_g||). Every method is elementwise, takes floating point arrays
of any array API library (NumPy, PyTorch, ...) and keeps their dtype and device.

MCP, SCAD and ETP have a parameter ``rule``. ``"exact"`` is the true minimiser for every step.
``"printed"`` is Table 1 of the RONMF paper [1]_ taken literally, with sigma replaced by
step * sigma and tau or gamma kept; it is there to reproduce the paper. For MCP and SCAD it is
exact at step 1, but at any other step it belongs to another penalty than the one whose value is
reported. For ETP it is not a proximal operator at all: it is discontinuous, and where it is
negative 0 is returned, since a group norm cannot be negative.

References
----------
.. [1] "Robust Orthogonal NMF with Label Propagation for Image Clustering", arXiv:2504.21472.
"""

from ._base import Penalty
from ._exponential import ETP
from ._plateau import MCP, SCAD, CappedL1
from ._power import L21, Frobenius, L2p

__all__ = [
    "ETP",
    "L21",
    "MCP",
    "PENALTIES",
    "SCAD",
    "CappedL1",
    "Frobenius",
    "L2p",
    "Penalty",
]

PENALTIES: dict[str, type[Penalty]] = {
    "mcp": MCP,
    "scad": SCAD,
    "etp": ETP,
    "l21": L21,
    "l2p": L2p,
    "capped_l1": CappedL1,
    "frobenius": Frobenius,
}


def check_penalty(penalty: str | Penalty) -> Penalty:
    """Return a penalty with valid parameters, from its name or from an instance.

    Parameters
    ----------
    penalty : str or Penalty
        A key of ``PENALTIES`` (that class with its default parameters) or an instance, which is
        returned itself and not copied.

    Returns
    -------
    penalty : Penalty

    Raises
    ------
    ValueError
        If the name is unknown or a parameter is out of range.

    Examples
    --------
    >>> from ronmf.penalties import check_penalty
    >>> check_penalty("mcp")
    MCP()
    """
    if isinstance(penalty, str) and penalty in PENALTIES:
        return PENALTIES[penalty]()
    if not isinstance(penalty, Penalty):
        names = ", ".join(repr(name) for name in PENALTIES)
        raise ValueError(f"penalty must be one of {names} or a Penalty instance; got {penalty!r}.")
    penalty.validate()
    return penalty
