"""A neighbour graph on the data's device, and label propagation over it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..admm.memberships import MembershipTerms
from ..labels.encoding import is_labelled, one_hot
from ..numerics.arrays import from_numpy, sparse_product

__all__ = ["GraphOnData"]


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
        degree = affinity.sum(axis=1)
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

    def propagate(
        self,
        codes: np.ndarray,
        n_clusters: int,
        label_weight: float,
        tol: float | None = None,
    ) -> Any:
        """Return harmonic label propagation; samples that no label reaches get equal shares."""
        terms = self.terms(codes, n_clusters, 1.0, label_weight * self.mean_degree)
        start = np.full((len(codes), n_clusters), 1 / n_clusters)
        return terms.propagate(from_numpy(start, self.like), tol)
