"""The solver as an object: what ADMM minimises with, how exactly, and for how long."""

from __future__ import annotations

from numbers import Real

from sklearn.base import BaseEstimator
from sklearn.utils._param_validation import Interval, StrOptions

from ..system.parameters import COUNT, NON_NEGATIVE, check_parameters, parameter, parameters
from .basis import BASES
from .start import STARTS
from .steps import ExactSteps, PrintedSteps, Steps

__all__ = ["ADMM", "check_solver"]


@parameters
class ADMM(BaseEstimator):
    """The alternating direction method of multipliers, which fits :class:`ronmf.RONMF`.

    Pass it as ``RONMF(solver=ADMM(...))``; ``RONMF()`` uses ``ADMM()``. In a search its parameters
    are ``solver__beta`` and so on.

    Parameters
    ----------
    beta : float, default=3
        Penalty parameter. Larger is steadier and slower; doubled when iterates stall.
    balance : bool, default=False
        Adapt `beta` to keep primal and dual residual within a factor of ten.
    relative : bool, default=True
        Whether `beta`, and of RONMF `graph_weight`, `label_weight` and the penalty's parameters,
        are free of the data's scale. False: they enter the objective as they are.
    basis : {"partition", "penalty", "unconstrained"}, default="partition"
        U-step: search over partitions of the features, the paper's exact penalty, or nothing.
    exact : bool, default=True
        Exact non-negative A- and Z-steps. False: clipped unconstrained ones, as printed.
    init : {"propagation", "random"}, default="propagation"
        Start from label propagation on the graph, or from uniform random factors as printed.
    max_iter : int, default=200
        Largest number of sweeps.
    tol : float, default=5e-3
        Relative tolerance on primal residual, dual residual and change of the memberships.

    Notes
    -----
    It stops when the primal residual (relative to ``|X|``), the dual residual (relative to ``|Λ|``)
    and the change of the memberships (relative to ``|A|``) are all below `tol`; or all but the dual
    one, and the objective changes by less than a fifth of `tol` in five sweeps.

    Examples
    --------
    >>> from ronmf import ADMM, RONMF
    >>> RONMF(solver=ADMM(beta=10.0)).set_params(solver__max_iter=50).solver
    ADMM(beta=10.0, max_iter=50)
    """

    beta: float = parameter(
        default=3.0, allowed=Interval(Real, 1e-100, 1e100, closed="both"), kw_only=False
    )
    balance: bool = parameter(default=False, allowed="boolean")
    relative: bool = parameter(default=True, allowed="boolean")
    basis: str = parameter(default="partition", allowed=StrOptions(set(BASES)))
    exact: bool = parameter(default=True, allowed="boolean")
    init: str = parameter(default="propagation", allowed=StrOptions(set(STARTS)))
    max_iter: int = parameter(default=200, allowed=COUNT)
    tol: float = parameter(default=5e-3, allowed=NON_NEGATIVE)

    def validate(self) -> None:
        """Raise a ValueError about the first parameter that has no allowed value."""
        check_parameters(self, "solver: ")

    def steps(self) -> Steps:
        """Return how A and Z are updated."""
        return ExactSteps() if self.exact else PrintedSteps()


def check_solver(solver: ADMM | None) -> ADMM:
    """Return a solver with valid parameters: the one that is given, or ``ADMM()`` for None.

    Examples
    --------
    >>> check_solver(None)
    ADMM()
    >>> check_solver(ADMM(tol=-1.0))
    Traceback (most recent call last):
        ...
    ValueError: solver: tol of ADMM must be a float in the range [0.0, inf); got -1.0.
    """
    if solver is None:
        return ADMM()
    solver.validate()
    return solver
