"""What the choice of a graph saw and decided."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ...labels.hidden_labels import Trial
from .._consensus_graph import GraphPart
from .._recipe import GraphRecipe
from .scoring import CandidateScorer

__all__ = ["Candidate", "GraphReport"]


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
    share : float
        Share in the consensus, 0 if it was not chosen.
    """

    recipe: GraphRecipe
    score: float = float("nan")
    accuracy: float = float("nan")
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
    reason : str
        One sentence.
    """

    candidates: tuple[Candidate, ...]
    n_hidden: int
    n_samples: int
    reason: str

    @classmethod
    def rank(
        cls,
        scorer: CandidateScorer,
        shares: dict[int, float],
        parts: list[GraphPart],
        trials: list[Trial],
    ) -> GraphReport:
        """Rank candidates by their part in the graph, then by their scores."""
        sizes, candidates = scorer.trial_sizes, []
        for i, scored in enumerate(scorer.scored):
            score = accuracy = float("nan")
            if scorer.splits:
                score = float(np.average(scored.scores, weights=sizes))
                accuracy = float(np.average(scored.accuracies, weights=sizes))
            candidates.append(Candidate(scored.recipe, score, accuracy, 0.0))
        own = {part.recipe.key: part.share for part in parts}
        ranked = [replace(c, share=own.pop(c.recipe.key, 0.0)) for c in candidates]
        ranked += [Candidate(p.recipe, share=p.share) for p in parts if p.recipe.key in own]
        n_hidden = scorer.n_hidden
        if n_hidden:
            ranked.sort(key=lambda c: (-c.share, -c.score))
            reason = (
                f"{n_hidden} given labels were hidden in turn and predicted on {len(scorer.rows)} samples;"
                f" the graph blends the {len(shares)} best of {len(candidates)} candidates."
            )
        else:
            ranked.sort(key=lambda c: -c.share)
            reason = (
                "no label could be hidden (that takes two classes and two labels of one), so the"
                " preferred candidate is used."
            )
        return cls(tuple(ranked), n_hidden, len(scorer.rows), reason)

    def __str__(self) -> str:
        lines = [self.reason, f"{'share':>6} {'score':>7} {'accuracy':>8}  candidate"]
        lines += [
            f"{c.share:6.2f} {c.score:7.3f} {c.accuracy:8.3f}  {c.recipe}" for c in self.candidates
        ]
        return "\n".join(lines)
