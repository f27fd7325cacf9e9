"""New samples that are not in memory: looked at block by block."""

from typing import Any

import numpy as np
from array_api_compat import is_array_api_obj
from sklearn.utils.validation import check_is_fitted

from ..numerics.arrays import to_numpy
from ..numerics.pictures import checked_picture
from ..storage._open import stored_rows

__all__ = ["of_blocks"]


def of_blocks(model: Any, method: str, X: Any) -> Any:
    """Return what a method says of stored samples.

    The model treats every new sample on its own, so blocks are as good as all at once.

    Parameters
    ----------
    model : estimator
        A fitted one.
    method : str
        The name of its method.
    X : array on disk or of Dask
        Of a Dask array the answer is one too, which is made when it is asked for.
    """
    check_is_fitted(model)
    if type(X).__module__.split(".")[0] == "dask":
        from ..storage._dask_rows import lazily

        few = np.zeros((1, *X.shape[1:]), dtype=X.dtype)
        return lazily(X, _apply, (model, method), _apply(few, model, method))
    rows = stored_rows(X)
    if rows.picture is not None:
        checked_picture(rows.picture, getattr(model, "image_shape_", None), type(model).__name__)
    return rows.concat(_apply, shared=(model, method), steady=False)


def _apply(block: np.ndarray, model: Any, method: str) -> np.ndarray:
    found = getattr(model, method)(block)
    return to_numpy(found) if is_array_api_obj(found) else np.asarray(found)  # else a table
