"""Few coordinates for many features: principal axes of the data, discriminant axes of labels."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from array_api_compat import is_numpy_array
from scipy.linalg import solve_triangular
from sklearn.base import BaseEstimator, TransformerMixin

from ..numerics.arrays import from_numpy, row_blocks
from ..numerics.principal import principal_directions
from ..numerics.threads import in_threads

__all__ = ["Axes", "UnitScale", "as_rows", "discriminant_directions", "principal_axes"]

_ROUNDING = 1e-12  # of coordinates, relative to the largest


class UnitScale(TransformerMixin, BaseEstimator):
    """Divide all features by the largest of the data that were fitted.

    Integers, or pixels in any other unit, then give the very same numbers. Rounding along the axes
    decides between neighbours at equal distances; it must not decide otherwise in another unit.
    """

    def fit(self, X: np.ndarray, y: Any = None) -> Self:
        """Take the unit from the data."""
        self.unit_ = float(np.abs(X).max(initial=0.0)) or 1.0
        return self

    def transform(self, X: np.ndarray) -> np.ndarray:
        """Return the data in that unit."""
        return X / self.unit_


@dataclass(frozen=True, eq=False)
class Axes:
    """The affine map ``F -> (F - centre) @ directions``.

    Attributes
    ----------
    centre : ndarray of shape (n_features,)
        The origin.
    directions : ndarray of shape (n_features, n_axes)
        One axis per column.
    """

    centre: np.ndarray
    directions: np.ndarray

    def coordinates(self, F: Any) -> Any:
        """Return one row of coordinates for each row of features, in the library of these."""
        if not is_numpy_array(F):
            return (F - from_numpy(self.centre, F)) @ from_numpy(self.directions, F)
        blocks = in_threads(
            lambda rows: (F[rows] - self.centre) @ self.directions, row_blocks(F) or [slice(0, 0)]
        )
        return np.concatenate(blocks)


def as_rows(F: Any, features: Any, n_samples: int, n_columns: int | None = None) -> np.ndarray:
    """Return what a transformer made as floating-point rows, or say what is wrong with it.

    `n_columns` is how many columns it made before, None if this is the first time.
    """
    name = f"features of {type(features).__name__}"
    if sp.issparse(F):
        raise ValueError(f"{name} are sparse; graphs need dense ones, so set its output to dense.")
    F = np.asarray(F)
    if F.ndim != 2 or len(F) != n_samples or not F.shape[1] or F.dtype.kind not in "fiub":
        raise ValueError(
            f"{name} have shape {F.shape} and type {F.dtype}; return one row of numbers for each of"
            f" {n_samples} samples."
        )
    if n_columns not in (None, F.shape[1]):
        raise ValueError(
            f"{name} have {F.shape[1]} columns, but {n_columns} when it was fitted; return as many."
        )
    if not np.isfinite([F.min(initial=0), F.max(initial=0)]).all():
        raise ValueError(f"{name} are infinite or NaN somewhere; return finite numbers.")
    return F if F.dtype.kind == "f" else F.astype(np.float64)


def principal_axes(F: np.ndarray, n_components: int, n_samples: int = 1000) -> Axes:
    """Return the axes of largest variance, those of rounding left out.

    With as many axes as the data's rank, distances between samples are those of the features. Of
    more rows than `n_samples`, at most so many, evenly spread, shape the axes.

    Examples
    --------
    >>> F = np.array([[0.0, 0.0], [3.0, 4.0], [6.0, 8.0]])
    >>> abs(principal_axes(F, 2).coordinates(F)).round(6).tolist()
    [[5.0], [0.0], [5.0]]
    """
    centre = F.mean(axis=0)
    C = F[:: -(-len(F) // n_samples)] - centre
    size = abs(C).max(initial=0.0)
    if size == 0:  # copies of one sample: any axis
        return Axes(centre, np.eye(F.shape[1], 1, dtype=F.dtype))
    C /= size  # the squares of extreme values must not under- or overflow
    return Axes(centre, principal_directions(C, n_components).astype(F.dtype))


def discriminant_directions(
    S: np.ndarray, memberships: np.ndarray, shrinkage: float
) -> np.ndarray | None:
    r"""Return directions along which classes lie far apart, relative to their own spread.

    Linear discriminant analysis with the scatter within classes shrunk towards a ball [1]_,

    .. math:: (1-s)\,\Sigma_w + s\,\frac{\mathrm{tr}\,\Sigma_w}{p}\,I,

    the p coordinates being principal ones. Memberships may be soft: one-hot rows are labels,
    other rows count for every class in part, and zero rows count nowhere.

    Parameters
    ----------
    S : ndarray of shape (n_samples, p)
        Coordinates.
    memberships : ndarray of shape (n_samples, n_classes)
        Non-negative.
    shrinkage : float
        s, from 0 to 1.

    Returns
    -------
    ndarray of shape (p, n_axes) or None
        At most one axis less than classes. None where the class means do not differ.

    References
    ----------
    .. [1] J. H. Friedman. Regularized discriminant analysis. JASA 84, 1989.

    Examples
    --------
    >>> S = np.array([[0.0, 0.0], [0.0, 2.0], [9.0, 0.0], [9.0, 2.0], [4.0, 7.0]])
    >>> labels = np.array([[1, 0], [1, 0], [0, 1], [0, 1], [0, 0]])
    >>> axis = discriminant_directions(S, labels, 0.5)
    >>> axis[1, 0] == 0  # only the first coordinate tells the classes apart
    np.True_
    """
    S, P = S.astype(np.float64), memberships.astype(np.float64)
    mass = P.sum(axis=0)
    P, mass = P[:, mass > 0], mass[mass > 0]
    if len(mass) < 2:
        return None
    own = P.sum(axis=1)
    size = float(np.abs(S).max())
    S = S - own @ S / own.sum()  # else the squares of a far-off mean would hide the scatter
    means = P.T @ S / mass[:, None]
    scatter = ((S * own[:, None]).T @ S - (means * mass[:, None]).T @ means) / own.sum()
    between = means - means.mean(axis=0)
    p = S.shape[1]
    total = (own @ S**2).sum() / own.sum() / p
    if not total > (_ROUNDING * size) ** 2:  # nothing but rounding tells the samples apart
        return None
    # One sample per class has no scatter within; the ball then has the size of all of them.
    radius = shrinkage * max(np.trace(scatter) / p, 1e-6 * total)
    root = np.linalg.cholesky((1 - shrinkage) * scatter + (radius + 1e-9 * total) * np.eye(p))
    whitened = solve_triangular(root, between.T, lower=True)
    U, s, _ = np.linalg.svd(whitened, full_matrices=False)
    if not s[0] > 0:
        return None
    return solve_triangular(root, U[:, s > 1e-8 * s[0]], lower=True, trans="T")
