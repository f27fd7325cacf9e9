"""A linear view of the classes beside the graph: which class a sample is in by where it lies."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.optimize import brentq

from ..labels.guess import guessed_members
from ..numerics.arrays import to_numpy
from ._axes import Axes, as_rows

__all__ = ["LinearRule", "LinearView"]

# Each is a plateau: up to five draws of 2, 5 and 10 labels per class of two sets of photographs
_GUESSED = 0.1  # weight of a guessed label beside a given one; 0.03 to 0.3 are within 0.004, 0
# loses 0.01 to 0.08 with 2 or 5 labels per class, and 1 loses 0.01 with 10
_SHRINKAGE = 0.1  # of the spread within classes; 0.05 to 0.2 are within 0.003, 0.3 loses up to 0.01
_SURE = 0.5  # power of the graph's mean certainty that is the view's; 1 loses 0.003
_TEMPERATURES = (-5.0, 15.0)  # logarithms between which one is looked for
_LOOKED_AT = 1000  # samples that tell how sure a view is
_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class LinearRule:
    r"""Probabilities of classes by linear functions of a sample's features.

    A sample with features f has the probabilities :math:`p_j \propto \exp((f-c)'w_j + b_j)`.

    Attributes
    ----------
    features : transformer
        Fitted.
    axes : Axes
        c, and :math:`w_j` as the directions.
    offset : ndarray of shape (n_classes,)
        b.
    """

    features: Any
    axes: Axes
    offset: np.ndarray

    def probabilities(self, X: Any) -> np.ndarray:
        """Return the probabilities of new samples; rows sum to one."""
        F = as_rows(self.features.transform(to_numpy(X)), self.features, X.shape[0])
        return _softmax(self.axes.coordinates(F) + self.offset)


@dataclass(frozen=True, eq=False)
class LinearView:
    r"""What a linear classifier of few labels may say beside the graph, and how loudly.

    Linear discriminant analysis whose means m and scatter :math:`\Sigma` are those of given labels
    and, at a tenth of the weight, of labels that the graph suggests: a step of expectation
    maximisation with discounted unlabelled samples [1]_. The scatter within classes is shrunk
    towards a ball [2]_, and

    .. math:: p_j(x) \propto \exp\bigl((m_j'\Sigma^{-1}x - \tfrac12 m_j'\Sigma^{-1}m_j) / T\bigr).

    Few labels make such distances far too sure. T makes the mean certainty of the unlabelled
    samples the root of what it is on the graph, whose memberships are timid; it needs no label.

    Attributes
    ----------
    features : transformer
        Fitted.
    axes : Axes
        Their principal axes.
    points : ndarray of shape (n_samples, n_axes)
        Principal coordinates of all samples.
    weight : float
        How much a sample is drawn to what the view says of it, relative to the mean degree.

    References
    ----------
    .. [1] K. Nigam, A. McCallum, S. Thrun and T. Mitchell. Text classification from labeled and
       unlabeled documents using EM. Machine Learning 39, 2000, section 5.3.1.
    .. [2] J. H. Friedman. Regularized discriminant analysis. JASA 84, 1989.

    Examples
    --------
    >>> from ronmf.graph._axes import UnitScale, principal_axes
    >>> X = np.array([[0.0, 0.0], [0.0, 4.0], [9.0, 0.0], [9.0, 4.0], [2.0, 2.0]])
    >>> axes = principal_axes(X, 2)
    >>> view = LinearView(UnitScale(), axes, axes.coordinates(X), weight=1.0)
    >>> graph_says = np.array([[0.9, 0.1], [0.8, 0.2], [0.1, 0.9], [0.2, 0.8], [0.5, 0.5]])
    >>> rule, P = view.of_classes(graph_says, np.array([0, -1, 1, -1, -1]))
    >>> P.argmax(axis=1).tolist()  # the graph did not know the last one
    [0, 0, 1, 1, 0]
    """

    features: Any
    axes: Axes
    points: np.ndarray = field(repr=False)
    weight: float

    def of_classes(self, A: np.ndarray, codes: np.ndarray) -> tuple[LinearRule, np.ndarray] | None:
        """Return the rule for labelled classes, and what it says of all samples.

        Parameters
        ----------
        A : ndarray of shape (n_samples, n_classes)
            What the graph says of them: its clear guesses take part.
        codes : ndarray of int, shape (n_samples,)
            Known classes, -1 where unlabelled.

        Returns
        -------
        tuple or None
            None where there is nothing to tell apart, or all samples are labelled.
        """
        free = np.flatnonzero(codes < 0)
        if A.shape[1] < 2 or not len(free):
            return None
        members = guessed_members(A, codes)
        members[free] *= _GUESSED
        found = _discriminant(self.points, members)
        if found is None:
            return None
        K, b = found
        some = free[:: -(-len(free) // _LOOKED_AT)]
        certain = float(A[some].max(axis=1).mean()) ** _SURE
        K, b = (each / _temperature(self.points[some] @ K + b, certain) for each in (K, b))
        rule = LinearRule(self.features, Axes(self.axes.centre, self.axes.directions @ K), b)
        return rule, _softmax(self.points @ K + b)


def _discriminant(S: np.ndarray, members: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """Return the linear functions ``S @ K + b`` of shrunk discriminant analysis, or None."""
    mass, own = members.sum(axis=0), members.sum(axis=1)
    if not mass.all():
        return None
    used = np.flatnonzero(own)
    P, own = members[used].astype(S.dtype), own[used].astype(S.dtype)
    centre = own @ S[used] / own.sum()
    C = S[used] - centre
    means = (P.T @ C / mass[:, None]).astype(np.float64)
    moment = ((C * own[:, None]).T @ C).astype(np.float64)
    scatter = (moment - (means * mass[:, None]).T @ means) / mass.sum()
    p = S.shape[1]
    total = np.trace(moment) / mass.sum() / p
    if not total > (_ROUNDING * float(np.abs(S).max())) ** 2:
        return None
    # One sample per class has no scatter within; the ball then has the size of all of them.
    radius = _SHRINKAGE * max(np.trace(scatter) / p, 1e-6 * total)
    shrunk = (1 - _SHRINKAGE) * scatter
    shrunk[np.diag_indices(p)] += radius + 1e-6 * total
    K = np.linalg.solve(shrunk, means.T)
    b = -(means * K.T).sum(axis=1) / 2 - centre @ K
    return K.astype(S.dtype), b.astype(S.dtype)


def _temperature(scores: np.ndarray, certain: float) -> float:
    """Return the temperature at which the mean of the largest probabilities is as given."""

    def excess(log_temperature: float) -> float:
        P = _softmax(scores / np.exp(log_temperature))
        return float(P.max(axis=1).mean()) - certain

    low, high = _TEMPERATURES
    if excess(low) <= 0 or excess(high) >= 0:  # as sure, or as unsure, as can be
        return float(np.exp(low if excess(low) <= 0 else high))
    return float(np.exp(brentq(excess, low, high, xtol=1e-2)))


def _softmax(scores: np.ndarray) -> np.ndarray:
    """Return rows that sum to one."""
    power = np.exp((scores - scores.max(axis=1, keepdims=True)).astype(np.float64))
    return power / power.sum(axis=1, keepdims=True)
