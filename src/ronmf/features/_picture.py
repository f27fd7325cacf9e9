"""What the transformers share: checks of X and of the picture's shape, work in blocks of rows."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from array_api_compat import array_namespace
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
    _fit_context,
    clone,
)
from sklearn.utils.validation import validate_data

from ..numerics.arrays import from_numpy, is_foreign, row_blocks, to_numpy
from ..numerics.pictures import flatten_pictures, picture_shape
from ..numerics.tables import refuse_categories
from ..numerics.threads import in_threads
from ..numerics.types import Array, Labels
from ..system.parameters import parameter, parameters

__all__ = ["PictureTransformer", "RowTransformer"]

_LEAST_REACH = 16  # pixels that may be looked at around one, however small the picture is


class RowTransformer(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Non-negative features of each sample on its own; nothing is learned from the others.

    A subclass defines `_features` for a block of rows, and `_width`, the number of features made
    of so many. Arrays of other libraries than NumPy are worked on where they are if the subclass
    says `_any_library`, else in the host's memory; the features return in their library and on
    their device.
    """

    _any_library: ClassVar[bool] = False
    _takes_signs: ClassVar[bool] = False  # negative values too

    image_shape: tuple[int, ...] | None = None  # a parameter of those that need it
    image_shape_: tuple[int, ...] | None

    _parameter_constraints: ClassVar[dict] = {}

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Array, y: Labels = None) -> Self:
        """Check parameters and data; all there is to learn is the shape of pictures.

        Parameters
        ----------
        X : array of shape (n_samples, n_features), or pictures
            Non-negative values; pictures have the shape (n_samples, height, width) or
            (n_samples, height, width, channels).
        y : ignored

        Returns
        -------
        transformer
        """
        X = self._validate_X(X, reset=True)
        self._width(X.shape[1])
        return self

    def transform(self, X: Array) -> Array:
        """Return the features of every sample.

        Parameters
        ----------
        X : array of shape (n_samples, n_features), or pictures
            Non-negative values; pictures have the shape of those given to `fit`.

        Returns
        -------
        array of shape (n_samples, n_features_out)
            Non-negative; float32 for float32 data, else float64.
        """
        if not hasattr(self, "n_features_in_"):
            # Nothing is learned of the values: as good as fitted to these.
            return clone(self).fit_transform(X)
        if self._any_library and is_foreign(X):
            rows, _ = flatten_pictures(X, self.image_shape_, type(self).__name__)
            if self._is_ready(rows):
                blocks = [self._features(rows[block, :]) for block in row_blocks(rows)]
                return array_namespace(rows).concat(blocks)
        out = self._transform(self._validate_X(X, reset=False))
        if not is_foreign(X):
            return out
        return from_numpy(out, X, dtype=getattr(array_namespace(X), out.dtype.name))

    def _is_ready(self, X: Any) -> bool:
        """Whether rows of another library are as they must be; else the host says what is wrong."""
        xp = array_namespace(X)
        if X.ndim != 2 or X.shape[0] == 0 or X.shape[1] != self.n_features_in_:
            return False
        floating = X.dtype in (xp.float32, xp.float64)
        signs = self._takes_signs or bool(xp.min(X) >= 0)
        return floating and bool(xp.all(xp.isfinite(X))) and signs

    def _transform(self, X: np.ndarray) -> np.ndarray:
        # Blocks bound the memory of what lies between input and output, and stay in cache.
        out = np.empty((len(X), self._width(X.shape[1])), dtype=X.dtype)

        def fill(block: slice) -> None:
            out[block] = self._features(X[block])

        in_threads(fill, row_blocks(X))
        return out

    def _features(self, X: Any) -> Any:
        raise NotImplementedError

    def _width(self, n_features: int) -> int:
        return n_features

    def _validate_X(self, X: Any, *, reset: bool) -> np.ndarray:
        shape = self.image_shape if reset else self.image_shape_
        refuse_categories(X, type(self).__name__)
        X, shape = flatten_pictures(X, shape, type(self).__name__)
        if is_foreign(X):
            X = to_numpy(X)
        X = validate_data(self, X, reset=reset, dtype=[np.float64, np.float32], order="C")
        if not self._takes_signs and X.min(initial=0.0) < 0:
            raise ValueError(
                f"Negative values in data passed to {type(self).__name__}: X must be non-negative,"
                " as pixel values are; shift or rescale it first."
            )
        if reset:
            self.image_shape_ = shape
        return X

    @property
    def _n_features_out(self) -> int:
        return self._width(self.n_features_in_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.requires_fit = False
        tags.input_tags.three_d_array = True
        tags.input_tags.positive_only = not self._takes_signs
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


@parameters
class PictureTransformer(RowTransformer):
    """Features of rows that are pictures.

    A subclass defines `_of_pictures`, which gets an array of shape (n, height, width, channels)
    with one channel for gray pictures, and must not write into it. Where a parameter says how many
    pixels around a pixel it looks at, that is one of `_reach`.

    Parameters
    ----------
    image_shape : tuple (height, width) or (height, width, channels), default=None
        How the features of a row lie in the picture; None if `fit` is given pictures, which say it.

    Attributes
    ----------
    image_shape_ : tuple
        How the features of a row lie in the picture.
    """

    _reach: ClassVar[tuple[str, ...]] = ()  # parameters, in pixels

    image_shape: tuple[int, ...] | None = parameter(default=None, allowed=[tuple, list, None])

    def _features(self, X: Any) -> Any:
        xp, n = array_namespace(X), X.shape[0]
        pictures = xp.reshape(X, (n, *self._shape(X.shape[1])))
        return xp.reshape(self._of_pictures(pictures), (n, -1))

    def _of_pictures(self, pictures: Any) -> Any:
        raise NotImplementedError

    def _width(self, n_features: int) -> int:
        self._shape(n_features)
        return n_features

    def _shape(self, n_features: int) -> tuple[int, int, int]:
        shape = picture_shape(type(self).__name__, self.image_shape_, n_features)
        most = max(_LEAST_REACH, min(shape[:2]))
        for name in self._reach:
            if getattr(self, name) > most:
                raise ValueError(
                    f"{name}={getattr(self, name)} of {type(self).__name__} is wider than pictures"
                    f" of {shape[0]} x {shape[1]} pixels; give at most {most}."
                )
        return shape
