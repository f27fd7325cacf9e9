"""Which graph? Hide part of the given labels, and see which graphs predict them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from ...labels.hidden_labels import Trial, tentative_trials
from ...numerics.nearest_neighbors import check_count
from ...numerics.threads import with_own_threads
from ...numerics.types import Array, Seed
from .._consensus_graph import ConsensusGraph
from .._recipe import GraphRecipe
from .blending import Blender, Refining
from .competing import compete
from .report import GraphReport
from .scoring import CandidateScorer
from .weighing import Weigher

__all__ = ["ChosenGraph", "choose_graph"]

_LARGE, _ENOUGH = 1000, 150  # with more samples, so many hidden labels tell enough
_SPARSE, _FEW = 0.1, 10.0  # labelled share and labels per class below which a guess knows more
_GOOD_GUESS = 5  # labels per cluster from which a second guess is no better


@dataclass(frozen=True, eq=False)
class ChosenGraph:
    """A graph, why it was chosen, and how it predicted hidden labels.

    Attributes
    ----------
    graph : ConsensusGraph
        The blend of the best candidates.
    report : GraphReport
        All candidates with their scores and shares.
    trials : list of Trial
        Predictions of hidden labels by such a blend, on all samples: of graphs that those labels
        have not shaped, with shares that were judged by other labels.
    tentative : list of Trial
        Where there are labels but none can be hidden: predictions of predictions.
    """

    graph: ConsensusGraph
    report: GraphReport
    trials: list[Trial]
    tentative: list[Trial]


@with_own_threads
def choose_graph(
    X: Array,
    codes: np.ndarray,
    recipes: list[GraphRecipe],
    *,
    n_clusters: int | None = None,
    n_neighbors: int = 5,
    weights: str = "self_tuning",
    heat_width: float | None = None,
    label_weight: float = 10.0,
    class_prior: str | None = "labels",
    every_label: bool = False,
    rng: Seed,
    report: Callable[[], Any] | None = None,
) -> ChosenGraph:
    """Weigh candidates by what is known without labels and by hidden labels, and blend the best.

    *Labels.* A third of them at a time is hidden and predicted by label propagation; graphs that
    depend on labels are made anew from those that are left. A candidate's score is the mean
    logarithm of the probability it gave to the true class. In a second round the features of the
    best candidates get discriminant axes of *propagated* labels, in every trial from what was left
    of the labels. The best (four, or six of up to 500 samples) are summed with weights
    ``w * exp(c (score - best))``, c being the smaller of the number of hidden labels and of 8 over
    the size of the best score.

    *No labels.* The weight w of principal axes is a recipe's `prior`, over the fifth power of the
    normalised cut by which its graph falls into clusters; axes of propagated labels weigh three
    times as much in all, those of given labels a tenth each. Where no label can be hidden, w
    decides alone; the say of the cut fades, and ends when four labels of each class can be hidden.
    Where none can, where clusters have no label, and where labels are sparse (less than a tenth of
    the samples, and ten per class), discriminant axes of tentative labels (propagated, or of a
    spectral split) make three quarters of the blend.

    Parameters
    ----------
    X : array of shape (n_samples, n_features)
        The data. Neighbours are found on its device, and the features of all samples made there,
        where they can be; the contest is on the host.
    codes : ndarray of int, shape (n_samples,)
        Known classes, -1 where unlabelled. No other label is used.
    recipes : list of GraphRecipe
        The candidates. At least one needs no labels.
    n_clusters : int, default=None
        Number of clusters; None: of labelled classes.
    n_neighbors, weights, heat_width
        See :func:`neighbor_graph`.
    label_weight : float, default=10
        Of propagation, relative to the mean degree.
    class_prior : {"labels", None}, default="labels"
        Whether predictions are scaled by the sizes that labels suggest.
    every_label : bool, default=False
        Whether every label that can be is hidden in some trial on all samples. By default 150 are
        enough where samples are many.
    rng : int or RandomState
        Source of the splits, of the starts of clusterings, of tentative labels and, where they are
        many, of the samples that are compared and the labels that shape axes.
    report : callable, default=None
        Called after every candidate, and for every blend that is built.

    Returns
    -------
    ChosenGraph
        With ``graph``, ``report``, ``trials`` and ``tentative``.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from ronmf.graph import choose_graph, default_recipes
    >>> X, truth = load_digits(return_X_y=True)
    >>> X, truth = X[:500], truth[:500]
    >>> codes = np.where(np.arange(500) % 10 == 0, truth, -1)
    >>> recipes = default_recipes(X, image_shape=(8, 8))
    >>> chosen = choose_graph(X, codes, recipes, rng=np.random.RandomState(0))
    >>> chosen.report.accuracy > 0.9
    True
    """
    codes, generator = np.asarray(codes), check_random_state(rng)
    recipes = [recipes] if isinstance(recipes, GraphRecipe) else recipes
    _check(X, codes, recipes, n_neighbors)
    recipes = list({recipe.key: recipe for recipe in reversed(recipes)}.values())[::-1]  # each once
    settings = {"n_neighbors": n_neighbors, "weights": weights, "heat_width": heat_width}
    n_clusters = max(int(codes.max(initial=-1)) + 1, n_clusters or 1)
    scorer = CandidateScorer(
        X, codes, settings, label_weight, class_prior, n_clusters, len(recipes), generator
    )
    weigher = Weigher(scorer, n_clusters, generator)
    report = report or (lambda: None)
    # Axes that tell labelled classes apart would lay clusters that nobody labelled over each other.
    tested = bool(scorer.splits) and n_clusters == scorer.n_classes
    kinds = compete(scorer, weigher, recipes, tested, report)
    blender = Blender(X, scorer)
    n_trials = _enough_trials(scorer, scorer.n_hidden if every_label else _ENOUGH)
    shares = _shares(weigher, blender, kinds, n_trials if tested else 0)
    second = [r for r in recipes if r.axes == "propagated lda" and r.n_neighbors is None]
    twice = bool((codes >= 0).sum() < _GOOD_GUESS * n_clusters)
    second = [] if tested and not _sparse(scorer) else second
    refining = Refining(second, n_clusters, generator, twice)
    blends = []
    for index in range(1 + n_trials):
        known = codes if index == 0 else scorer.splits[index - 1][0]
        parts = blender.parts(shares[index], index)
        blends.append(blender.refined(parts, refining, known))
        report()
    trials = [
        Trial(*scorer.splits[t], blender.predict(blend, t), codes[scorer.splits[t][1]])
        for t, blend in enumerate(blends[1:])
    ]
    graph, tentative = ConsensusGraph.blend(blends[0]), []
    if not trials and scorer.n_classes > 1:
        free = blender.parts(shares[0], 0)

        def predict(kept: np.ndarray) -> np.ndarray:
            # Axes of tentative labels agree with these labels by design: each trial makes its own.
            report()
            return blender.propagated(free, refining, kept)

        first = scorer.propagate(graph.affinity, codes)
        tentative = tentative_trials(codes, first, predict, generator)
    told = GraphReport.rank(scorer, weigher.cuts, blends[0], trials)
    return ChosenGraph(graph, told, trials, tentative)


def _check(X: Array, codes: np.ndarray, recipes: list[GraphRecipe], n_neighbors: int) -> None:
    if codes.shape != (X.shape[0],):
        raise ValueError(
            f"codes has shape {codes.shape} but X has {X.shape[0]} samples; give one class number"
            " each, -1 where unlabelled."
        )
    check_count(n_neighbors, X.shape[0] - 1)
    for recipe in recipes:
        recipe.validate()
        if recipe.n_neighbors is not None:
            check_count(recipe.n_neighbors, X.shape[0] - 1)
    if all(recipe.uses_labels for recipe in recipes):
        raise ValueError(
            "recipes (the graph of an estimator) have none that needs no labels (axes='pca'), to"
            " be used when no label can be hidden; add one."
        )


def _enough_trials(scorer: CandidateScorer, enough: int) -> int:
    """Return how many trials to repeat on all samples.

    All; of many samples until `enough` labels were hidden, or every label once.
    """
    if len(scorer.codes) <= _LARGE:
        return len(scorer.splits)
    hidden = np.cumsum([len(hidden) for _, hidden in scorer.splits])
    wanted = min(enough, scorer.n_hidden)
    return min(len(hidden), int(np.searchsorted(hidden, wanted)) + 1)


def _sparse(scorer: CandidateScorer) -> bool:
    """Return whether labels are so few that axes of tentative ones know more of the classes."""
    count = (scorer.codes >= 0).sum()
    return bool(count < _SPARSE * len(scorer.codes) and count < _FEW * scorer.n_classes)


def _shares(
    weigher: Weigher, blender: Blender, kinds: list[set[str] | None], n_trials: int
) -> list[dict[int, float]]:
    """Return the shares of the chosen candidates, with all labels and in each trial.

    Candidates that were compared on part of the samples have a final, in `n_trials` trials, on all
    of them.
    """
    scorer = weigher.scorer
    ways = list(zip((None, *range(len(scorer.splits))), kinds, strict=True))
    if len(scorer.rows) == len(scorer.codes) or not n_trials:
        return [weigher.shares(trial, some) for trial, some in ways]
    finalists = [weigher.finalists(trial, some) for trial, some in ways[: 1 + n_trials]]
    scores = blender.score(sorted(set().union(*finalists)), n_trials)
    shares = []
    for (trial, some), among in zip(ways[: 1 + n_trials], finalists, strict=True):
        own = {i: scores[i] for i in among}
        # The only trial on all samples has no say about itself: the thinned ones stand in.
        alone = trial is not None and n_trials == 1
        shares.append(weigher.shares(trial, some, None if alone else own))
    return shares
