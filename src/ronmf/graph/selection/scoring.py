"""Candidate graphs on the same samples, scored by the same hidden labels."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import clone

from ...labels.class_prior import apply_class_prior
from ...labels.encoding import one_hot
from ...labels.hidden_labels import Trial, hidden_label_splits
from ...numerics.arrays import from_numpy, to_numpy
from .._axes import Axes, UnitScale, as_rows, discriminant_directions, principal_axes
from .._consensus_graph import GraphPart
from .._neighbor_graph import neighbor_graph
from .._operator import GraphOperator
from .._recipe import GraphRecipe

__all__ = ["CandidateScorer", "ScoredCandidate"]

_SAMPLES = 1000  # on which candidates are compared
_TOLERANCE = 1e-5  # of their predictions
_MOST_AXES = 100  # principal axes that are kept of any features
_DOUBT = 0.02  # part of every prediction that counts as a guess: one error must not decide
_HOST = np.empty((0, 0))


@dataclass(frozen=True, eq=False)
class ScoredCandidate:
    """A candidate on the compared samples.

    Attributes
    ----------
    recipe : GraphRecipe
        How its graph is made.
    directions : ndarray
        From principal axes of its features to its coordinates.
    affinity : csr_array
        Its graph, with a mean degree of one.
    predictions : list of ndarray
        Memberships of all compared samples, one array for each way to hide labels.
    score, accuracy : float
        Mean logarithm of the probability of hidden labels, and the fraction that was predicted.
    """

    recipe: GraphRecipe
    directions: np.ndarray
    affinity: sp.csr_array
    predictions: list[np.ndarray]
    score: float
    accuracy: float


class CandidateScorer:
    """Samples to compare candidates on, and ways to hide their labels.

    Parameters
    ----------
    X : array of shape (n_samples, n_features)
        The data, of any array API library.
    codes : ndarray of int, shape (n_samples,)
        Known classes, -1 where unlabelled.
    settings : dict
        ``n_neighbors``, ``weights`` and ``heat_width`` of :func:`neighbor_graph`.
    label_weight : float
        Of propagation, relative to the mean degree.
    class_prior : {"labels", None}
        Whether predictions are scaled by ``prior_factors``.
    rng : RandomState
        Source of the compared samples and of the splits.
    """

    def __init__(
        self,
        X: Any,
        codes: np.ndarray,
        settings: dict[str, Any],
        label_weight: float,
        class_prior: str | None,
        rng: np.random.RandomState,
    ) -> None:
        self.X, self.codes, self.settings = X, codes, settings
        self.label_weight, self.class_prior = label_weight, class_prior
        self.rows = _compared_rows(codes, rng)
        self.y = codes[self.rows]
        self.n_classes = int(codes.max(initial=-1)) + 1
        self.splits = hidden_label_splits(self.y, rng) if self.n_classes > 1 else []
        self.n_hidden = len({int(i) for _, hidden in self.splits for i in hidden})
        self.scored: list[ScoredCandidate] = []
        self._host = to_numpy(X)
        self._prepared: dict[str, tuple[Any, Axes, np.ndarray]] = {}

    def score(self, recipe: GraphRecipe, guesses: list[np.ndarray] | None = None) -> None:
        """Score a candidate, unless the labels do not define its axes.

        `guesses` are soft labels, for axes of propagated ones: with all labels, then in each trial.
        """
        _, _, S = self._principal(recipe)
        directions = self._directions(recipe, S, self.y, guesses[0] if guesses else None)
        if directions is None:
            return
        W = self._affinity(recipe, S @ directions)
        predictions = []
        for i, (kept, _) in enumerate(self.splits):
            left = W
            if recipe.uses_labels:  # made anew: the hidden labels must not have shaped it
                guess = guesses[i + 1] if guesses else None
                own = self._directions(recipe, S, kept, guess)
                left = None if own is None else self._affinity(recipe, S @ own)
            predictions.append(self._propagate(left, kept))
        score, accuracy = self._judge(predictions)
        self.scored.append(ScoredCandidate(recipe, directions, W, predictions, score, accuracy))

    def blend(self, shares: dict[int, float]) -> list[np.ndarray]:
        """Return memberships by chosen candidates: with all labels, then in each trial."""
        W = sum(share * self.scored[i].affinity for i, share in shares.items())
        mixtures = [self._mixture(shares, trial) for trial in range(len(self.splits))]
        return [self._propagate(W, self.y), *mixtures]

    def trials(self, shares: dict[int, float]) -> list[Trial]:
        """Return the predictions of hidden labels by chosen candidates, in terms of all samples."""
        trials = []
        for i, (kept, hidden) in enumerate(self.splits):
            everywhere = np.full(len(self.codes), -1)
            everywhere[self.rows] = kept
            trials.append(Trial(everywhere, self.rows[hidden], self._mixture(shares, i)[hidden]))
        return trials

    def build(self, candidate: ScoredCandidate, share: float) -> GraphPart:
        """Return the graph of a candidate on all samples."""
        features, axes, S = self._principal(candidate.recipe)
        directions = candidate.directions
        if len(self.rows) < len(self.codes):
            F = as_rows(features.transform(self._host), features, len(self._host))
            S = axes.coordinates(F)
            if candidate.recipe.axes == "lda":  # by all given labels, not only the compared ones
                own = self._directions(candidate.recipe, S, self.codes, None)
                directions = directions if own is None else own
        coordinates = from_numpy(S @ directions, self.X)
        graph = neighbor_graph(coordinates, **self._neighbors(candidate.recipe))
        return GraphPart(candidate.recipe, features, axes.then(directions), graph, share)

    def _mixture(self, shares: dict[int, float], trial: int) -> np.ndarray:
        weighed = [share * self.scored[i].predictions[trial] for i, share in shares.items()]
        return np.sum(weighed, axis=0)

    def _principal(self, recipe: GraphRecipe) -> tuple[Any, Axes, np.ndarray]:
        """Return fitted features, their principal axes and the compared samples' coordinates."""
        count = max(_MOST_AXES, recipe.n_components)
        name = f"{recipe.kind} {count}"
        if name not in self._prepared:  # once for all candidates with the same features
            features = UnitScale() if recipe.features is None else clone(recipe.features)
            rows = self._host[self.rows]
            F = as_rows(features.fit_transform(rows), features, len(rows))
            axes = principal_axes(F, count)
            self._prepared[name] = features, axes, axes.coordinates(F)
        return self._prepared[name]

    def _directions(
        self, recipe: GraphRecipe, S: np.ndarray, codes: np.ndarray, guess: np.ndarray | None
    ) -> np.ndarray | None:
        """Return the directions of a recipe under these labels; None if they define none."""
        used = min(S.shape[1], recipe.n_components)
        if recipe.axes == "pca":
            return np.eye(S.shape[1], used, dtype=S.dtype)
        if guess is None:
            given = codes[codes >= 0]
            if len(given) == len(np.unique(given)):  # no class has a scatter
                return None
            guess = one_hot(codes, self.n_classes, _HOST)
        directions = discriminant_directions(S[:, :used], guess, recipe.shrinkage)
        if directions is None:
            return None
        unused = np.zeros((S.shape[1] - used, directions.shape[1]))
        return np.concatenate([directions, unused]).astype(S.dtype)

    def _neighbors(self, recipe: GraphRecipe) -> dict[str, Any]:
        return self.settings | (
            {} if recipe.n_neighbors is None else {"n_neighbors": recipe.n_neighbors}
        )

    def _affinity(self, recipe: GraphRecipe, coordinates: np.ndarray) -> sp.csr_array:
        settings = self._neighbors(recipe)
        settings["n_neighbors"] = min(settings["n_neighbors"], len(coordinates) - 1)
        W = neighbor_graph(coordinates, **settings).affinity
        return W * (W.shape[0] / W.sum())

    def _propagate(self, W: sp.csr_array | None, codes: np.ndarray) -> np.ndarray:
        if W is None:
            return np.full((len(codes), self.n_classes), 1 / max(1, self.n_classes))
        graph = GraphOperator.build(W, _HOST)
        A = graph.propagate(codes, self.n_classes, self.label_weight, tol=_TOLERANCE)
        return apply_class_prior(A, codes, self.class_prior)

    def _judge(self, predictions: list[np.ndarray]) -> tuple[float, float]:
        if not self.splits:
            return float("nan"), float("nan")
        true, right = [], []
        for (_, hidden), P in zip(self.splits, predictions, strict=True):
            true.append(P[hidden, self.y[hidden]])
            right.append(P[hidden].argmax(axis=1) == self.y[hidden])
        share = np.concatenate(true)
        score = np.log((1 - _DOUBT) * share + _DOUBT / self.n_classes).mean()
        return float(score), float(np.concatenate(right).mean())


def _compared_rows(codes: np.ndarray, rng: np.random.RandomState) -> np.ndarray:
    """Return the samples to compare candidates on: all, or so many in a fair mixture.

    Labelled ones keep their share, but are at least a third, or all there are.
    """
    if len(codes) <= _SAMPLES:
        return np.arange(len(codes))
    labelled, free = np.flatnonzero(codes >= 0), np.flatnonzero(codes < 0)
    wanted = max(_SAMPLES // 3, round(_SAMPLES * len(labelled) / len(codes)))
    count = min(len(labelled), wanted)
    chosen = [
        rng.permutation(labelled)[:count],
        rng.permutation(free)[: _SAMPLES - count],
    ]
    return np.sort(np.concatenate(chosen))
