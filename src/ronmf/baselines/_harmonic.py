"""Label propagation on a sparse neighbour graph: what RONMF must beat."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from array_api_compat import array_namespace
from sklearn.base import _fit_context
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import StrOptions

from ..estimators.diagnosis import warn_of_troubles
from ..estimators.graph_clusterer import GRAPHS, GraphClusterer
from ..estimators.graph_search import GraphSearch, evidence_stages
from ..estimators.progress import FitProgress
from ..estimators.reading import Reading
from ..graph import LabelEdgeGraph
from ..graph._anchors import seed_clusters
from ..graph._graph_choice import graph_choice
from ..graph._matrix import component_labels
from ..graph._operator import GraphOperator
from ..labels.class_prior import apply_class_prior
from ..labels.encoding import encode_labels
from ..numerics.arrays import from_numpy, linked_sums, to_numpy, weighted_means
from ..numerics.threads import own_threads
from ..numerics.types import Affinity, Array, Labels
from ..system.parameters import parameter, parameters

__all__ = ["HarmonicLabelPropagation"]


@parameters
class HarmonicLabelPropagation(GraphClusterer):
    r"""Harmonic label propagation on a sparse, self-tuned neighbour graph.

    Memberships A minimise :math:`\mathrm{tr}(A'LA) + \mu\,\mathrm{tr}((A-Y)'S(A-Y))` [1]_, where L
    is the graph's Laplacian, Y the known labels and S marks the labelled samples: the graph and
    label terms of :class:`~ronmf.RONMF` without any data term, and the start of its iteration. A
    sample that no label reaches gets equal memberships (and the first class as its label).

    Parameters
    ----------
    n_clusters : int, default=None
        Number of clusters. None: as many as there are labelled classes. More than that: the
        others are discovered, as in RONMF.
    label_weight : float, default=10
        μ relative to the mean degree; large values clamp the labels.
    class_prior : {"labels", None}, default=None
        "labels" scales classes towards the sizes that numbers of labels suggest, as in RONMF.
    check_labels : bool, default=False
        Whether given labels that the others confidently contradict are set aside, as in RONMF.
    graph : str, GraphRecipe, list of GraphRecipe or GraphChoice, default="plain"
        "plain" is the neighbour graph of X as it is, "auto" one chosen by hidden labels, as in
        RONMF, "precomputed" the one passed to ``fit``; an object also sets its edge weights.
    image_shape : tuple (height, width) or (height, width, channels), default=None
        How the features of a row lie in the picture, for graphs that are chosen.
    verbose : bool, default=False
        Print stages on standard error.
    random_state : int, RandomState or None, default=None
        Seed of hidden labels and of the discovery of clusters nobody labelled.

    Attributes
    ----------
    classes_ : ndarray of shape (n_clusters,)
        Names: the labelled classes in sorted order, then the discovered clusters.
    membership_ : array of shape (n_samples, n_clusters)
        A; every row sums to one.
    prototypes_ : array of shape (n_clusters, n_features)
        Mean of the samples, weighted by membership.
    graph_ : Graph
        The graph.
    graph_report_ : GraphReport or None
        Why it was chosen; None for a plain or given graph.
    graph_summary_ : dict
        Edges, degrees, connected components, and how many of them no label reaches.

    References
    ----------
    .. [1] X. Zhu, Z. Ghahramani and J. Lafferty. Semi-supervised learning using Gaussian fields and
       harmonic functions. ICML 2003.

    Examples
    --------
    >>> import numpy as np
    >>> from ronmf.baselines import HarmonicLabelPropagation
    >>> X = np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]])
    >>> model = HarmonicLabelPropagation(n_neighbors=2)
    >>> model.fit(X, ["near", -1, -1, -1, -1, "far"]).transduction_.tolist()
    ['near', 'near', 'near', 'far', 'far', 'far']
    """

    class_prior: str | None = parameter(default=None, allowed=[StrOptions({"labels"}), None])
    check_labels: bool = parameter(default=False, allowed="boolean")
    graph: Any = parameter(default="plain", allowed=GRAPHS)

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Array, y: Labels = None, *, affinity: Affinity | None = None) -> Self:
        """Propagate the labels over the graph of `X`.

        Parameters
        ----------
        X : array of shape (n_samples, n_features), or of pictures (n_samples, height, width, ...)
            Of any array API library, or sparse.
        y : array-like of shape (n_samples,), default=None
            Class names of any type; -1, None or NaN marks unlabelled samples.
        affinity : array or sparse matrix of shape (n_samples, n_samples), default=None
            Symmetric non-negative weights, with ``graph="precomputed"`` only.

        Returns
        -------
        HarmonicLabelPropagation
            The fitted estimator.
        """
        with (
            self._nothing_half_written(),
            own_threads(),
            FitProgress(self, n_stages=2 + evidence_stages(self.check_labels)) as progress,
        ):
            with progress.stage("reading", "pass", 1) as stage:
                X = self._validate_X(X, reset=True)
                stage()
            known = encode_labels(y, X.shape[0], self.n_clusters)
            n_clusters, settings = len(known.classes), self._graph_settings()
            rng = check_random_state(self.random_state)
            search = GraphSearch(X, known.codes, n_clusters, settings, affinity, rng, progress)
            evidence = search.evidence()
            known = known.trusting(evidence.trusted(known.codes))
            graph = evidence.graph
            if graph_choice(self.graph).label_edges:
                graph = LabelEdgeGraph.edit(graph, known.codes)
            W = graph.affinity
            if W.nnz:
                W = W / W.max()  # only ratios matter, and these cannot overflow
            with progress.stage("propagation", "step", 1) as stage:
                anchors = seed_clusters(W, known.codes, n_clusters, rng)
                operator, weight = GraphOperator.build(W, X), evidence.propagation.view_weight
                seen = evidence.propagation.seen(operator, known.codes, n_clusters)
                view = None if seen is None else (seen[1], weight)
                A = operator.propagate(anchors, n_clusters, self.label_weight, view=view)
                component = component_labels(W)
                unreached = ~np.isin(component, component[anchors >= 0]) & (seen is None)
                # Exactly equal: otherwise rounding would choose a class.
                xp = array_namespace(X)
                A = xp.where(from_numpy(unreached, X, dtype=xp.bool)[:, None], 1 / n_clusters, A)
                if (prior := evidence.propagation.class_prior) is not None:
                    A = from_numpy(apply_class_prior(to_numpy(A), known.codes, prior), X)
                means = weighted_means(A, X)
                reading = Reading.take(X, A, A, means.T, evidence, known)
                stage()
            self._linear_rule = None if seen is None else seen[0]
            scale = operator.mean_degree * float(graph.affinity.max() if graph.affinity.nnz else 1)
            self._view_weight = weight * scale  # beside edges of new samples
            self._keep(known, evidence, graph, A, self._in_columns_of_X(means), reading)
        warn_of_troubles(self)
        return self

    def _represent(self, X: Any) -> Any:
        """Return the mean of the linked training samples, weighted by the edges: harmonic again."""
        indices, weights = self.graph_.link(X)
        if not indices.shape[1]:
            raise ValueError(
                "graph='precomputed' says nothing of new samples; use transduction_, or build"
                " the graph from X to predict."
            )
        own = 0.0 if self._linear_rule is None else self._view_weight
        total = np.sum(weights, axis=1, keepdims=True) + own
        A = linked_sums(self.membership_, indices, from_numpy(weights / total, X))
        if self._linear_rule is None:
            return A
        return A + from_numpy(own / total * self._linear_rule.probabilities(X), X)
