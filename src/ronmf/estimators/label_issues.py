"""Which given labels to look at again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ..graph import LabelEdgeGraph, Propagation
from ..labels.class_prior import normalize_rows
from ..labels.hidden_labels import judged_labels
from ..labels.judging import judge_labels, suspicion_order
from ..labels.label_issues import LabelIssues
from ..numerics.threads import with_own_threads
from .evidence import Evidence, predictor, unit_operator

if TYPE_CHECKING:
    from .graph_clusterer import GraphClusterer

__all__ = ["Witnesses", "label_issues"]


@dataclass(frozen=True, eq=False)
class Witnesses:
    """What is kept of a fit to judge its labels: what trials predicted of some.

    With the parameters of that fit, since they may be set anew.
    """

    tried: tuple[np.ndarray, np.ndarray, np.ndarray]
    label_weight: float
    class_prior: str | None

    @classmethod
    def of(cls, evidence: Evidence) -> Witnesses:
        """Keep what trials predicted of the labelled classes, each hidden label once."""
        how = evidence.propagation
        samples, P, truth = judged_labels(evidence.trials or [])
        n_named = 1 + max((int(trial.kept.max()) for trial in evidence.trials or []), default=-1)
        P = normalize_rows(P[:, :n_named]) if len(P) else P
        return cls((samples, P, truth), how.label_weight, how.class_prior)


@with_own_threads
def label_issues(model: GraphClusterer) -> LabelIssues:
    """Rank the given labels by how little the other labels support them.

    Every label is judged by predictions that were made while it was hidden, so it never has a
    vote on itself, and a label that was set aside has none on others either. Compare this with
    ``transduction_`` and ``label_distributions_``, in which a given label has its say: they
    agree with most labels, right or wrong.

    Returns
    -------
    LabelIssues
        ``samples`` has the most suspicious ones first. A class's only label is left out, since
        there would be no such class without it; ``unjudged`` has these.

    Notes
    -----
    Predictions come from the hidden labels of ``fit`` where it has them, averaged with those
    from hiding labels on ``graph_``. Where labels chose that graph, all trusted ones shaped its
    axes together, and each has this small part in its own judgement; of more than 1000 samples,
    some labels have no other judge. No given label has any part in a plain or precomputed
    graph.

    Examples
    --------
    >>> import numpy as np
    >>> from ronmf import HarmonicLabelPropagation
    >>> rng = np.random.default_rng(0)
    >>> X = 8 * np.repeat(np.eye(2), 30, axis=0) + rng.random((60, 2))
    >>> y = np.where(np.arange(60) % 5 == 0, np.arange(60) // 30, -1)
    >>> y[10] = 1  # a wrong label
    >>> print(HarmonicLabelPropagation(random_state=0).fit(X, y).label_issues())
    12 given labels, the most suspicious first.
    sample  given  suggested  quality
    10      1      0            0.036
    ...
    """
    check_is_fitted(model)
    kept, graph = model._witnesses, model.graph_
    if isinstance(graph, LabelEdgeGraph):  # its edges know the labels
        graph = graph.base
    given = model._known.given
    n_classes = int(given.max()) + 1
    propagation = Propagation(kept.label_weight, kept.class_prior)
    samples, predictions = judge_labels(
        given,
        model._known.codes,
        predictor(unit_operator(graph, np.empty((0, 0))), n_classes, propagation),
        kept.tried,
        np.random.RandomState(0),
    )
    order = suspicion_order(predictions, given[samples])
    samples, predictions = samples[order], predictions[order]
    P, labels = model._calibration.probabilities(predictions), given[samples]
    return LabelIssues(
        samples,
        model.classes_[labels],
        model.classes_[predictions.argmax(axis=1)],
        P[np.arange(len(samples)), labels],
        np.isin(samples, model.doubted_labels_),
        P,
        np.setdiff1d(np.flatnonzero(given >= 0), samples),
    )
