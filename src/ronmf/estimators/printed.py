"""The method as the paper prints it: three variants, which differ in their loss."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..admm.parameters import ADMM
from ..graph import GraphChoice
from ..penalties import ETP, MCP, SCAD

if TYPE_CHECKING:
    from .ronmf import RONMF

__all__ = ["printed"]


def printed(cls: type[RONMF], /, variant: str = "E", **changes: Any) -> RONMF:
    """Return the printed method as RONMF-M (MCP), RONMF-S (SCAD) or RONMF-E (ETP).

    Loss over features by Table 1 taken literally, heat kernel of width 1 on five neighbours,
    λ = 1000, μ = 1, β = 10 in the data's own units (unit-length samples are meant), random start,
    exact-penalty U-step, clipped A- and Z-steps. What the paper leaves open (β, τ, the graph, the
    start) is as in the released code.

    Three things are not as printed or released: the A-equation is the corrected one, since the
    printed sign makes it indefinite; the graph sees no label; and sweeps go on until they settle.
    ``assign="kmeans", solver__max_iter=2`` stops after two sweeps and reads clusters by k-means on
    ``A Z``, as the released code does, instead of by the largest membership. With λ a thousand
    times μ the memberships flow together over such a graph, and most samples end up in one cluster:
    the setting is here for comparison, not for use.

    Parameters
    ----------
    variant : {"M", "S", "E"}
        The loss.
    **changes
        Parameters to set otherwise; those of the solver as ``solver__max_iter``.

    Examples
    --------
    >>> from ronmf import RONMF
    >>> RONMF.printed("M", n_neighbors=7, solver__max_iter=50).solver
    ADMM(basis='penalty', beta=10.0, exact=False, init='random', max_iter=50,
         relative=False)
    """
    losses = {
        "M": MCP(tau=1.5, rule="printed"),
        "S": SCAD(tau=3.7, rule="printed"),
        "E": ETP(rule="printed"),
    }
    if variant not in losses:
        raise ValueError(f"variant={variant!r} is not known; use 'M', 'S' or 'E'.")
    model = cls(
        penalty=losses[variant],
        graph_weight=1000.0,
        label_weight=1.0,
        class_prior=None,
        check_labels=False,
        graph=GraphChoice("plain", edge_weights="heat", heat_width=1.0),
        solver=ADMM(beta=10.0, relative=False, basis="penalty", exact=False, init="random"),
    )
    return model.set_params(**changes)
