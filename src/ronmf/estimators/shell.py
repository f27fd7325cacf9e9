"""The estimator shell: input, tags, names, scores, new samples. Mathematics lives elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    ClusterMixin,
    TransformerMixin,
)
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import ClassifierTags
from sklearn.utils.validation import check_is_fitted

from ..labels.class_prior import normalize_rows
from ..labels.encoding import KnownLabels, read_labels
from ..metrics import best_match
from ..numerics.arrays import is_foreign, to_numpy
from ..numerics.pictures import flatten_pictures
from ..numerics.signs import join_signs
from ..numerics.types import Array, Labels
from ..system.parameters import COUNT, is_a_truth, parameter, parameters
from ..system.user_warnings import warn_user
from .input import check_X, refuse_other_kinds, to_library_of
from .progress import CallbackSupportMixin
from .projection import Projection

__all__ = ["SemiSupervisedClusterer"]

# What validation writes before the fit is done
_WRITTEN_EARLY = ("n_features_in_", "feature_names_in_", "image_shape_", "_projection")


@parameters
class SemiSupervisedClusterer(
    CallbackSupportMixin,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
    ClusterMixin,
    BaseEstimator,
):
    """A clusterer of rows that may be given some labels.

    A subclass defines ``fit`` and ``_represent``: non-negative numbers for each sample, computed on
    its own. It sets ``classes_`` and ``prototypes_``, the samples that unit rows stand for; there
    is one to a cluster, and these numbers are memberships, unless it overrides `_dictionary` and
    `predict`.

    Parameters
    ----------
    n_clusters : int, default=None
        Number of clusters. None: as many as there are labelled classes.

    Attributes
    ----------
    labels_ : ndarray of int, shape (n_samples,)
        Cluster number of each sample, an index into ``classes_``.
    transduction_ : ndarray of shape (n_samples,)
        Class name of each sample.
    classes_ : ndarray of shape (n_clusters,)
        Names: the labelled classes in sorted order, then those of further clusters.
    n_features_in_ : int
        Number of features.
    """

    n_clusters: Any = parameter(default=None, allowed=[COUNT, None], kw_only=False)

    _takes_any_rows = False  # rows with negative values, and sparse ones
    _projection = None  # type: Projection | None

    def _validate_params(self) -> None:
        """Refuse what the constraints do, and True where a number is meant: Python calls it 1."""
        super()._validate_params()
        for name, value in self.get_params(deep=False).items():
            if is_a_truth(value, self._parameter_constraints[name]):
                raise ValueError(f"{name}={value} is a boolean where a number is meant; give one.")
            if hasattr(value, "validate"):  # a penalty, a recipe, a solver: they know their own
                value.validate()

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "classes_")

    def fit_predict(self, X: Array, y: Labels = None, **fit_params: Any) -> np.ndarray:
        """Fit, honouring the labels in `y`, and return ``transduction_``.

        Like `predict` it returns class names, since names are what `y` is given in: where classes
        are 0, 1, 2, ... or nothing is labelled, they are the cluster numbers of ``labels_``.
        """
        return self.fit(X, y, **fit_params).transduction_

    def fit_transform(self, X: Array, y: Labels = None, **fit_params: Any) -> Array:
        """Fit, honouring the labels in `y`, and return ``transform(X)``."""
        return self.fit(X, y, **fit_params).transform(X)

    def transform(self, X: Array) -> Array:
        """Return the non-negative representation of samples, each computed on its own.

        It has memberships (one column per cluster) where the estimator has memberships, and
        coefficients (one column per component) where it has coefficients.

        Parameters
        ----------
        X : array of shape (n_samples, n_features), or of pictures (n_samples, height, width, ...)

        Returns
        -------
        array of shape (n_samples, n_clusters) or (n_samples, n_components)
        """
        check_is_fitted(self)
        return self._represent(self._validate_X(X, reset=False))

    def inverse_transform(self, X: Array) -> Array:
        """Return the samples that the model makes of rows such as ``transform`` returns."""
        check_is_fitted(self)
        X = to_library_of(self._dictionary, X if is_foreign(X) else np.asarray(X))
        if X.ndim != 2 or X.shape[1] != self._dictionary.shape[0]:
            raise ValueError(
                f"X has shape {tuple(X.shape)}; inverse_transform needs one row of"
                f" {self._dictionary.shape[0]} numbers for each sample."
            )
        return X @ self._dictionary

    def predict_proba(self, X: Array) -> np.ndarray:
        """Return memberships scaled to sum to one; columns follow ``classes_``.

        In the row of a sample that nothing speaks for, all classes are equal.
        """
        return normalize_rows(to_numpy(self.transform(X)))

    def predict(self, X: Array) -> np.ndarray:
        """Return the class name (an entry of ``classes_``) of each sample."""
        check_is_fitted(self)
        return self.classes_[self._clusters_of(to_numpy(self.transform(X)))]

    def score(self, X: Array, y: Labels) -> float:
        """Return the share of labelled samples in `y` that `predict` names as `y` does.

        Clusters found without any label have no names of their own. They are matched with those
        classes of `y` that no label named, one to one, so that most samples are right.

        Parameters
        ----------
        X : array of shape (n_samples, n_features), or of pictures
            Samples, treated as new ones.
        y : array-like of shape (n_samples,)
            Their classes; unlabelled ones (-1, None, NaN) are left out.

        Returns
        -------
        float
            Accuracy, from 0 to 1.
        """
        found = np.asarray(self.predict(X))  # of a Dask array, they are made now
        names, codes = read_labels(y, len(found))
        given = codes >= 0
        if not given.any():
            raise ValueError("y has no labelled sample to score; give classes of some samples.")
        truth, found = names[codes[given]], found[given]
        named = self.classes_[: self._known.n_named]
        right = found == truth
        unnamed = ~np.isin(found, named) & ~np.isin(truth, named)
        if unnamed.any():
            classes, clusters = (
                np.unique(each[unnamed], return_inverse=True)[1] for each in (truth, found)
            )
            right[unnamed] = best_match(classes, clusters) == classes
        elif not np.isin(truth, self.classes_).any():
            raise ValueError(
                f"y has the classes {names.tolist()}, none of which is in classes_"
                f" {self.classes_.tolist()}; give labels of the kind that were fitted."
            )
        return float(right.mean())

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Return the names of the columns of `transform`: those of classes carry the class.

        Parameters
        ----------
        input_features : ignored
        """
        check_is_fitted(self)
        if not hasattr(self, "prototypes_"):  # columns are components
            return super().get_feature_names_out(input_features)
        prefix = type(self).__name__.lower()
        return np.array([f"{prefix}_{name}" for name in self.classes_], dtype=object)

    @contextmanager
    def _nothing_half_written(self) -> Iterator[None]:
        """Undo what validation writes if the fit then fails: an earlier fit stays usable."""
        before = {name: getattr(self, name) for name in _WRITTEN_EARLY if hasattr(self, name)}
        try:
            yield
        except BaseException:
            for name in _WRITTEN_EARLY:
                self.__dict__.pop(name, None)
            self.__dict__.update(before)
            raise

    def _validate_X(self, X: Any, *, reset: bool) -> Any:
        """Check rows or pictures; return rows, in the library and on the device of the fit."""
        given = getattr(self, "image_shape", None) if reset else getattr(self, "image_shape_", None)
        refuse_other_kinds(X, type(self).__name__)
        X, shape = flatten_pictures(X, given, type(self).__name__)
        X = check_X(self, X, None if reset else self._dictionary, pictures=shape is not None)
        if reset:
            self.image_shape_ = shape
            self._projection = Projection.of(X) if issparse(X) else None
        if self._projection is not None:
            X = self._projection.rows(X)
        elif issparse(X):
            X = X.toarray()
        else:
            return X
        return X if reset else to_library_of(self._dictionary, X)

    def _in_columns_of_X(self, rows: Any) -> Any:
        """Return rows that stand for samples, or for parts of them, in the columns of X."""
        rows = join_signs(rows, self._n_columns)
        return rows if self._projection is None else self._projection.columns(rows)

    @property
    def _n_columns(self) -> int:
        """The number of columns that the work is done in."""
        return self.n_features_in_ if self._projection is None else self._projection.axes.shape[1]

    def _warn_unless_converged(self, max_iter: int, advice: str) -> None:
        """Warn, once all of a fit is kept, that it used up its iterations."""
        if self.n_iter_ == max_iter and not self.converged_:
            warn_user(
                f"{type(self).__name__} {self.stop_reason_}; see history_, and {advice}.",
                ConvergenceWarning,
            )

    def _keep_memberships(self, A: Any, prototypes: Any, known: KnownLabels) -> None:
        """Set what memberships decide."""
        self.membership_, self.prototypes_ = A, prototypes
        self._keep_labels(self._clusters_of(to_numpy(A)), known)

    def _clusters_of(self, A: np.ndarray) -> np.ndarray:
        """Return cluster numbers: each sample belongs where its membership is largest."""
        return A.argmax(axis=1)

    def _keep_labels(self, labels: np.ndarray, known: KnownLabels) -> None:
        self.classes_, self.labels_ = known.classes, labels
        self.transduction_ = known.classes[labels]
        self._known = known

    @property
    def _dictionary(self) -> Any:
        """One row of features for every column of the representation."""
        return self.prototypes_

    @property
    def _n_features_out(self) -> int:
        return self._dictionary.shape[0]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = not self._takes_any_rows
        tags.input_tags.sparse = self._takes_any_rows
        tags.input_tags.three_d_array = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        tags.classifier_tags = ClassifierTags()  # scikit-learn asks who has predict_proba for them
        return tags
