"""Whether a clustering that no label has shaped is found again on part of the edges."""

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from sklearn.metrics import adjusted_rand_score

from ..labels.calibration import Calibration, calibrate
from ..metrics import best_match
from ._anchors import split_samples

__all__ = ["STABLE", "FoundAgain", "find_again", "without_some_edges"]

STABLE = 0.3
"""Adjusted Rand index of clusters that are found again; noise has at most 0.2, nine real sets 0.4
or more."""

# With 0.3 and 0.5 certainty is as far from accuracy on the mean of nine sets, but more often wrong
# where it is above 0.9.
_DROPPED = 0.4  # share of the edges that are left out
_ROUNDS, _ROUNDS_OF_MANY, _MANY = 8, 3, 20_000  # more samples have fewer rounds: each is a split


@dataclass(frozen=True, eq=False)
class FoundAgain:
    """How often clusters are found again.

    Attributes
    ----------
    labels : ndarray of int, shape (n_rounds, n_samples)
        The cluster of each sample each time, -1 in a cluster that is none of those in question.
    stability : float
        The mean adjusted Rand index between what was found and the clustering in question: 1 is
        the same, 0 what chance would do.
    """

    labels: np.ndarray
    stability: float

    def probabilities(self, memberships: np.ndarray) -> np.ndarray:
        """Return how often each sample was in each cluster; the fit itself counts as one time.

        Where clusters as a whole are hardly found again, rows are drawn to equal numbers: of two
        clusters of noise a sample may be eight times in the same one by chance.

        Parameters
        ----------
        memberships : ndarray of shape (n_samples, n_clusters)
            Of the fit; rows sum to one.
        """
        votes = memberships.astype(np.float64)
        for found in self.labels:
            rows = np.flatnonzero(found >= 0)
            votes[rows, found[rows]] += 1
        shares = votes / votes.sum(axis=1, keepdims=True)
        believed = float(np.clip(self.stability / STABLE, 0.0, 1.0))
        return (believed * shares + (1 - believed) / shares.shape[1]).astype(memberships.dtype)

    def calibration(self, memberships: np.ndarray) -> Calibration:
        """Return the map under which memberships say best where samples were found again."""
        some = slice(None, None, 1 + memberships.shape[0] // _MANY)
        truth, P = self.labels[:, some], memberships[some]
        rows = np.nonzero(truth >= 0)
        return calibrate(P[rows[1]], truth[rows], len(P))


def find_again(affinity: sp.csr_array, labels: np.ndarray, n_clusters: int) -> FoundAgain:
    """Split the samples anew, each time without some of the edges, and compare.

    Clusters of noise follow chance, and are others each time. The graph must not have been shaped
    by the clustering in question: such a graph would confirm it.

    Parameters
    ----------
    affinity : csr_array of shape (n, n)
        The weights of the graph.
    labels : ndarray of int, shape (n,)
        The clustering in question.
    n_clusters : int
        The number of clusters.

    Examples
    --------
    >>> W = sp.csr_array(sp.block_diag([np.ones((20, 20)), np.ones((20, 20))]))
    >>> find_again(W, np.repeat([0, 1], 20), 2).stability
    1.0
    """
    n, rounds = len(labels), []
    n_rounds = _ROUNDS if n <= _MANY else _ROUNDS_OF_MANY
    for turn in range(n_rounds):
        rng = np.random.RandomState(turn)
        fewer = without_some_edges(affinity, _DROPPED, rng)
        found = split_samples(fewer, np.full(n, -1), n_clusters, rng, n_starts=1)
        rounds.append(found)
    stability = float(np.mean([adjusted_rand_score(labels, found) for found in rounds]))
    return FoundAgain(np.stack([best_match(labels, found) for found in rounds]), stability)


def without_some_edges(
    affinity: sp.csr_array, share: float, rng: np.random.RandomState
) -> sp.csr_array:
    """Return the graph without a random share of its edges."""
    upper = sp.triu(affinity, 1, format="coo")
    kept = rng.random_sample(upper.nnz) >= share
    edges = upper.data[kept], (upper.row[kept], upper.col[kept])
    half = sp.coo_array(edges, shape=affinity.shape)
    return sp.csr_array(half + half.T)
