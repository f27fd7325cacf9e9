"""Which samples are strange, and which are worth a person's look."""

from typing import Any

import numpy as np
import scipy.sparse as sp

from ..numerics.arrays import over_median

__all__ = ["STRANGE", "are_strangers", "certainty_of", "entropy"]
__all__ += ["outlier_scores", "strangers", "worth_labelling"]

STRANGE = 0.5
"""Novelty above which a sample is called a stranger."""


def certainty_of(
    model: Any, labels: np.ndarray, probabilities: np.ndarray, novelty: np.ndarray
) -> np.ndarray:
    """Return how sure the clusters of samples are, by a fitted model.

    The probability of its cluster among all, times one minus its novelty if that is a named class:
    a stranger is surely in none of these, however much nearer it is to one than to the others.
    """
    own = np.take_along_axis(probabilities, labels[:, None], axis=1)[:, 0]
    return np.where(labels < model._known.n_named, own * (1 - novelty), own)


def are_strangers(model: Any, labels: np.ndarray, novelty: np.ndarray) -> np.ndarray:
    """Return which samples are in a named cluster and look like no labelled class."""
    return (labels < model._known.n_named) & (novelty > STRANGE)


def strangers(model: Any) -> np.ndarray:
    """Return the samples of a fit that are in a named cluster and look like no labelled class."""
    return np.flatnonzero(are_strangers(model, model.labels_, model.novelty_))


def entropy(probabilities: np.ndarray) -> np.ndarray:
    """Return the entropy of each row: 0 for certainty, 1 for equal probabilities.

    Examples
    --------
    >>> entropy(np.array([[1.0, 0.0], [0.5, 0.5]])).tolist()
    [0.0, 1.0]
    """
    if probabilities.shape[1] < 2:
        return np.zeros(len(probabilities))
    P = probabilities.astype(np.float64)
    logs = np.log(np.where(P > 0, P, 1.0))
    return np.abs((P * logs).sum(axis=1)) / np.log(P.shape[1])


def outlier_scores(
    residuals: np.ndarray, remoteness: np.ndarray | None, probabilities: np.ndarray
) -> np.ndarray:
    """Return how strange each sample is: unlike its prototype, or far from others, or in doubt.

    The larger of two ratios, times one plus the entropy of the sample's class: its residual over
    the median residual, and its distance to its neighbours over the median one.

    Parameters
    ----------
    residuals : ndarray of shape (n_samples,)
        Length of what the model leaves of each sample.
    remoteness : ndarray of shape (n_samples,) or None
        Distance to neighbours over the median one; None if the graph knows no distances: residuals
        then speak alone.
    probabilities : ndarray of shape (n_samples, n_clusters)
        Of each class.

    Examples
    --------
    >>> sure = np.array([[1.0, 0.0]] * 4)
    >>> outlier_scores(np.array([1.0, 1.0, 1.0, 3.0]), None, sure).tolist()
    [1.0, 1.0, 1.0, 3.0]
    """
    strangeness = over_median(residuals)
    if remoteness is not None:
        strangeness = np.maximum(strangeness, remoteness)
    return strangeness * (1 + entropy(probabilities))


def worth_labelling(
    probabilities: np.ndarray, W: sp.csr_array, known: np.ndarray, n: int
) -> np.ndarray:
    r"""Return the unlabelled samples whose labels would tell most.

    With u the entropy of each sample and K its neighbours' weights over its degree, sample
    i would settle :math:`g_i = u_i + \sum_j K_{ij} u_j`. The largest is taken, what it settles is
    struck off (:math:`u_i = 0`, :math:`u_j` reduced by the share of j's edges that lead to i), and
    so on: uncertain, typical of others that are, and not twice the same.

    Parameters
    ----------
    probabilities : ndarray of shape (n_samples, n_clusters)
        Calibrated.
    W : csr_array of shape (n_samples, n_samples)
        The graph.
    known : ndarray of bool
        Which samples have labels.
    n : int
        How many to return; fewer if fewer are unlabelled.

    Examples
    --------
    >>> W = sp.csr_array(np.array([[0, 1, 1, 0], [1, 0, 1, 0], [1, 1, 0, 0], [0, 0, 0, 0.0]]))
    >>> P = np.array([[0.5, 0.5], [0.6, 0.4], [0.6, 0.4], [0.5, 0.5]])
    >>> worth_labelling(P, W, np.zeros(4, dtype=bool), 2).tolist()  # of a group, then the other
    [0, 3]
    """
    u = np.where(known, 0.0, entropy(probabilities))
    degree = W.sum(axis=1)
    K = sp.diags_array(1 / np.where(degree > 0, degree, 1.0)) @ W
    K, towards = K.tocsr(), K.T.tocsr()  # towards[i]: what part of others' edges leads to i
    free = ~known
    chosen: list[int] = []
    for _ in range(min(n, int(free.sum()))):
        gain = np.where(free, u + K @ u, -1.0)
        i = int(gain.argmax())
        chosen.append(i)
        free[i] = False
        u[i] = 0.0
        row = slice(towards.indptr[i], towards.indptr[i + 1])
        u[towards.indices[row]] *= 1 - np.minimum(towards.data[row], 1.0)
    return np.array(chosen, dtype=int)
