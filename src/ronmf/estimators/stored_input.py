"""What an estimator takes as X that is not in memory."""

from typing import Any

from ..numerics.arrays import to_numpy
from ..numerics.pictures import picture_shape
from ..storage._open import stored_rows
from ..storage.checks import check_range
from ..storage.rows import StoredRows
from .input import check_largest, check_least

__all__ = ["check_stored"]


def check_stored(estimator: Any, X: Any, image_shape: Any, block_bytes: int | None) -> StoredRows:
    """Check all of X in one pass, and return it as rows that are read by blocks.

    Parameters
    ----------
    estimator : BaseEstimator
        Gets ``n_features_in_`` and ``image_shape_``.
    X : stored array
        The data.
    image_shape : tuple or None
        As the user gives it.
    block_bytes : int or None
        How much memory a block may take.
    """
    name, rows = type(estimator).__name__, stored_rows(X, block_bytes)
    if rows.shape[0] < 2 or rows.shape[1] < 1:
        raise ValueError(
            f"X has shape {tuple(X.shape)}; {name} needs at least 2 samples and a feature."
        )
    if image_shape is not None:
        picture_shape(name, image_shape, rows.shape[1])
    least, largest = check_range(rows, name)
    check_least(least, name)
    check_largest(largest, to_numpy(rows.like).dtype.itemsize, fitting=True)
    estimator.n_features_in_ = rows.shape[1]
    estimator.__dict__.pop("feature_names_in_", None)  # of an earlier fit to a table
    estimator.image_shape_ = rows.picture if image_shape is None else tuple(image_shape)
    return rows
