"""How much to trust the graph beside the data, from the given labels alone."""

from collections.abc import Callable
from typing import Any

import numpy as np
from array_api_compat import array_namespace

from .arrays import from_numpy, to_numpy
from .problem import GraphOnData

__all__ = ["automatic_graph_weight", "graph_trust", "hide_labels"]


def hide_labels(
    codes: np.ndarray, n_folds: int, rng: np.random.RandomState
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Split the labelled samples into folds, class by class.

    Parameters
    ----------
    codes : ndarray of int, shape (n_samples,)
        Known classes, -1 where unlabelled.
    n_folds : int
        Number of folds.
    rng : RandomState
        Source of the shuffle.

    Returns
    -------
    list of (kept, hidden)
        `kept` is `codes` with a fold set to -1; `hidden` are the samples of that fold whose class
        still has a label among the kept ones. Folds without such samples are left out.
    """
    fold = np.full(len(codes), -1)
    for j in np.unique(codes[codes >= 0]):
        members = rng.permutation(np.flatnonzero(codes == j))
        fold[members] = (np.arange(len(members)) + rng.randint(n_folds)) % n_folds
    splits = []
    for f in range(n_folds):
        kept = np.where(fold == f, -1, codes)
        hidden = np.flatnonzero((fold == f) & np.isin(codes, kept[kept >= 0]))
        if len(hidden):
            splits.append((kept, hidden))
    return splits


def graph_trust(
    X: Any,
    codes: np.ndarray,
    propagate: Callable[[np.ndarray], np.ndarray],
    rng: np.random.RandomState,
    n_folds: int = 3,
) -> float:
    """Compare the graph with class prototypes by hiding part of the given labels.

    The answer is the ratio of two error counts on the hidden labels: nearest class mean over label
    propagation, each with one error added. Above 1 the graph knows more than the data term can.

    Parameters
    ----------
    X : array of shape (n_samples, n_features)
        The data.
    codes : ndarray of int, shape (n_samples,)
        Known classes, -1 where unlabelled. No other label is used.
    propagate : callable
        ``codes -> memberships`` (n_samples x n_clusters) on the graph in question.
    rng : RandomState
        Source of the split.
    n_folds : int, default=3
        Number of folds.

    Returns
    -------
    float
        1.0 if there are too few labels to hide any.
    """
    graph_errors = mean_errors = 0
    for kept, hidden in hide_labels(codes, n_folds, rng):
        truth = codes[hidden]
        graph_errors += int((propagate(kept)[hidden].argmax(axis=1) != truth).sum())
        mean_errors += int((_nearest_mean(X, kept, hidden) != truth).sum())
    return (mean_errors + 1) / (graph_errors + 1)


def _nearest_mean(X: Any, codes: np.ndarray, queries: np.ndarray) -> np.ndarray:
    """Assign each query to the class whose labelled samples have the nearest mean."""
    xp = array_namespace(X)
    names = np.unique(codes[codes >= 0])
    share = (codes[None, :] == names[:, None]).astype(float)
    share /= share.sum(axis=1, keepdims=True)
    means = from_numpy(share, X) @ X
    points = xp.take(X, from_numpy(queries, X, dtype=xp.int64), axis=0)
    # |x - m|^2 without |x|^2, which is the same for every class
    cost = xp.sum(means * means, axis=1)[None, :] - 2 * (points @ means.T)
    return names[to_numpy(cost).argmin(axis=1)]


def automatic_graph_weight(
    X: Any,
    codes: np.ndarray,
    anchors: np.ndarray,
    graph: GraphOnData,
    label_weight: float,
    rng: np.random.RandomState,
) -> float:
    """Return the graph's weight: how well it predicts hidden labels, over the share of anchors.

    The fewer the anchors, the more edges lie between a sample and the nearest of them, and at each
    the data term has its say: the graph's weight must grow in proportion.
    """

    def propagate(kept: np.ndarray) -> np.ndarray:
        return to_numpy(graph.propagate(kept, int(codes.max()) + 1, label_weight))

    return graph_trust(X, codes, propagate, rng) / float(np.mean(anchors >= 0))
