"""Candidate graphs on the same samples, each judged by the same hidden labels."""

from dataclasses import dataclass
from functools import partial

import numpy as np
import scipy.sparse as sp

from ...labels.calibration import Calibration
from ...labels.encoding import one_hot
from ...labels.guess import guessed_members
from ...numerics.arrays import on_cpu
from ...numerics.threads import in_threads
from ...storage._products import template
from .._anchors import split_samples
from .._axes import discriminant_directions
from .._matrix import degrees
from .._operator import GraphOperator
from .._recipe import GraphRecipe
from .._request import GraphRequest
from . import tuning
from .features import feature_kinds
from .folds import Fold, compared_count, compared_rows, make_folds, one_label_each
from .guesses import balanced, most_confident

__all__ = ["Contest", "JudgedCandidate"]

_HOST = np.empty((0, 0))


@dataclass(frozen=True, eq=False)
class JudgedCandidate:
    """A candidate on the compared samples, in every fold.

    Attributes
    ----------
    directions : list of ndarray or None
        From principal axes of its features to its coordinates; None where labels define none.
    graphs : list of csr_array
        Its graphs, with a mean degree of one.
    scores, accuracies : ndarray of shape (n_folds - 1,)
        Of the folds that hide labels: the mean logarithm of the probability of hidden labels, and
        the share of them that was predicted.
    """

    directions: list[np.ndarray | None]
    graphs: list[sp.csr_array]
    scores: np.ndarray
    accuracies: np.ndarray


class Contest:
    """Samples to compare candidates on, ways to hide labels, and what each candidate predicts.

    Parameters
    ----------
    request : GraphRequest
        Data, labels, and how neighbours are joined and labels are propagated.
    recipes : list of GraphRecipe
        All candidates.
    rng : RandomState
        Source of everything random.

    Attributes
    ----------
    rows : ndarray of int
        The compared samples.
    whole : bool
        Whether these are all.
    folds : list of (kept, hidden)
        The labels that are kept, -1 elsewhere, and the samples whose labels are hidden. Fold 0
        hides nothing.
    queries : list of ndarray of bool, shape (n_compared,)
        Which of the compared samples each fold hides.
    n_hidden, n_judging : int
        The number of labels that are hidden in some fold, and of those on compared samples, which
        judge the candidates.
    one_each : bool
        Whether every cluster has one label and no more.
    tested : bool
        Whether labels can be hidden, and every cluster has some. Else axes that tell labelled
        classes apart would lay clusters that nobody labelled over each other.
    kind : dict of GraphRecipe to FeatureKind
        The features of each candidate.
    judged : dict of GraphRecipe to JudgedCandidate
        The candidates so far.
    propagation : Propagation
        How labels predict: as was asked for, without the class prior where graphs contradict it.
    """

    def __init__(
        self, request: GraphRequest, recipes: list[GraphRecipe], rng: np.random.RandomState
    ) -> None:
        self.request, self.recipes, self.rng, self.codes = request, recipes, rng, request.codes
        self.n_classes = int(self.codes.max(initial=-1)) + 1
        self.n_clusters = max(self.n_classes, request.n_clusters or 1)
        self.one_each = one_label_each(self.codes, self.n_clusters)
        count = compared_count(self.n_clusters, self.one_each, request.X.shape[1])
        self.rows = compared_rows(self.codes, count, rng)
        self.whole = len(self.rows) == len(self.codes)
        self.folds = make_folds(self.codes, self.rows, rng)
        self.queries = [np.isin(self.rows, fold.hidden) for fold in self.folds]
        self.n_hidden = len({int(i) for fold in self.folds for i in fold.hidden})
        self.n_judging = int(np.any(self.queries, axis=0).sum())
        self.tested = len(self.folds) > 1 and self.n_clusters == self.n_classes
        self.kind = feature_kinds(request.X, self.rows, recipes)
        self.judged: dict[GraphRecipe, JudgedCandidate] = {}
        self.propagation = request.propagation

    def judges(self, i: int) -> np.ndarray:
        """Return which folds may judge what is used in fold i: those that hide none of its labels.

        Few labels are hidden in two ways, and a fold of the other way may hide the same ones. Fold
        0, which hides nothing, judges nothing.
        """
        own = self.folds[i].hidden
        return np.array(
            [len(f.hidden) > 0 and not np.isin(f.hidden, own).any() for f in self.folds]
        )

    @property
    def repeated_folds(self) -> list[Fold]:
        """Fold 0 and those that are repeated on all samples.

        All; of many samples until enough labels were hidden, or every label once.
        """
        if self.whole:
            return self.folds
        enough = self.n_hidden if self.request.every_label else tuning.ENOUGH_HIDDEN
        enough = min(enough, self.n_hidden)
        before = np.cumsum([0, *(len(fold.hidden) for fold in self.folds[:-1])])
        return self.folds[: max(1, int((before < enough).sum()))]

    def judge(self, recipes: list[GraphRecipe], guesses: list[np.ndarray] | None = None) -> None:
        """Let candidates predict hidden labels, except those whose axes the labels do not define.

        Parameters
        ----------
        recipes : list of GraphRecipe
            Candidates that were not judged yet.
        guesses : list of ndarray of shape (n_compared, n_clusters), default=None
            Tentative labels in every fold, for axes of propagated ones; None: the given labels.
        """
        members = guesses or [
            one_hot(fold.kept[self.rows], self.n_classes, _HOST) for fold in self.folds
        ]
        judge = partial(self._judge, members=members)
        pairs = zip(recipes, in_threads(judge, recipes, self.request.report), strict=True)
        self.judged |= {recipe: judged for recipe, judged in pairs if judged is not None}

    def judge_label_free(self) -> None:
        """Judge the candidates that no label shapes, and the class prior by their graphs.

        Graphs that labels shape with the prior would confirm it.
        """
        free = [recipe for recipe in self.recipes if not recipe.uses_labels]
        self.judge(free)
        if self.n_clusters > self.n_classes or self.n_classes < 2:  # then there is no prior
            return
        known = self.codes[self.rows]
        ratios = [
            self.propagation.cut_ratio(self._operator(graphs[0], known), known, self.n_classes)
            for graphs in (self.judged[recipe].graphs for recipe in free)
        ]
        believed = self.propagation.believing(ratios)
        if believed != self.propagation:
            self.propagation = believed
            self.judge(free)

    def _judge(self, recipe: GraphRecipe, members: list[np.ndarray]) -> JudgedCandidate | None:
        points, edges = self.kind[recipe].points, self.request.edges
        count = min(recipe.n_neighbors or edges.n_neighbors, len(points) - 1)
        made, graphs, scores, accuracies = [], [], [], []
        for i, fold in enumerate(self.folds):
            if i == 0 or recipe.uses_labels:  # made anew from the labels that are left
                directions = self.directions(recipe, points, members[i])
                W = sp.csr_array((len(points), len(points)))  # without axes it predicts nothing
                if directions is not None:
                    W = edges.join(points[:, : len(directions)] @ directions, count).affinity
                    W = W * (len(points) / W.sum())  # blends weigh graphs of one mean degree
                elif i == 0:
                    return None
            made.append(directions)
            graphs.append(W)
            if i > 0:
                queries, truth = self.queries[i], self.codes[self.rows[self.queries[i]]]
                P = self.propagate(W, fold.kept[self.rows])[queries]
                scores.append(Calibration(doubt=tuning.DOUBT).score(P, truth))
                accuracies.append((P.argmax(axis=1) == truth).mean())
        return JudgedCandidate(made, graphs, np.array(scores), np.array(accuracies))

    def directions(
        self, recipe: GraphRecipe, points: np.ndarray, members: np.ndarray
    ) -> np.ndarray | None:
        """Return the map from principal axes of its features to a candidate's coordinates.

        Discriminant axes are those of `members`, soft labels of `points` (principal coordinates);
        None if they define none.
        """
        known = self.kind[recipe].points[:, : recipe.n_components]
        deviation = known.std(axis=0)
        scale = np.where(deviation > 0, deviation, 1.0) ** -recipe.whitening
        if not recipe.uses_labels:
            return np.diag(scale)
        points = points[:, : len(scale)] * scale
        found = discriminant_directions(points, members, recipe.shrinkage)
        return None if found is None else (scale[:, None] * found).astype(known.dtype)

    def propagate(
        self,
        W: sp.csr_array,
        codes: np.ndarray,
        view: tuple[np.ndarray, float] | None = None,
    ) -> np.ndarray:
        """Return memberships of the samples of a graph in labelled classes; rows sum to one.

        A view is what a linear classifier says of them, and its weight.
        """
        graph = self._operator(W, codes)
        return self.propagation.predict_beside(graph, codes, self.n_classes, view)

    def _operator(self, W: sp.csr_array, codes: np.ndarray) -> GraphOperator:
        like = template(self.request.X)
        if on_cpu(like) or self.whole or len(codes) < len(self.codes):  # the contest is on the host
            like = _HOST.astype(np.float32)
        return GraphOperator.build(W, like)

    def guess(self, W: sp.csr_array, known: np.ndarray, share: float | None = None) -> np.ndarray:
        """Return soft labels of the samples of a graph; those in doubt weigh little.

        Where every cluster has a label, labels are propagated and each sample weighs by how far its
        best class is ahead of the second. Else samples are split, and each weighs by how many of
        its edges stay in its cluster.

        Parameters
        ----------
        W : csr_array of shape (n, n)
            The graph.
        known : ndarray of int, shape (n,)
            Labels, -1 elsewhere.
        share : float, default=None
            Of one label for each class: classes are balanced, and this share of each, the part that
            is ahead most, is labelled. None: all, as they are.
        """
        if self.n_clusters == known.max(initial=-1) + 1:
            A = self.propagate(W, known)
            if share is None:
                return guessed_members(A, known)
            if self.propagation.class_prior is not None:
                A = balanced(A, known)
            found, free = guessed_members(A, known), known < 0
            sure = most_confident(A.argmax(axis=1), found.sum(axis=1), free, share)
            return found * np.where(free, sure, 1.0)[:, None]
        labels = split_samples(W, known, self.n_clusters, self.rng)
        members = one_hot(labels, self.n_clusters, _HOST)
        inside = (members * (W @ members)).sum(axis=1)
        weight = (inside / np.maximum(degrees(W), 1e-300)) ** 2
        weight = np.where(known >= 0, 1.0, weight)[:, None]
        return weight * one_hot(np.where(known >= 0, known, labels), self.n_clusters, _HOST)
