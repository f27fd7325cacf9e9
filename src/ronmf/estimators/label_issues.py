"""Which given labels to look at again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ..graph import Graph, LabelEdgeGraph
from ..labels.calibration import Calibration
from ..labels.hidden_labels import judged_labels
from ..labels.judging import judge_labels, suspicion_order
from ..labels.label_issues import LabelIssues
from ..numerics.threads import with_own_threads
from .diagnosis import DiagnosisMixin
from .evidence import Evidence, predictor

__all__ = ["LabelIssuesMixin", "Witnesses"]


@dataclass(frozen=True, eq=False)
class Witnesses:
    """What is kept of a fit to judge its labels: what trials predicted of some.

    With the parameters of that fit, since they may be set anew.
    """

    tried: tuple[np.ndarray, np.ndarray, np.ndarray]
    label_weight: float
    class_prior: str | None


class LabelIssuesMixin(DiagnosisMixin):
    """For clusterers with probabilities over a graph: `label_issues`."""

    label_weight: float
    class_prior: str | None
    _calibration: Calibration
    _witnesses: Witnesses

    def _keep_evidence(self, evidence: Evidence, graph: Graph, codes: np.ndarray) -> None:
        super()._keep_evidence(evidence, graph, codes)
        tried = judged_labels(evidence.trials or [])
        self._witnesses = Witnesses(tried, self.label_weight, self.class_prior)

    @with_own_threads
    def label_issues(self) -> LabelIssues:
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
        check_is_fitted(self)
        kept, graph = self._witnesses, self.graph_
        if isinstance(graph, LabelEdgeGraph):  # its edges know the labels
            graph = graph.base
        given = self._given_codes
        n_classes = int(given.max()) + 1
        samples, predictions = judge_labels(
            given,
            self._trusted_codes,
            predictor(graph, np.empty((0, 0)), n_classes, kept.label_weight, kept.class_prior),
            kept.tried,
            np.random.RandomState(0),
        )
        order = suspicion_order(predictions, given[samples])
        samples, predictions = samples[order], predictions[order]
        P, labels = self._calibration.probabilities(predictions), given[samples]
        return LabelIssues(
            samples,
            self.classes_[labels],
            self.classes_[predictions.argmax(axis=1)],
            P[np.arange(len(samples)), labels],
            np.isin(samples, self.doubted_labels_),
            P,
            np.setdiff1d(np.flatnonzero(given >= 0), samples),
        )
