"""Whether a graph contradicts the class sizes that labels suggest."""

from collections.abc import Sequence

import numpy as np
import scipy.sparse as sp

from ..labels.class_prior import prior_factors

__all__ = ["contradict_prior", "cut_ratio"]

_CLEARLY = 0.85
"""Ratio of cuts below which class sizes of labels are not believed. On 38 draws of seven sets with
two labels of each class, the median over graphs without labels is 0.95 or more where all classes
are of one size, and below 0.89, which is 0.85 for so many labels, in 19 of 24 with up to 1:50."""

_FEWEST, _MOST = 2, 4  # labels per class. With one, a class that floods all others cuts little too


def cut_ratio(A: np.ndarray, codes: np.ndarray, affinity: sp.csr_array) -> float:
    """Return what clusters without the class prior cut of a graph, relative to those with it.

    Labels that were drawn class by class do not tell how large classes are. If one is far larger
    than its labels suggest, the prior gives part of its samples to others, right through the middle
    of a cluster: clusters with the prior then cut many more edges than those without. Where labels
    are more, the prior is weaker: the ratio is that of a prior in full, to the power of the root of
    the mean number of labels, or of four: with more, small differences would count too much. With
    less than two it is one.

    Parameters
    ----------
    A : ndarray of shape (n_samples, n_clusters)
        Memberships, as labels were propagated.
    codes : ndarray of int, shape (n_samples,)
        Known classes, -1 where unlabelled.
    affinity : csr_array of shape (n_samples, n_samples)
        The weights of the graph.

    Examples
    --------
    >>> W = sp.csr_array(sp.block_diag([np.ones((9, 9)), np.ones((3, 3))]))
    >>> A = np.array([[0.52, 0.48]] * 5 + [[0.75, 0.25]] * 4 + [[0.3, 0.7]] * 3)
    >>> codes = np.array([0, 0, *[-1] * 7, 1, 1, -1])  # two labels each suggest equal sizes
    >>> (A * prior_factors(A, codes)).argmax(axis=1).tolist()
    [1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1]
    >>> cut_ratio(A, codes, W)  # without the prior no edge is cut
    0.0
    """
    n_labels = (codes >= 0).sum() / A.shape[1]
    if n_labels < _FEWEST:
        return 1.0
    found = A.argmax(axis=1), (A * prior_factors(A, codes)).argmax(axis=1)
    as_they_are, with_prior = (_cut(affinity, np.where(codes >= 0, codes, each)) for each in found)
    ratio = as_they_are / with_prior if with_prior else 1.0
    return float(ratio ** np.sqrt(min(n_labels, _MOST)))


def contradict_prior(ratios: Sequence[float]) -> bool:
    """Return whether most of some graphs contradict the prior, by their :func:`cut_ratio`."""
    return len(ratios) > 0 and bool(np.median(ratios) < _CLEARLY)


def _cut(affinity: sp.csr_array, labels: np.ndarray) -> float:
    """Return the weight of the edges between clusters."""
    ends = np.repeat(labels, np.diff(affinity.indptr))
    return float(affinity.data[ends != labels[affinity.indices]].sum())
