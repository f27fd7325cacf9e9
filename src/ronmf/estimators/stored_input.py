"""What an estimator takes as X that is not in memory, or too large for a second copy there."""

from typing import Any

from array_api_compat import is_numpy_array

from ..numerics.arrays import to_numpy
from ..numerics.memory import allowed_bytes
from ..numerics.pictures import checked_picture, picture_shape
from ..storage._checks import check_range
from ..storage._open import is_stored, stored_rows
from ..storage._rows import StoredRows
from .input import check_largest, check_least, value_range

__all__ = ["check_data"]

_BLOCKS = 24  # so many blocks, with what is made of them, fit into the memory that is allowed


def check_data(estimator: Any, X: Any) -> Any:
    """Check X for a fit; return rows in memory, or rows that are read by blocks.

    Parameters
    ----------
    estimator : SemiSupervisedClusterer
        With ``max_memory`` and ``checkpoint``. Gets ``n_features_in_`` and ``image_shape_``.
    X : array in memory or stored
        The data.
    """
    size = allowed_bytes(1 / _BLOCKS, 2**28)
    if is_stored(X):
        return _check_stored(estimator, stored_rows(X, size))
    X = estimator._validate_X(X, reset=True)
    if estimator.max_memory is None and estimator.checkpoint is None:
        return X
    if not is_numpy_array(X):
        raise ValueError(
            "max_memory and checkpoint are for X of NumPy, on disk or of Dask; leave them out, or"
            " convert X."
        )
    rows = stored_rows(X, size)
    rows.least = value_range(X)[0]
    return rows


def _check_stored(estimator: Any, X: StoredRows) -> StoredRows:
    name, image_shape = type(estimator).__name__, estimator.image_shape
    if X.shape[0] < 2 or X.shape[1] < 1:
        raise ValueError(f"X has shape {X.shape}; {name} needs at least 2 samples and a feature.")
    if X.picture is not None:
        checked_picture(X.picture, image_shape, name)
    if image_shape is not None:
        picture_shape(name, image_shape, X.shape[1])
    shape = X.picture if image_shape is None else tuple(image_shape)
    X.least, largest = check_range(X, name)
    if shape is not None:
        check_least(X.least, name, pictures=True)
    check_largest(max(largest, -X.least), to_numpy(X.like).dtype.itemsize, fitting=True)
    estimator.n_features_in_ = X.shape[1]
    estimator.__dict__.pop("feature_names_in_", None)  # of an earlier fit to a table
    estimator.image_shape_, estimator._projection = shape, None
    return X
