"""What the choice of a graph saw and decided."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...labels.hidden_labels import Trial
from .._consensus_graph import GraphPart
from .._recipe import GraphRecipe
from .scoring import CandidateScorer

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
        hidden label; 0 is perfect. NaN where no label could be hidden.
    accuracy : float
        Share of hidden labels that were predicted. NaN where none could be hidden.
    cut : float
        Normalised cut of the graph into as many clusters as were asked for: the mean share of a
        cluster's edges that leave it. NaN where labels told enough.
    share : float
        Share in the blend, 0 if it was not chosen.
    """

    recipe: GraphRecipe
    score: float = _UNKNOWN
    accuracy: float = _UNKNOWN
    cut: float = _UNKNOWN
    share: float = 0.0


@dataclass(frozen=True)
class GraphReport:
    """Why a graph was chosen; ``print`` it.

    Attributes
    ----------
    candidates : tuple of Candidate
        Best first.
    n_hidden : int
        Given labels that were hidden in turn.
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
    def rank(
        cls,
        scorer: CandidateScorer,
        cuts: dict[int, float],
        parts: list[GraphPart],
        trials: list[Trial],
    ) -> GraphReport:
        """Rank candidates by their part in the blend, then by their scores."""
        shares: dict[tuple, float] = {}
        for part in parts:  # a recipe may be there twice: with axes of a first and a second guess
            shares[part.recipe.key] = shares.get(part.recipe.key, 0.0) + part.share
        n_used, candidates = len(shares), []
        for i, scored in enumerate(scorer.scored):
            told = {"cut": cuts.get(i, _UNKNOWN), "share": shares.pop(scored.recipe.key, 0.0)}
            if scorer.splits:
                told["score"] = float(np.average(scored.scores, weights=scorer.trial_sizes))
                told["accuracy"] = float(np.average(scored.accuracies, weights=scorer.trial_sizes))
            candidates.append(Candidate(scored.recipe, **told))
        unscored = {part.recipe.key: part.recipe for part in parts if part.recipe.key in shares}
        candidates += [Candidate(unscored[key], share=shares[key]) for key in unscored]
        right = [t.predictions.argmax(axis=1) == t.truth for t in trials]
        accuracy = float(np.concatenate(right).mean()) if right else _UNKNOWN
        return cls(
            tuple(sorted(candidates, key=_rank)),
            scorer.n_hidden,
            len(scorer.rows),
            accuracy,
            _reason(scorer, len(candidates), n_used, bool(cuts), accuracy),
        )

    def __str__(self) -> str:
        lines = [self.reason, f"{'share':>6} {'score':>7} {'accuracy':>8} {'cut':>6}  candidate"]
        for c in self.candidates:
            numbers = (f"{c.share:6.2f}", f"{c.score:7.3f}", f"{c.accuracy:8.3f}", f"{c.cut:6.3f}")
            lines.append(" ".join(numbers).replace("nan", "  -") + f"  {c.recipe}")
        return "\n".join(lines)


def _rank(candidate: Candidate) -> tuple[float, float, float]:
    """Order by share, then by score, then by cut; what is unknown comes last."""
    score, cut = (np.nan_to_num(x, nan=np.inf) for x in (-candidate.score, candidate.cut))
    return -candidate.share, float(score), float(cut)


def _reason(
    scorer: CandidateScorer, n_candidates: int, n_parts: int, cuts: bool, accuracy: float
) -> str:
    """Say what decided."""
    among = f"the graph blends {n_parts} of {n_candidates} candidates"
    if not scorer.n_hidden:
        tilt = (
            ": how clearly each graph falls into clusters tilts what is preferred" if cuts else ""
        )
        return (
            "no label could be hidden (that takes two classes and two labels of one)"
            f"{tilt}; {among}."
        )
    also = ", and how clearly each graph falls into clusters had a say" if cuts else ""
    return (
        f"{scorer.n_hidden} given labels were hidden in turn and predicted on {len(scorer.rows)}"
        f" samples{also}; {among}. Such a blend predicted {accuracy:.3f} of hidden labels on all"
        f" {len(scorer.codes)} samples."
    )
