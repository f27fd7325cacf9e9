"""What the choice of a graph saw and decided."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...labels.hidden_labels import Trial
from .._consensus_graph import ConsensusGraph
from .._recipe import GraphRecipe
from .contest import Contest

__all__ = ["Candidate", "GraphReport"]


_UNKNOWN = float("nan")


@dataclass(frozen=True)
class Candidate:
    """A recipe, how well its graph predicted hidden labels, and its share in the graph.

    Attributes
    ----------
    recipe : GraphRecipe
        How to make the graph.
    score : float
        Mean logarithm of the probability that label propagation gave to the true class of a
        hidden label, averaged over folds; 0 is perfect. NaN where no label could be hidden.
    accuracy : float
        Share of hidden labels that were predicted, averaged over folds. NaN where none could be
        hidden.
    share : float
        Share in the blend, 0 if it was not chosen.
    """

    recipe: GraphRecipe
    score: float = _UNKNOWN
    accuracy: float = _UNKNOWN
    share: float = 0.0


@dataclass(frozen=True)
class GraphReport:
    """Why a graph was chosen; ``print`` it.

    Attributes
    ----------
    candidates : tuple of Candidate
        Best first.
    n_hidden : int
        Given labels of these samples that were hidden in turn.
    n_samples : int
        Samples on which candidates were compared.
    accuracy : float
        Share of hidden labels that a blend predicted on all samples, chosen without the labels in
        question. NaN where none could be hidden.
    reason : str
        Why these, in a sentence or two.
    """

    candidates: tuple[Candidate, ...]
    n_hidden: int
    n_samples: int
    accuracy: float
    reason: str

    @classmethod
    def rank(cls, contest: Contest, graph: ConsensusGraph, trials: list[Trial]) -> GraphReport:
        """Rank candidates by their part in the blend, then by their scores."""
        shares: dict[tuple, float] = {}
        for part in graph.parts:  # a recipe may be there twice, with axes of two guesses
            shares[part.recipe.key] = shares.get(part.recipe.key, 0.0) + part.share
        ranked = []
        for recipe in contest.recipes:
            judged, share = contest.judged.get(recipe), shares.get(recipe.key, 0.0)
            score = accuracy = _UNKNOWN
            if judged is not None and contest.n_hidden:
                score, accuracy = float(judged.scores.mean()), float(judged.accuracies.mean())
            if judged is not None or share:
                ranked.append(Candidate(recipe, score, accuracy, share))
        ranked.sort(key=lambda c: (-c.share, -np.nan_to_num(c.score, nan=-np.inf)))
        right = [trial.predictions.argmax(axis=1) == trial.truth for trial in trials]
        accuracy = float(np.concatenate(right).mean()) if right else _UNKNOWN
        reason = f"the graph blends {len(shares)} of {len(ranked)} candidates"
        if contest.n_hidden:
            reason = (
                f"{contest.n_judging} given labels were hidden in turn and predicted on"
                f" {len(contest.rows)} samples; {reason}. Such a blend predicted {accuracy:.3f} of"
                f" hidden labels on all {len(contest.codes)} samples."
            )
        else:
            reason = f"no label could be hidden; {reason} by what is known without them."
        return cls(tuple(ranked), contest.n_judging, len(contest.rows), accuracy, reason)

    def __str__(self) -> str:
        lines = [self.reason, f"{'share':>6} {'score':>7} {'accuracy':>8}  candidate"]
        for c in self.candidates:
            numbers = f"{c.share:6.2f} {c.score:7.3f} {c.accuracy:8.3f}".replace("nan", "  -")
            lines.append(f"{numbers}  {c.recipe}")
        return "\n".join(lines)
