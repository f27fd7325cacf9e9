"""New samples that are not in memory: looked at block by block."""

from typing import Any

import numpy as np
from array_api_compat import is_array_api_obj
from sklearn.utils.validation import check_is_fitted

from ..numerics.arrays import to_numpy
from ..numerics.pictures import checked_picture
from ..numerics.types import Array
from ..storage._open import is_stored, stored_rows

__all__ = ["StoredSamplesMixin"]


class StoredSamplesMixin:
    """For estimators that treat every new sample on its own: blocks are as good as all at once.

    Of a Dask array the answer is a Dask array too, which is made when it is asked for.
    """

    classes_: np.ndarray

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
        if is_stored(X):
            return self._of_blocks("transform", X)
        return super().transform(X)  # type: ignore[misc]

    def predict(self, X: Array) -> Array:
        """Return the class name (an entry of ``classes_``) of each sample."""
        return self._of_blocks("predict", X) if is_stored(X) else super().predict(X)  # type: ignore[misc]

    def predict_proba(self, X: Array) -> Array:
        """Return the probability of each class, calibrated on hidden labels.

        Columns follow ``classes_``. For the samples of ``fit`` see ``label_distributions_``: here
        they count as new ones, whose labels are not known.
        """
        if is_stored(X):
            return self._of_blocks("predict_proba", X)
        return super().predict_proba(X)  # type: ignore[misc]

    def _of_blocks(self, method: str, X: Any) -> Any:
        check_is_fitted(self)
        if type(X).__module__.split(".")[0] == "dask":
            from ..storage._dask_rows import lazily

            few = np.zeros((1, *X.shape[1:]), dtype=X.dtype)
            return lazily(X, _apply, (self, method), _apply(few, self, method))
        rows = stored_rows(X)
        if rows.picture is not None:
            checked_picture(rows.picture, getattr(self, "image_shape_", None), type(self).__name__)
        return rows.concat(_apply, shared=(self, method), steady=False)


def _apply(block: np.ndarray, model: Any, method: str) -> np.ndarray:
    found = getattr(model, method)(block)
    return to_numpy(found) if is_array_api_obj(found) else np.asarray(found)  # else a table
