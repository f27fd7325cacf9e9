"""A graph on the data's device: products with its weights, smoothness, label propagation."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp
from array_api_compat import array_namespace, is_numpy_array

from ..labels.anchor import LabelAnchor
from ..numerics.arrays import each_block, from_numpy, sparse_product, to_numpy
from ..numerics.conjugate_gradients import conjugate_gradients
from ..numerics.threads import n_threads

__all__ = ["GraphOperator", "MembershipTerms"]

_MAX_PRODUCTS = 2000
_COLUMNS = 32  # memberships that are propagated together
_WORTH_A_THREAD = 2**18  # entries of a product with the graph
_MANY = 100_000  # samples from which propagation divides its products, few columns or many


@dataclass(frozen=True)
class GraphOperator:
    """A graph ready to multiply arrays of the data's library.

    Attributes
    ----------
    affinity : csr_array of shape (n, n)
        The weights W, on the host.
    degree : array of shape (n,)
        Row sums of W; the Laplacian is ``L = diag(degree) - W``.
    mean_degree : float
        Their mean (1 for a graph without edges).
    like : array
        The data, for library, dtype and device.
    order : ndarray of int or None
        A permutation of the samples in which many products with the graph are faster.
    """

    affinity: sp.csr_array
    degree: Any
    mean_degree: float
    like: Any
    order: np.ndarray | None = None

    @classmethod
    def build(
        cls, affinity: sp.csr_array, like: Any, order: np.ndarray | None = None
    ) -> "GraphOperator":
        """Move a host graph to the library and device of `like`."""
        degree = affinity.sum(axis=1)
        mean = float(degree.mean()) if affinity.nnz else 1.0
        order = order if is_numpy_array(like) else None
        return cls(affinity, from_numpy(degree, like), mean, like, order)

    @cached_property
    def ordered(self) -> "GraphOperator":
        """The graph of the samples in the order of `order`."""
        W = self.affinity.astype(self.like.dtype)[self.order][:, self.order]
        W.sort_indices()
        return GraphOperator(W, self.degree[self.order], self.mean_degree, self.like)

    @cached_property
    def product(self) -> Callable[[Any], Any]:
        """The function ``B -> W @ B``."""
        return sparse_product(self.affinity, self.like)

    def row_blocks(self, size: int) -> list[tuple[slice, Callable[[Any], Any]]]:
        """Return blocks of rows, with functions that give these rows of ``W @ B``.

        One for each thread if products with arrays of `size` columns take long enough, and the
        library has no threads or device of its own.
        """
        n = self.affinity.shape[0]
        if not is_numpy_array(self.like) or n * size < _WORTH_A_THREAD or n_threads() == 1:
            return [(slice(0, n), self.product)]
        return self._threads_blocks

    @cached_property
    def _threads_blocks(self) -> list[tuple[slice, Callable[[Any], Any]]]:
        n, count = self.affinity.shape[0], n_threads()
        rows = [slice(n * i // count, n * (i + 1) // count) for i in range(count)]
        return [(some, sparse_product(self.affinity[some], self.like)) for some in rows]

    def smoothness(self, F: Any) -> float:
        """Return ``tr(F'LF)``, which is small if neighbours have similar rows."""
        if self.order is not None:
            return self.ordered.smoothness(F[self.order])
        return float(array_namespace(F).sum(F * (self.degree[:, None] * F - self.product(F))))

    def propagate(
        self,
        codes: np.ndarray,
        n_clusters: int,
        label_weight: float,
        tol: float | None = None,
        view: tuple[np.ndarray, float] | None = None,
    ) -> Any:
        """Return harmonic label propagation; samples that no label reaches get equal memberships.

        Parameters
        ----------
        codes : ndarray of int, shape (n,)
            Known classes, -1 where unlabelled.
        n_clusters : int
            Number of columns.
        label_weight : float
            Weight of the labels, relative to the mean degree.
        tol : float, default=None
            Relative tolerance; None: the last digits, since labels must also cross the weakest
            edges.
        view : (ndarray of shape (n, n_clusters), float), default=None
            Probabilities to which samples without a label are drawn, and how much, relative to the
            mean degree.
        """
        anchor = LabelAnchor.at(codes, n_clusters, self.like)
        terms = MembershipTerms(self, anchor, 1.0, label_weight * self.mean_degree)
        terms = terms.with_view(codes, view)
        start = np.full((len(codes), n_clusters), 1 / n_clusters)
        return terms.minimise(from_numpy(start, self.like), tol)


@dataclass(frozen=True)
class MembershipTerms:
    """The graph and label terms ``λ tr(A'LA) + μ tr((A-Y)'S(A-Y))``.

    A linear view of the data may add ``ν tr((A-P)'(I-S)(A-P))``: samples without a label are drawn
    to the probabilities P that it gives them.

    Attributes
    ----------
    graph : GraphOperator
        The graph, with its Laplacian L.
    anchor : LabelAnchor
        Y, and the diagonal of S.
    graph_weight, label_weight : float
        λ and μ.
    view : LabelAnchor or None
        P, and the diagonal of I - S; None without a view.
    view_weight : float
        ν.
    """

    graph: GraphOperator
    anchor: LabelAnchor
    graph_weight: float
    label_weight: float
    view: LabelAnchor | None = None
    view_weight: float = 0.0

    def with_view(
        self, codes: np.ndarray, view: tuple[np.ndarray, float] | None
    ) -> "MembershipTerms":
        """Return them with a view: P, and its weight relative to a sample's mean edges."""
        if view is None:
            return self
        like, (P, weight) = self.graph.like, view
        anchor = LabelAnchor(from_numpy(P, like), from_numpy((codes < 0).astype(float), like))
        scaled = weight * self.graph_weight * self.graph.mean_degree
        return replace(self, view=anchor, view_weight=scaled)

    @property
    def diagonal(self) -> Any:
        """The diagonal of ``2λL + 2μS + 2ν(I-S)`` as a column."""
        d = 2 * self.graph_weight * self.graph.degree
        d = d + 2 * self.label_weight * self.anchor.anchored
        if self.view is not None:
            d = d + 2 * self.view_weight * self.view.anchored
        return d[:, None]

    @property
    def pull(self) -> Any:
        """The linear part ``2μSY + 2ν(I-S)P``."""
        pull = 2 * self.label_weight * self.anchor.anchored[:, None] * self.anchor.Y
        if self.view is not None:
            pull = pull + 2 * self.view_weight * self.view.anchored[:, None] * self.view.Y
        return pull

    @cached_property
    def ordered(self) -> "MembershipTerms":
        """The terms of the samples in the order of ``graph.order``."""
        order = self.graph.order
        anchor = LabelAnchor(self.anchor.Y[order], self.anchor.anchored[order])
        terms = replace(self, graph=self.graph.ordered, anchor=anchor)
        if self.view is None:
            return terms
        return replace(terms, view=LabelAnchor(self.view.Y[order], self.view.anchored[order]))

    def hessian(self, A: Any) -> Any:
        """Return ``(2λL + 2μS + 2ν(I-S)) A``."""
        return self.diagonal * A - 2 * self.graph_weight * self.graph.product(A)

    def value(self, A: Any) -> float:
        """Return ``λ tr(A'LA) + μ tr((A-Y)'S(A-Y)) + ν tr((A-P)'(I-S)(A-P))``."""
        smoothness, distance = self.graph.smoothness(A), self.anchor.distance(A)
        value = self.graph_weight * smoothness + self.label_weight * distance
        return value + (self.view_weight * self.view.distance(A) if self.view is not None else 0.0)

    def minimise(self, start: Any, tol: float | None = None) -> Any:
        """Return the memberships of least value: harmonic label propagation."""
        if self.graph.order is not None:
            found = np.empty_like(start)
            found[self.graph.order] = self.ordered.minimise(start[self.graph.order], tol)
            return found
        xp, c = array_namespace(start), start.shape[1]
        if tol is None:
            tol = float(xp.finfo(start.dtype).eps) ** 0.75  # 2e-12 in float64
        # An isolated sample without a label has no equation at all; it keeps its start value.
        alone = self.diagonal == 0
        # In unknowns over this scale the matrix is one less a sparse one.
        scale = xp.where(alone, 0.0, 1 / xp.sqrt(xp.where(alone, 1.0, self.diagonal)))
        blocks = self._scaled_products(to_numpy(scale)[:, 0], start)
        rhs = scale * self.pull
        first = xp.where(alone, 0.0, start / xp.where(alone, 1.0, scale))

        def apply(B: Any) -> Any:
            parts = each_block(lambda product: product(B), blocks, B)
            found = parts[0] if len(parts) == 1 else xp.concat(parts)
            found += B
            return found

        def solve(columns: slice) -> Any:
            return conjugate_gradients(
                apply,
                rhs[:, columns],
                first[:, columns],
                tol=tol,
                max_iter=_MAX_PRODUCTS,
                coupled=True,
            )

        groups = -(-c // _COLUMNS) if is_numpy_array(start) else 1
        columns = [slice(c * i // groups, c * (i + 1) // groups) for i in range(groups)]
        found = scale * xp.concat(each_block(solve, columns, start), axis=1)
        return xp.clip(xp.where(alone, start, found), min=0.0)

    def _scaled_products(self, scale: np.ndarray, like: Any) -> list[Callable[[Any], Any]]:
        """Return products with blocks of rows of the scaled edges: of many, one for each thread."""
        edges, n = self._scaled_edges(scale), len(scale)
        count = n_threads() if is_numpy_array(like) and n >= _MANY else 1
        rows = [slice(n * i // count, n * (i + 1) // count) for i in range(count)]
        return [sparse_product(edges[some] if count > 1 else edges, like) for some in rows]

    def _scaled_edges(self, scale: np.ndarray) -> sp.csr_array:
        """Return ``-2λ diag(scale) W diag(scale)``."""
        W = self.graph.affinity
        rows = np.repeat(scale, np.diff(W.indptr))
        values = -2 * self.graph_weight * (rows * W.data * scale[W.indices])
        return sp.csr_array((values, W.indices, W.indptr), shape=W.shape)
