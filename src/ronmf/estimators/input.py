"""What an estimator takes as X: rows or pictures, of NumPy or any other array API library."""

from typing import Any

import numpy as np
import scipy.sparse as sp
from array_api_compat import array_namespace, device, is_torch_array
from sklearn.utils.validation import validate_data

from ..numerics.arrays import is_foreign, to_numpy
from ..numerics.tables import refuse_categories

__all__ = ["check_X", "check_largest", "check_least", "refuse_other_kinds", "to_library_of"]
__all__ += ["value_range"]

# Between these largest values of X its squares, and sums of them, are safe: by bytes of a number.
_RANGE = {4: (1e-9, 1e9), 8: (1e-90, 1e90)}


def check_X(estimator: Any, X: Any, fitted: Any = None, *, pictures: bool = False) -> Any:
    """Check the rows of X and return them as floating-point numbers.

    Arrays of another library than NumPy stay in it and on their device, sparse rows stay sparse.

    Parameters
    ----------
    estimator : BaseEstimator
        Gets ``n_features_in_`` from the data, or is asked for it.
    X : array of shape (n_samples, n_features)
        The data.
    fitted : array, default=None
        An array of the fit, for `X` that is to be predicted: it is brought to the library, dtype
        and device of this one. None: `X` is to be fitted.
    """
    reset, name = fitted is None, type(estimator).__name__
    if is_foreign(X):
        X = _check_foreign(estimator, X, reset=reset)
    else:
        X = validate_data(
            estimator,
            X,
            reset=reset,
            dtype=[np.float64, np.float32],
            ensure_min_samples=2 if reset else 1,
            order="C",
            accept_sparse="csr" if estimator._takes_any_rows else False,
        )
    least, largest = value_range(X)
    if pictures or not estimator._takes_any_rows:
        check_least(least, name, pictures)
    itemsize = (X if reset and sp.issparse(X) else to_numpy((X if reset else fitted)[:1, :1])).dtype
    check_largest(max(largest, -least), itemsize.itemsize, fitting=reset)
    return X if reset or sp.issparse(X) else to_library_of(fitted, X)


def value_range(X: Any) -> tuple[float, float]:
    """Return the least and the largest value of rows in memory, dense or sparse."""
    if sp.issparse(X):
        stored = X.data if X.nnz else np.zeros(1)
        return min(float(stored.min()), 0.0), max(float(stored.max()), 0.0)
    xp = array_namespace(X)
    return float(xp.min(X)), float(xp.max(X))  # no array of comparisons as long as X


def check_least(least: float, name: str, pictures: bool = False) -> None:
    """Refuse negative values, in the name of an estimator."""
    if least >= 0:
        return
    what = "pixels are never negative; shift them, or leave image_shape out of other rows"
    if not pictures:
        what = "X must be non-negative, as pixel values are; shift or rescale it first"
    raise ValueError(f"Negative values in data passed to {name}: {what}.")


def check_largest(largest: float, itemsize: int, fitting: bool) -> None:
    """Refuse data whose squares are not safe in floating-point numbers of so many bytes."""
    smallest, greatest = _RANGE[itemsize]
    if largest > greatest or (fitting and 0 < largest < smallest):
        raise ValueError(
            f"X has the largest value {largest:.1e}; rescale it to between {smallest:.0e} and"
            f" {greatest:.0e}, where squares neither under- nor overflow."
        )


def refuse_other_kinds(X: Any, name: str) -> None:
    """Refuse arrays that are no plain real numbers, in the name of an estimator."""
    refuse_categories(X, name)
    if np.ma.isMaskedArray(X):
        raise ValueError("X is a masked array; fill the masked entries first.")
    if is_torch_array(X):
        meta = X.device.type == "meta"
        if meta or str(X.layout) != "torch.strided":
            kind = "a tensor without values" if meta else "a sparse tensor"
            raise ValueError(f"X is {kind}; {name} needs a dense one with values.")
    if is_foreign(X):
        is_complex = array_namespace(X).isdtype(X.dtype, "complex floating")
    else:
        is_complex = isinstance(X, np.ndarray) and X.dtype.kind == "c"
    if is_complex:  # scikit-learn's message would print all of it
        raise ValueError(f"Complex data not supported: {name} needs real numbers.")


def to_library_of(fitted: Any, X: Any) -> Any:
    """Bring X to the library, dtype and device of a fitted array."""
    xp = array_namespace(fitted)
    same = is_foreign(X) == is_foreign(fitted) and array_namespace(X) is xp
    if same and X.dtype == fitted.dtype and device(X) == device(fitted):
        return X
    return xp.asarray(X if same else to_numpy(X), dtype=fitted.dtype, device=device(fitted))


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
        estimator.__dict__.pop("feature_names_in_", None)  # of an earlier fit to a table
    elif X.shape[1] != estimator.n_features_in_:
        raise ValueError(
            f"X has {X.shape[1]} features, but {name} is expecting {estimator.n_features_in_}"
            " features as input."
        )
    return X
