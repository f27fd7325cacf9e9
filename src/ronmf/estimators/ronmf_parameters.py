"""The parameters of RONMF: their defaults, their limits, and the paper's values."""

from __future__ import annotations

from numbers import Integral, Real
from pathlib import Path
from typing import Any, ClassVar, Self

from sklearn.utils._param_validation import Interval, StrOptions

from ..admm.basis import BASES
from ..admm.start import STARTS
from ..graph import GraphRecipe
from ..numerics.types import Seed
from ..penalties import ETP, MCP, PENALTIES, SCAD, Penalty
from .graph_parameters import ChosenGraphMixin
from .reading import ReadingMixin
from .reporting import ReportMixin
from .results import ResultsMixin
from .shell import SemiSupervisedClusterer
from .stored_samples import StoredSamplesMixin

__all__ = ["RONMFParameters", "printed_parameters"]


class RONMFParameters(
    ReportMixin,
    StoredSamplesMixin,
    ResultsMixin,
    ReadingMixin,
    ChosenGraphMixin,
    SemiSupervisedClusterer,
):
    """The constructor of :class:`ronmf.RONMF`, which documents what the parameters mean."""

    _parameter_constraints: ClassVar[dict] = {
        "n_clusters": [Interval(Integral, 1, None, closed="left"), StrOptions({"auto"}), None],
        "n_components": [Interval(Integral, 1, None, closed="left"), None],
        "penalty": [StrOptions(set(PENALTIES)), Penalty],
        "groups": [StrOptions({"features", "samples"})],
        "graph_weight": [Interval(Real, 0, 1e100, closed="both"), StrOptions({"auto"})],
        "label_weight": [Interval(Real, 1e-100, 1e100, closed="both")],
        "beta": [Interval(Real, 1e-100, 1e100, closed="both")],
        "balance": ["boolean"],
        "relative": ["boolean"],
        **ChosenGraphMixin._graph_constraints,
        "label_edges": ["boolean"],
        "init": [StrOptions(set(STARTS))],
        "basis": [StrOptions(set(BASES))],
        "exact": ["boolean"],
        "assign": [StrOptions({"argmax", "kmeans"})],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="left")],
        "warm_start": ["boolean"],
        "max_memory": [Interval(Integral, 1, None, closed="left"), str, None],
        "checkpoint": [str, Path, None],
        "verbose": ["verbose"],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_clusters: int | str | None = None,
        *,
        n_components: int | None = None,
        penalty: str | Penalty = "mcp",
        groups: str = "features",
        graph_weight: float | str = "auto",
        label_weight: float = 10.0,
        beta: float = 3.0,
        balance: bool = False,
        relative: bool = True,
        class_prior: str | None = "labels",
        check_labels: bool = True,
        graph: str | GraphRecipe | list[GraphRecipe] = "auto",
        image_shape: tuple[int, ...] | None = None,
        edge_weights: str = "self_tuning",
        n_neighbors: int = 5,
        heat_width: float | None = None,
        label_edges: bool = False,
        init: str = "propagation",
        basis: str = "partition",
        exact: bool = True,
        assign: str = "argmax",
        max_iter: int = 200,
        tol: float = 5e-3,
        warm_start: bool = False,
        max_memory: int | str | None = None,
        checkpoint: str | Path | None = None,
        verbose: bool = False,
        random_state: Seed = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_components = n_components
        self.penalty = penalty
        self.groups = groups
        self.graph_weight = graph_weight
        self.label_weight = label_weight
        self.beta = beta
        self.balance = balance
        self.relative = relative
        self.class_prior = class_prior
        self.check_labels = check_labels
        self.graph = graph
        self.image_shape = image_shape
        self.edge_weights = edge_weights
        self.n_neighbors = n_neighbors
        self.heat_width = heat_width
        self.label_edges = label_edges
        self.init = init
        self.basis = basis
        self.exact = exact
        self.assign = assign
        self.max_iter = max_iter
        self.tol = tol
        self.warm_start = warm_start
        self.max_memory = max_memory
        self.checkpoint = checkpoint
        self.verbose = verbose
        self.random_state = random_state

    @classmethod
    def printed(cls, variant: str = "E", **changes: Any) -> Self:
        """Return the printed method as RONMF-M (MCP), RONMF-S (SCAD) or RONMF-E (ETP).

        Loss over features by Table 1 taken literally, heat kernel of width 1 on five neighbours,
        λ = 1000, μ = 1, β = 10 in the data's own units (unit-length samples are meant), random
        start, exact-penalty U-step, clipped A- and Z-steps.

        Three things are not as printed or released: the A-equation is the corrected one, since the
        printed sign makes it indefinite; the graph sees no label; and sweeps go on until they
        settle. ``assign="kmeans", max_iter=2`` stops after two sweeps and reads clusters by k-means
        on ``A Z``, as the released code does, instead of by the largest membership. With λ a
        thousand times μ the memberships flow together over such a graph, and most samples end up in
        one cluster: the setting is here for comparison, not for use.

        Parameters
        ----------
        variant : {"M", "S", "E"}
            The loss.
        **changes
            Parameters to set otherwise.
        """
        return cls(**(printed_parameters(variant) | changes))


def printed_parameters(variant: str) -> dict[str, Any]:
    """Return the parameters of RONMF-M (MCP), RONMF-S (SCAD) or RONMF-E (ETP) as printed.

    Loss over features by Table 1 taken literally, heat kernel of width 1 on five neighbours,
    λ = 1000, μ = 1, β = 10 in the data's own units (unit-length samples are meant), random start,
    exact-penalty U-step, clipped A- and Z-steps. What the paper leaves open (β, τ, the graph, the
    start) is as in the released code.

    Examples
    --------
    >>> printed_parameters("E")["graph_weight"]
    1000.0
    """
    losses = {
        "M": MCP(tau=1.5, rule="printed"),
        "S": SCAD(tau=3.7, rule="printed"),
        "E": ETP(rule="printed"),
    }
    if variant not in losses:
        raise ValueError(f"variant={variant!r} is not known; use 'M', 'S' or 'E'.")
    return {
        "penalty": losses[variant],
        "graph_weight": 1000.0,
        "label_weight": 1.0,
        "beta": 10.0,
        "relative": False,
        "class_prior": None,
        "check_labels": False,
        "graph": "plain",
        "edge_weights": "heat",
        "heat_width": 1.0,
        "init": "random",
        "basis": "penalty",
        "exact": False,
    }
