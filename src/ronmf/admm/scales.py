"""The scale in which the weights of the objective are given."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..numerics.arrays import to_numpy
from ..penalties import Penalty
from .loss import GroupLoss, group_norms

__all__ = ["ObjectiveScale"]


@dataclass(frozen=True)
class ObjectiveScale:
    """What makes the weights of the objective free of the data's scale.

    Attributes
    ----------
    loss : GroupLoss
        The robust loss, with the upper quartile of the groups' residuals at the start as its unit:
        a group is an outlier in relation to its peers.
    loss_per_sample : float or None
        δ, the loss per sample at the start. None: weights enter the objective as they are.
    """

    loss: GroupLoss
    loss_per_sample: float | None = None

    @classmethod
    def measure(cls, X: Any, U: Any, P: Any, penalty: Penalty, groups: str) -> "ObjectiveScale":
        """Take the scale from the residual of ``P U'``."""
        norms = group_norms(X, U, P, groups)
        host = to_numpy(norms)
        # A start that fits exactly leaves only rounding, which is no scale.
        size = to_numpy(group_norms(X, U, 0 * P, groups)).max(initial=0.0)
        used = host[host > max(1e-6 * host.max(initial=0.0), 1e-8 * size)]
        if not len(used):  # nothing left to explain: any scale will do
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
        if self.loss_per_sample is None:
            return graph_weight, label_weight
        pull = graph_weight * self.loss_per_sample
        return pull / mean_degree, label_weight * (pull + self.loss_per_sample)
