"""The estimator shell: validation, tags, labels, new samples. Mathematics lives elsewhere."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from array_api_compat import (
    array_namespace,
    device,
    is_array_api_obj,
    is_numpy_array,
    is_torch_array,
)
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    ClusterMixin,
    TransformerMixin,
)
from sklearn.utils.validation import check_is_fitted, validate_data

from ..labels.class_prior import shares
from ..numerics.arrays import to_numpy
from .progress import CallbackSupportMixin

__all__ = ["SemiSupervisedClusterer"]

# Largest values of X for which its squares, and sums of them, are safe: by bytes of a number.
_RANGE = {4: (1e-9, 1e9), 8: (1e-90, 1e90)}


class SemiSupervisedClusterer(
    CallbackSupportMixin,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
    ClusterMixin,
    BaseEstimator,
):
    """A clusterer of non-negative data that may be given some labels.

    A subclass defines ``fit`` and ``_encode``: a non-negative code for each sample, computed on its
    own. It sets ``classes_`` and ``prototypes_``, the samples that the unit codes stand for; there
    is one to a cluster, and codes are memberships, unless it overrides `_dictionary` and `predict`.
    """

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "classes_")

    def fit_predict(self, X: Any, y: Any = None, **fit_params: Any) -> np.ndarray:
        """Fit, honouring the labels in `y`, and return the cluster number of every sample."""
        return self.fit(X, y, **fit_params).labels_

    def fit_transform(self, X: Any, y: Any = None, **fit_params: Any) -> Any:
        """Fit, honouring the labels in `y`, and return ``transform(X)``."""
        return self.fit(X, y, **fit_params).transform(X)

    def transform(self, X: Any) -> Any:
        """Return the non-negative codes of samples, each computed on its own.

        Codes are memberships (one column a cluster) where the estimator has memberships, and
        coefficients (one column a component) where it has coefficients.

        Parameters
        ----------
        X : array of shape (n_samples, n_features)

        Returns
        -------
        array of shape (n_samples, n_clusters) or (n_samples, n_components)
        """
        check_is_fitted(self)
        return self._encode(self._validate_X(X, reset=False))

    def inverse_transform(self, X: Any) -> Any:
        """Return the samples that the model makes of codes, such as ``transform`` returns."""
        check_is_fitted(self)
        X = _like(X if _foreign(X) else np.asarray(X), self._dictionary)
        if X.ndim != 2 or X.shape[1] != self._dictionary.shape[0]:
            raise ValueError(
                f"X has shape {tuple(X.shape)}; inverse_transform needs one row of"
                f" {self._dictionary.shape[0]} numbers for each sample."
            )
        return X @ self._dictionary

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return memberships scaled to sum to one; columns follow ``classes_``.

        A sample that nothing speaks for gets equal shares.
        """
        return shares(to_numpy(self.transform(X)))

    def predict(self, X: Any) -> np.ndarray:
        """Return the class name (an entry of ``classes_``) of each sample."""
        check_is_fitted(self)
        return self.classes_[to_numpy(self.transform(X)).argmax(axis=1)]

    @contextmanager
    def _nothing_half_written(self) -> Iterator[None]:
        """Undo what validation writes if the fit then fails: an earlier fit stays usable."""
        names = ("n_features_in_", "feature_names_in_")
        before = {name: getattr(self, name) for name in names if hasattr(self, name)}
        try:
            yield
        except BaseException:
            for name in names:
                self.__dict__.pop(name, None)
            self.__dict__.update(before)
            raise

    def _validate_X(self, X: Any, *, reset: bool) -> Any:
        """Check data. Arrays of another library than NumPy stay in it and on their device.

        Queries are brought to the library, dtype and device of the fit.
        """
        if np.ma.isMaskedArray(X):
            raise ValueError("X is a masked array; fill the masked entries first.")
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
        largest = float(xp.max(X))
        works_in = X if reset else self._dictionary
        smallest, greatest = _RANGE[to_numpy(works_in[:1, :1]).dtype.itemsize]
        if largest > greatest or (reset and 0 < largest < smallest):
            raise ValueError(
                f"X has the largest value {largest:.1e}; rescale it to between {smallest:.0e} and"
                f" {greatest:.0e}, where squares neither under- nor overflow."
            )
        return X if reset else _like(X, self._dictionary)

    def _keep_memberships(self, A: Any, prototypes: Any, classes: np.ndarray) -> None:
        """Set what memberships decide: each sample belongs where its share is largest."""
        self.membership_, self.prototypes_, self.classes_ = A, prototypes, classes
        self.labels_ = to_numpy(A).argmax(axis=1)
        self.transduction_ = classes[self.labels_]

    @property
    def _dictionary(self) -> Any:
        """One row of features for every column of the codes."""
        return self.prototypes_

    @property
    def _n_features_out(self) -> int:
        return self._dictionary.shape[0]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def _like(X: Any, fitted: Any) -> Any:
    """Bring X to the library, dtype and device of a fitted array."""
    xp = array_namespace(fitted)
    same = _foreign(X) == _foreign(fitted) and array_namespace(X) is xp
    if same and X.dtype == fitted.dtype and device(X) == device(fitted):
        return X
    return xp.asarray(X if same else to_numpy(X), dtype=fitted.dtype, device=device(fitted))


def _foreign(X: Any) -> bool:
    """Whether X is an array of an array API library other than NumPy."""
    return is_array_api_obj(X) and not is_numpy_array(X)


def _check_foreign(estimator: Any, X: Any, *, reset: bool) -> Any:
    xp = array_namespace(X)
    name = type(estimator).__name__
    if is_torch_array(X):
        X = X.detach()
    if X.ndim != 2 or X.shape[1] == 0:
        raise ValueError(f"X has shape {tuple(X.shape)}; {name} needs samples x features.")
    if X.dtype not in (xp.float32, xp.float64):
        X = xp.astype(X, xp.float64)
    if not bool(xp.all(xp.isfinite(X))):
        raise ValueError(f"X contains NaN or infinity; {name} needs finite values.")
    least = 2 if reset else 1
    if X.shape[0] < least:
        raise ValueError(f"Found array with n_samples={X.shape[0]}; {name} needs at least {least}.")
    if reset:
        estimator.n_features_in_ = X.shape[1]
    elif X.shape[1] != estimator.n_features_in_:
        raise ValueError(
            f"X has {X.shape[1]} features, but {name} is expecting {estimator.n_features_in_}"
            " features as input."
        )
    return X
