"""From coefficients to named clusters: by k-means or by the largest entry."""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import linear_sum_assignment
from sklearn.cluster import KMeans

__all__ = ["ClusterAssignment", "match_names"]

_RESTARTS, _MAX_ITER = 20, 100  # of k-means, as in the released code of the compared methods


@dataclass(frozen=True)
class ClusterAssignment:
    """A rule that turns rows of numbers into cluster numbers, fitted once.

    Attributes
    ----------
    centers : ndarray of shape (n_clusters, n_columns), or None
        The centres of k-means; None: the largest entry decides.
    numbers : ndarray of int, shape (n_clusters,)
        The cluster (an index into ``classes_``) that each centre or column stands for.
    """

    centers: np.ndarray | None
    numbers: np.ndarray

    @property
    def rule(self) -> str:
        """How clusters are read: "kmeans" or "argmax"."""
        return "argmax" if self.centers is None else "kmeans"

    @classmethod
    def fit(
        cls,
        rows: np.ndarray,
        rule: str,
        codes: np.ndarray,
        n_clusters: int,
        rng: np.random.RandomState,
        *,
        named: bool,
    ) -> "ClusterAssignment":
        """Fit the rule, and name what it finds by the given labels.

        Parameters
        ----------
        rows : ndarray of shape (n_samples, n_columns)
            What is read: coefficients for "kmeans", one score per cluster for "argmax".
        rule : {"kmeans", "argmax"}
            The rule.
        codes : ndarray of int, shape (n_samples,)
            Given labels, -1 elsewhere.
        n_clusters : int
            The number of clusters.
        rng : RandomState
            For the starts of k-means.
        named : bool
            Whether column j of the scores means class j already.
        """
        if rule == "kmeans":
            model = KMeans(n_clusters, n_init=_RESTARTS, max_iter=_MAX_ITER, random_state=rng)
            found = model.fit_predict(rows)
            return cls(model.cluster_centers_, match_names(found, codes, n_clusters))
        if named:
            return cls(None, np.arange(n_clusters))
        return cls(None, match_names(rows.argmax(axis=1), codes, n_clusters))

    def clusters(self, rows: np.ndarray) -> np.ndarray:
        """Return the cluster number of each row."""
        if self.centers is None:  # in the order of the classes, so that the first wins a tie
            return rows[:, np.argsort(self.numbers)].argmax(axis=1)
        distance = (self.centers**2).sum(axis=1) - 2 * rows @ self.centers.T
        return self.numbers[distance.argmin(axis=1)]


def match_names(found: np.ndarray, codes: np.ndarray, n_clusters: int) -> np.ndarray:
    """Name the clusters, one class to each, so that they agree with as many labels as possible.

    Parameters
    ----------
    found : ndarray of int
        Cluster of each sample, 0 to ``n_clusters - 1``.
    codes : ndarray of int
        Given labels, -1 elsewhere.
    n_clusters : int
        The number of clusters, at least the number of classes.

    Returns
    -------
    ndarray of int, shape (n_clusters,)
        A permutation: the class of each cluster.

    Examples
    --------
    >>> match_names(np.array([0, 0, 1, 1]), np.array([-1, 1, 0, -1]), n_clusters=3).tolist()
    [1, 0, 2]
    """
    counts = np.zeros((n_clusters, n_clusters))
    labelled = codes >= 0
    np.add.at(counts, (found[labelled], codes[labelled]), 1)
    return linear_sum_assignment(counts, maximize=True)[1]
