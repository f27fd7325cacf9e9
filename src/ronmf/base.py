"""The estimator shell: validation, tags, labels, new samples. Mathematics lives elsewhere."""

from typing import Any

import numpy as np
from array_api_compat import array_namespace, is_array_api_obj, is_numpy_array
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    ClusterMixin,
    TransformerMixin,
)
from sklearn.utils.validation import check_is_fitted, validate_data

from .arrays import from_numpy, to_numpy
from .progress import CallbackSupportMixin

__all__ = ["SemiSupervisedClusterer"]


class SemiSupervisedClusterer(
    CallbackSupportMixin,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
    ClusterMixin,
    BaseEstimator,
):
    """A clusterer of non-negative data that may be given some labels.

    A subclass defines ``fit`` and ``_memberships`` (n x n_clusters, non-negative, each row
    computed on its own); it sets ``classes_``, ``membership_`` and ``prototypes_``.
    """

    def fit_predict(self, X: Any, y: Any = None, **fit_params: Any) -> np.ndarray:
        """Fit, honouring the labels in `y`, and return the cluster number of every sample."""
        return self.fit(X, y, **fit_params).labels_

    def fit_transform(self, X: Any, y: Any = None, **fit_params: Any) -> Any:
        """Fit, honouring the labels in `y`, and return ``transform(X)``."""
        return self.fit(X, y, **fit_params).transform(X)

    def transform(self, X: Any) -> Any:
        """Return the non-negative memberships of samples, each computed on its own.

        Parameters
        ----------
        X : array of shape (n_samples, n_features)

        Returns
        -------
        array of shape (n_samples, n_clusters)
        """
        check_is_fitted(self)
        return self._memberships(self._validate_X(X, reset=False))

    def inverse_transform(self, X: Any) -> Any:
        """Return the samples that the model makes of memberships (n_samples x n_clusters)."""
        check_is_fitted(self)
        if not _foreign(X):
            X = np.asarray(X, dtype=to_numpy(self.prototypes_).dtype)
        if X.ndim != 2 or X.shape[1] != self.prototypes_.shape[0]:
            raise ValueError(
                f"X has shape {tuple(X.shape)}; inverse_transform needs one row of"
                f" {self.prototypes_.shape[0]} memberships for each sample."
            )
        return X @ self.prototypes_

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return memberships scaled to sum to one; columns follow ``classes_``.

        A sample that nothing speaks for gets equal shares.
        """
        return _shares(to_numpy(self.transform(X)))

    def predict(self, X: Any) -> np.ndarray:
        """Return the class name (an entry of ``classes_``) of each sample."""
        check_is_fitted(self)
        return self.classes_[to_numpy(self.transform(X)).argmax(axis=1)]

    def _validate_X(self, X: Any, *, reset: bool) -> Any:
        """Check data. Arrays of another library than NumPy stay in it and on their device.

        Queries are brought to the library, dtype and device of the fit.
        """
        if not reset and _foreign(X) != _foreign(self.prototypes_):
            X = from_numpy(to_numpy(X), self.prototypes_)
        if _foreign(X):
            X = _check_foreign(self, X, reset=reset)
        else:
            X = validate_data(
                self,
                X,
                reset=reset,
                dtype=[np.float64, np.float32],
                ensure_min_samples=2 if reset else 1,
                order="C",
            )
        xp = array_namespace(X)
        if bool(xp.any(X < 0)):
            raise ValueError(
                f"Negative values in data passed to {type(self).__name__}: X must be non-negative,"
                " as pixel values are; shift or rescale it first."
            )
        return X

    @property
    def _n_features_out(self) -> int:
        return self.prototypes_.shape[0]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def _foreign(X: Any) -> bool:
    """Whether X is an array of an array API library other than NumPy."""
    return is_array_api_obj(X) and not is_numpy_array(X)


def _check_foreign(estimator: Any, X: Any, *, reset: bool) -> Any:
    xp = array_namespace(X)
    name = type(estimator).__name__
    if X.ndim != 2:
        raise ValueError(f"X has {X.ndim} dimensions; {name} needs samples x features.")
    if X.dtype not in (xp.float32, xp.float64):
        X = xp.astype(X, xp.float64)
    if not bool(xp.all(xp.isfinite(X))):
        raise ValueError(f"X contains NaN or infinity; {name} needs finite values.")
    if reset:
        if X.shape[0] < 2:
            raise ValueError(f"Found array with n_samples={X.shape[0]}; {name} needs at least 2.")
        estimator.n_features_in_ = X.shape[1]
    elif X.shape[1] != estimator.n_features_in_:
        raise ValueError(
            f"X has {X.shape[1]} features, but {name} is expecting {estimator.n_features_in_}"
            " features as input."
        )
    return X


def _shares(A: np.ndarray) -> np.ndarray:
    total = A.sum(axis=1, keepdims=True)
    return np.where(total > 0, A / np.where(total > 0, total, 1), 1 / A.shape[1]).astype(A.dtype)
