"""Clusterers over a graph that the given labels choose, or may choose."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.utils._param_validation import StrOptions
from sklearn.utils.validation import check_is_fitted

from ..graph import Graph, GraphChoice, GraphRecipe, Propagation
from ..graph._graph_choice import CANDIDATES, graph_choice
from ..labels.encoding import KnownLabels
from ..labels.uncertainty import certainty_of
from ..numerics.types import Array, Seed
from ..storage._open import is_stored
from ..system.parameters import COUNT, POSITIVE, parameter, parameters
from . import diagnosis, label_issues, novelty, reading, results
from .evidence import Evidence
from .label_issues import Witnesses
from .settings import GraphSettings
from .shell import SemiSupervisedClusterer
from .stored_samples import of_blocks

__all__ = ["GRAPHS", "GraphClusterer"]

GRAPHS = [GraphChoice, *CANDIDATES]


# Tables, which `set_output` asks for, are made of data in memory only: by the base's `transform`.
@parameters
class GraphClusterer(SemiSupervisedClusterer, auto_wrap_output_keys=()):  # type: ignore[call-arg]
    """A clusterer with probabilities over a graph that the given labels choose, or may choose.

    A subclass fits, and hands to `_keep` what it found. What can be asked of a fit is a function of
    the fitted model, in a module of its own that explains it; here it becomes a method.

    Parameters
    ----------
    image_shape : tuple (height, width) or (height, width, channels), default=None
        How the features of a row lie in the picture, for graphs that denoise it or follow its
        edges. None: as in X, if that is an array of pictures; else the data are no pictures.
    n_neighbors : int, default=5
        Neighbours of each sample in the graph.
    verbose : bool, default=False
        Print stages on standard error; scikit-learn's callbacks see them in any case.

    Attributes
    ----------
    label_distributions_ : ndarray of shape (n_samples, n_clusters)
        Probability of each class for each sample: memberships calibrated on hidden labels.
    novelty_ : ndarray of shape (n_samples,)
        How likely each sample belongs to no labelled class, from 0 to 1.
    certainty_ : ndarray of shape (n_samples,)
        How likely the cluster of each sample is right: its probability, of a labelled class times
        one minus the novelty.
    linear_weight_ : float
        How much the linear view of the samples weighs, relative to their mean edges; 0 without one.
    stability_ : float or None
        Mean adjusted Rand index with what is found on part of the edges; None with labels.
    outlier_score_ : ndarray of shape (n_samples,)
        How odd each sample is beside its neighbours, as a damaged picture is; about 1 for ordinary
        ones. It does not tell strangers: see ``novelty_``.
    doubted_labels_ : ndarray of int
        The samples whose given labels were set aside as probably wrong.
    """

    label_weight: float = parameter(default=10.0, allowed=POSITIVE)
    class_prior: str | None = parameter(default="labels", allowed=[StrOptions({"labels"}), None])
    check_labels: bool = parameter(default=True, allowed="boolean")
    graph: Any = parameter(default="auto", allowed=GRAPHS)
    image_shape: tuple[int, ...] | None = parameter(default=None, allowed=[tuple, list, None])
    n_neighbors: int = parameter(default=5, allowed=COUNT)
    verbose: bool = parameter(default=False, allowed="verbose")
    random_state: Seed = parameter(default=None, allowed="random_state")

    _takes_any_rows = True

    diagnose = diagnosis.diagnose
    hints = reading.hints
    label_issues = label_issues.label_issues
    near_duplicates = results.near_duplicates
    query = reading.query
    results_frame = results.results_frame

    @property
    def certainty_(self) -> np.ndarray:
        """How likely the cluster of each sample is right."""
        return certainty_of(self, self.labels_, self.label_distributions_, self.novelty_)

    def transform(self, X: Array) -> Array:
        """Return memberships of samples, each computed on its own.

        Parameters
        ----------
        X : array of shape (n_samples, n_features), or of pictures (n_samples, height, width, ...)
            In memory, on disk, or of Dask.

        Returns
        -------
        array of shape (n_samples, n_clusters)
            Of Dask, if X is; of NumPy, if X is on disk, whatever ``set_output`` asks for.
        """
        return of_blocks(self, "transform", X) if is_stored(X) else super().transform(X)

    def predict(self, X: Array, unknown: Any = None) -> Array:
        """Return the class name (an entry of ``classes_``) of each sample.

        Parameters
        ----------
        X : array of shape (n_samples, n_features), or of pictures (n_samples, height, width, ...)
            In memory, on disk, or of Dask.
        unknown : object, default=None
            What to return for samples of no labelled class: those whose :meth:`novelty` is above
            one half, unless their cluster is one without a label. Not the name of a labelled class.
            None: they are not told apart.
        """
        names = of_blocks(self, "predict", X) if is_stored(X) else super().predict(X)
        if unknown is None:
            return names
        return novelty.with_unknown(self, np.asarray(names), self.novelty(X), unknown)

    def novelty(self, X: Array) -> Array:
        """Return how likely each sample belongs to no labelled class, from 0 to 1.

        For the samples of ``fit`` see ``novelty_``.

        Parameters
        ----------
        X : array of shape (n_samples, n_features), or of pictures (n_samples, height, width, ...)
            In memory, on disk, or of Dask.
        """
        if is_stored(X):
            return of_blocks(self, "novelty", X)
        check_is_fitted(self)
        return self._novelty.of_new(self._validate_X(X, reset=False), self.graph_, self.labels_)

    def predict_proba(self, X: Array) -> Array:
        """Return the probability of each class, calibrated on hidden labels.

        Columns follow ``classes_``. For the samples of ``fit`` see ``label_distributions_``: here
        they count as new ones, whose labels are not known.
        """
        if is_stored(X):
            return of_blocks(self, "predict_proba", X)
        check_is_fitted(self)
        return self._calibration.probabilities(super().predict_proba(X))

    def set_params(self, **params: Any) -> Self:
        """Set parameters, of parts too: ``graph__heat_width=2`` makes a GraphChoice of "auto".

        A single recipe has parameters of its own, which go on to be called ``graph__n_neighbors``
        when it is the candidate of such a choice.
        """
        graph, of_choice = params.get("graph", self.graph), GraphChoice._parameter_constraints
        named = {name.split("__")[1] for name in params if name.startswith("graph__")}
        if isinstance(graph, GraphRecipe):
            named &= of_choice.keys()
        if named and not isinstance(graph, GraphChoice):
            graph = GraphChoice(graph)
            params = {**params, "graph": graph}
        if isinstance(graph, GraphChoice) and isinstance(graph.candidates, GraphRecipe):
            of_recipe = {
                f"graph__{name}": f"graph__candidates__{name}"
                for name in graph.candidates.get_params()
                if name.split("__")[0] not in of_choice
            }
            params = {of_recipe.get(name, name): value for name, value in params.items()}
        return super().set_params(**params)

    def _graph_settings(self) -> GraphSettings:
        """Return all that the graph depends on; the data have been read."""
        choice = graph_choice(self.graph)
        return GraphSettings(
            choice.candidates,
            choice.edges(self.n_neighbors),
            Propagation(self.label_weight, self.class_prior),
            self.image_shape_,
            self.check_labels,
        )

    def _keep(
        self,
        known: KnownLabels,
        evidence: Evidence,
        graph: Graph,
        A: Any,
        prototypes: Any,
        found: reading.Reading,
    ) -> None:
        """Set what a fit has found: the graph, what is known of labels, memberships, readings."""
        self.graph_, self.graph_report_ = graph, evidence.report
        self.graph_summary_ = graph.summary(known.codes)
        self.linear_weight_ = evidence.propagation.view_weight
        self.doubted_labels_ = np.flatnonzero(known.codes != known.given)
        self._witnesses = Witnesses.of(evidence)
        self._keep_memberships(A, prototypes, known)
        reading.keep_reading(self, found)

    def _html_repr(self) -> str:
        """Return what a notebook shows: scikit-learn's diagram, and the clusters of a fit."""
        diagram = super()._html_repr()
        if not self.__sklearn_is_fitted__():
            return diagram
        from ..displays._summary import summary_html

        return diagram + summary_html(self)
