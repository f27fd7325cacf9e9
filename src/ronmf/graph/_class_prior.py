"""Whether a graph contradicts the class sizes that labels suggest."""

from collections.abc import Sequence

import numpy as np
import scipy.sparse as sp

from ..labels.class_prior import prior_factors
from ._spectral import normalized_cut

__all__ = ["contradict_prior", "cut_ratio"]

_CLEARLY = 0.85
"""Ratio of cuts below which class sizes of labels are not believed. On 52 draws of seven sets the
median over graphs without labels is 0.86 or more where all classes are of one size, and below it in
19 of 24 draws with sizes up to 1:50 and two labels of each class."""

_FEW = 4  # labels per class


def cut_ratio(A: np.ndarray, codes: np.ndarray, affinity: sp.csr_array) -> float:
    """Return what clusters without the class prior cut of a graph, relative to those with it.

    One where their normalised cut is larger: one class then floods the others.

    Labels that were drawn class by class do not tell how large classes are. If one is far larger
    than its labels suggest, the prior gives part of its samples to others, right through the middle
    of a cluster: clusters with the prior then cut many more edges than those without. Where labels
    are more, the prior is weaker: the ratio is that of a prior in full, to the power of the root of
    the mean number of labels, or of four: with more, small differences would count too much.

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
    >>> W = sp.csr_array(sp.block_diag([np.ones((9, 9)), np.ones((2, 2))]))
    >>> A = np.array([[0.55, 0.45]] * 5 + [[0.75, 0.25]] * 4 + [[0.3, 0.7]] * 2)
    >>> codes = np.array([0, *[-1] * 8, 1, -1])  # one label each suggests equal sizes
    >>> (A * prior_factors(A, codes)).argmax(axis=1).tolist()
    [1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1]
    >>> cut_ratio(A, codes, W)  # without the prior no edge is cut
    0.0
    """
    found = A.argmax(axis=1), (A * prior_factors(A, codes)).argmax(axis=1)
    labels = [np.where(codes >= 0, codes, each) for each in found]
    cuts = [_cut(affinity, each) for each in labels]
    # Where there are no clusters, one class floods all others, which cuts little too; but nearly
    # every edge of the handfuls that are left to the others is cut.
    flooded, parted = (normalized_cut(affinity, each, A.shape[1]) for each in labels)
    if not cuts[1] or flooded > parted:
        return 1.0
    n_labels = min((codes >= 0).sum() / A.shape[1], _FEW)
    return float((cuts[0] / cuts[1]) ** np.sqrt(n_labels))


def contradict_prior(ratios: Sequence[float]) -> bool:
    """Return whether most of some graphs contradict the prior, by their :func:`cut_ratio`."""
    return len(ratios) > 0 and bool(np.median(ratios) < _CLEARLY)


def _cut(affinity: sp.csr_array, labels: np.ndarray) -> float:
    """Return the weight of the edges between clusters."""
    ends = np.repeat(labels, np.diff(affinity.indptr))
    return float(affinity.data[ends != labels[affinity.indices]].sum())
