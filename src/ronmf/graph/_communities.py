"""A hierarchy of clusters: the two that are linked most strongly are merged, again and again."""

from dataclasses import dataclass
from heapq import heapify, heappop, heappush

import numpy as np
import scipy.sparse as sp

from ._matrix import degrees

__all__ = ["Hierarchy", "merge_communities"]


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """Nested clusters, from every sample on its own to one cluster of all.

    Attributes
    ----------
    n_samples : int
        The number of samples, which are nodes ``0 .. n_samples - 1``.
    merges : ndarray of int, shape (n_samples - 1, 2)
        The two nodes that each merge unites, the finest first; merge i makes node
        ``n_samples + i``.
    links : ndarray of shape (n_samples - 1,)
        How strongly they were linked, relative to chance; it never grows from a merge to the next.
    """

    n_samples: int
    merges: np.ndarray
    links: np.ndarray

    def labels(self, n_clusters: int) -> np.ndarray:
        """Return the cluster of each sample where there are so many, the largest being 0."""
        n, count = self.n_samples, self.n_samples - n_clusters
        made = n + np.arange(count)
        ends = np.concatenate([self.merges[:count].T.ravel(), np.tile(made, 2)]).reshape(2, -1)
        joined = sp.coo_array((np.ones(2 * count), tuple(ends)), shape=(n + count, n + count))
        found = sp.csgraph.connected_components(joined, directed=False)[1][:n]
        sizes = np.bincount(found, minlength=n_clusters)
        first = np.full(n_clusters, n)
        np.minimum.at(first, found, np.arange(n))
        number = np.empty(n_clusters, dtype=int)
        number[np.lexsort((first, -sizes))] = np.arange(n_clusters)
        return number[found]

    def strongest_link(self, n_clusters: int) -> float:
        """Return the share of its edges that a cluster has with its nearest one, of so many.

        That is the link of the next merge over the number of clusters: the share itself where all
        clusters are of one size.
        """
        if n_clusters < 2:
            return 0.0
        return float(self.links[self.n_samples - n_clusters]) / n_clusters


def merge_communities(affinity: sp.csr_array) -> Hierarchy:
    r"""Merge clusters of a graph, the most strongly linked ones first.

    The link between clusters a and b is what edges join them beyond chance,

    .. math:: \frac{w_{ab}\, w}{d_a\, d_b},

    with the weight :math:`w_{ab}` of their edges, the sums :math:`d` of degrees and their total
    w: the resolution at which modularity is the same with a and b merged or apart [1]_. A merged
    cluster is linked to any other no more strongly than one of its parts was. So all pairs that
    are each other's best can be merged at once, with the result of merging one at a time. Clusters
    that no edge joins are merged in the end, the smallest two first.

    Parameters
    ----------
    affinity : csr_array of shape (n, n)
        Symmetric weights without a diagonal.

    References
    ----------
    .. [1] T. Bonald, B. Charpentier, A. Galland and A. Hollocou. Hierarchical graph clustering
       using node pair sampling. MLG 2018.

    Examples
    --------
    >>> W = sp.csr_array(sp.block_diag([np.ones((3, 3)), np.ones((2, 2))]) - np.eye(5))
    >>> merge_communities(W).labels(2).tolist()
    [0, 0, 0, 1, 1]
    """
    n = affinity.shape[0]
    W = sp.csr_array(affinity, dtype=np.float64)
    volume = degrees(W)
    total = volume.sum() or 1.0
    nodes, n_nodes = np.arange(n), n
    merges, links = [np.zeros((0, 2), dtype=int)], [np.zeros(0)]
    while len(nodes) > 1:
        best, strength = _best_partners(W, volume)
        rows = np.arange(len(nodes))
        first = rows[(best > rows) & (best[best] == rows)]
        if not len(first):
            break
        second = best[first]
        merges.append(np.stack([nodes[first], nodes[second]], axis=1))
        links.append(strength[first] * total)
        nodes[first] = n_nodes + np.arange(len(first))
        n_nodes += len(first)
        group = rows.copy()
        group[second] = first
        kept, group = np.unique(group, return_inverse=True)
        members = sp.csr_array((np.ones(len(rows)), (rows, group)))
        W = sp.csr_array(members.T @ W @ members)
        W.setdiag(0)
        W.eliminate_zeros()
        volume, nodes = members.T @ volume, nodes[kept]
    merged = _in_order(n, np.concatenate(merges), np.concatenate(links))
    return _with_unlinked(merged)


def _best_partners(W: sp.csr_array, volume: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the most strongly linked other cluster of each one, itself if none is, and the link.

    Of equal links that of the pair with the smallest numbers counts as the strongest, for both.
    """
    n = W.shape[0]
    rows = np.repeat(np.arange(n), np.diff(W.indptr))
    link = W.data / volume[rows] / volume[W.indices]
    joined = np.flatnonzero(np.diff(W.indptr))
    starts = W.indptr[joined]
    best, strength = np.arange(n), np.zeros(n)
    if not len(joined):
        return best, strength
    strength[joined] = np.maximum.reduceat(link, starts)
    # Rounding must not make the two ends of an edge disagree about a tie.
    pair = np.minimum(rows, W.indices) * n + np.maximum(rows, W.indices)
    pair = np.where(link >= strength[rows] * (1 - 1e-12), pair, n * n)
    chosen = np.minimum.reduceat(pair, starts)
    best[joined] = np.where(chosen // n == joined, chosen % n, chosen // n)
    return best, strength


def _in_order(n: int, merges: np.ndarray, links: np.ndarray) -> Hierarchy:
    """Return merges that were found in rounds in the order of their links."""
    # A merge comes after those it unites; rounding may lift its link above theirs.
    links = links.copy()
    for i, pair in enumerate(merges):
        for node in pair:
            if node >= n:
                links[i] = min(links[i], links[node - n])
    order = np.argsort(-links, kind="stable")
    number = np.arange(n + len(order))
    number[n + order] = n + np.arange(len(order))
    return Hierarchy(n, number[merges[order]], links[order])


def _with_unlinked(found: Hierarchy) -> Hierarchy:
    """Return a hierarchy that ends in one cluster, the smallest two being merged first."""
    n, merges = found.n_samples, found.merges
    sizes = np.ones(n + len(merges), dtype=int)
    for i, (a, b) in enumerate(merges):
        sizes[n + i] = sizes[a] + sizes[b]
    roots = np.setdiff1d(np.arange(len(sizes)), merges)
    left = [(int(sizes[root]), int(root)) for root in roots]
    heapify(left)
    more = []
    while len(left) > 1:
        (size, a), (other, b) = heappop(left), heappop(left)
        more.append((a, b))
        heappush(left, (size + other, n + len(merges) + len(more) - 1))
    links = np.concatenate([found.links, np.zeros(len(more))])
    return Hierarchy(n, np.concatenate([merges, np.reshape(more, (-1, 2)).astype(int)]), links)
