"""The graph on the data's device, and the units that make weights free of the data's scale."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from .arrays import from_numpy, sparse_product, to_numpy
from .graph import degrees
from .labels import is_labelled, one_hot
from .membership import MembershipTerms
from .penalties import Penalty
from .residual import GroupLoss, group_norms

__all__ = ["GraphOnData", "Units"]


@dataclass(frozen=True)
class GraphOnData:
    """A neighbour graph ready to multiply arrays of the data's library.

    Attributes
    ----------
    product : callable
        ``B -> W @ B``.
    degree : array of shape (n,)
        Row sums of the weights W.
    mean_degree : float
        Their mean (1 for a graph without edges).
    like : array
        The data, for library, dtype and device.
    """

    product: Callable[[Any], Any]
    degree: Any
    mean_degree: float
    like: Any

    @classmethod
    def build(cls, affinity: sp.csr_array, like: Any) -> "GraphOnData":
        """Move a host graph to the library and device of `like`."""
        degree = degrees(affinity)
        mean = float(degree.mean()) if affinity.nnz else 1.0
        return cls(sparse_product(affinity, like), from_numpy(degree, like), mean, like)

    def terms(
        self, codes: np.ndarray, n_clusters: int, graph_weight: float, label_weight: float
    ) -> MembershipTerms:
        """Return the graph and label terms for samples anchored at `codes` (-1 is free)."""
        return MembershipTerms(
            product=self.product,
            degree=self.degree,
            Y=one_hot(codes, n_clusters, self.like),
            anchored=is_labelled(codes, self.like),
            graph_weight=graph_weight,
            label_weight=label_weight,
        )

    def propagate(self, codes: np.ndarray, n_clusters: int, label_weight: float) -> Any:
        """Return harmonic label propagation; samples that no label reaches get equal shares."""
        terms = self.terms(codes, n_clusters, 1.0, label_weight * self.mean_degree)
        return terms.propagate(
            from_numpy(np.full((len(codes), n_clusters), 1 / n_clusters), self.like)
        )


@dataclass(frozen=True)
class Units:
    """What makes the weights of the objective free of the data's scale.

    Attributes
    ----------
    loss : GroupLoss
        The robust loss, with the upper quartile of the groups' residuals at the start as its unit:
        a group is an outlier in relation to its peers.
    share : float
        δ, the loss a sample at the start.
    """

    loss: GroupLoss
    share: float

    @classmethod
    def measure(cls, X: Any, U: Any, P: Any, penalty: Penalty, groups: str) -> "Units":
        """Take the units from the residual of ``P U'``."""
        norms = group_norms(X, U, P, groups)
        host = to_numpy(norms)
        # A start that fits exactly leaves only rounding, which is no unit.
        size = to_numpy(group_norms(X, U, 0 * P, groups)).max(initial=0.0)
        used = host[host > max(1e-6 * host.max(initial=0.0), 1e-8 * size)]
        if not len(used):  # nothing left to explain: any unit will do
            return cls(GroupLoss(penalty, groups), 1.0)
        loss = GroupLoss(penalty, groups, float(np.quantile(used, 0.75)))
        return cls(loss, loss.value(norms) / X.shape[0])

    def weights(
        self, graph_weight: float, label_weight: float, mean_degree: float
    ) -> tuple[float, float]:
        """Return λ and μ.

        An average sample's edges together weigh `graph_weight` δ; a label weighs `label_weight`
        times its sample's edges and data.
        """
        pull = graph_weight * self.share
        return pull / mean_degree, label_weight * (pull + self.share)
