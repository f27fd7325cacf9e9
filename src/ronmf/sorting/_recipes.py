"""How the pictures of a folder become features: as pixels, or through a network."""

import os
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from ..datasets import PictureFolder
from ..datasets._folders import median_shape
from ..datasets._listing import Skipped
from ..datasets._pictures import UnreadablePicture, opened_picture, read_color
from ..features._networks import LITE0, deep_available
from ..numerics.threads import in_threads
from ._listing import no_picture_error

__all__ = ["FeatureRecipe", "choose_recipe"]

_LOOKED_AT = 64  # pictures that are opened to see what kind they are
_SMALL = 96  # pixels of the shorter side: smaller pictures are no photographs
_FEW_TONES = 4.0  # bits of gray per pixel: drawings and scanned letters have less
_GRAY = 6.0  # mean difference of two colours, of 255, up to which a picture counts as gray
_LARGEST_SHAPE = 4096


@dataclass(frozen=True)
class FeatureRecipe:
    """How the pictures of a folder become rows of features.

    Parameters
    ----------
    kind : {"pixels", "deep"}
        Gray or colour values, or the embedding of a network.
    image_shape : tuple (height, width) or (height, width, 3), or None
        Size that pictures are brought to, in colour if it has three numbers; for pixels only.
    model : str or None
        The network, see :class:`ronmf.features.DeepFeatures`; for deep features only.

    Examples
    --------
    >>> FeatureRecipe("pixels", image_shape=(32, 32)).describe()
    '32 x 32 gray pixels'
    """

    kind: str
    image_shape: tuple[int, ...] | None = None
    model: str | None = None

    def __post_init__(self) -> None:
        if self.kind not in ("pixels", "deep"):
            raise ValueError(f"features {self.kind!r} is not known; use 'pixels' or 'deep'.")
        if self.kind == "pixels" and not _is_shape(self.image_shape):
            raise ValueError(
                f"image_shape is {self.image_shape!r}: give (height, width) or (height, width, 3)."
            )
        if self.kind == "deep" and (not isinstance(self.model, str) or self.image_shape):
            raise ValueError(f"model is {self.model!r}: give the name of a network alone.")

    @property
    def color(self) -> bool:
        """Whether colours are kept."""
        return self.image_shape is None or len(self.image_shape) == 3

    @property
    def own_network(self) -> str | None:
        """The network if it is a file of the user's own, None otherwise."""
        return None if self.model == LITE0 else self.model

    def describe(self) -> str:
        """Return the recipe in words."""
        if self.image_shape is None:
            return f"deep features of {os.path.basename(self.model or '')}"
        height, width = self.image_shape[:2]
        return f"{height} x {width} {'colour' if self.color else 'gray'} pixels"

    def to_json(self) -> dict[str, Any]:
        """Return what :meth:`from_json` takes."""
        shape = None if self.image_shape is None else list(self.image_shape)
        return {"kind": self.kind, "image_shape": shape, "model": self.model}

    @classmethod
    def from_json(cls, kept: Any) -> Self:
        """Make a recipe of what :meth:`to_json` returned; anything else is a ValueError."""
        if not isinstance(kept, dict) or set(kept) != {"kind", "image_shape", "model"}:
            raise ValueError("the recipe of features needs kind, image_shape and model.")
        shape = kept["image_shape"]
        return cls(kept["kind"], tuple(shape) if isinstance(shape, list) else None, kept["model"])


def _is_shape(shape: Any) -> bool:
    if not isinstance(shape, tuple) or len(shape) < 2 or shape[2:] not in ((), (3,)):
        return False
    return all(type(side) is int and 1 <= side <= _LARGEST_SHAPE for side in shape)


def choose_recipe(
    folder: PictureFolder, kind: str | os.PathLike = "auto"
) -> tuple[FeatureRecipe, str]:
    """Choose features that suit the pictures of a folder.

    Photographs get deep features. Pictures count as photographs if, on the median, their shorter
    side has 96 pixels or more and their tones carry 4 bits or more: drawings, scanned letters and
    the small pictures of benchmarks have less.

    Parameters
    ----------
    folder : PictureFolder
        The pictures, of which 64 at even steps are looked at.
    kind : {"auto", "pixels", "deep"} or path, default="auto"
        What is asked for. Deep features are those of EfficientNet-Lite0, or of a network of your
        own in an ``.onnx`` file, see :class:`ronmf.features.DeepFeatures`.

    Returns
    -------
    recipe : FeatureRecipe
    advice : str
        A sentence for the user; "" if there is nothing to say.
    """
    kind = os.fspath(kind)
    if kind == "deep" or kind.lower().endswith(".onnx"):
        return FeatureRecipe("deep", model=LITE0 if kind == "deep" else kind), ""
    if kind not in ("auto", "pixels"):
        raise ValueError(
            f"features {kind!r} is not known; use 'auto', 'pixels', 'deep', or the name of a .npy"
            " or .onnx file."
        )
    steps = np.linspace(0, len(folder.paths) - 1, min(_LOOKED_AT, len(folder.paths)))
    samples = np.unique(steps.round().astype(int))
    paths = [folder.paths[i] for i in samples]
    looks_and_reasons = in_threads(_look, paths)
    looks = [look for look in looks_and_reasons if not isinstance(look, str)]
    if not looks:
        reasons = zip(samples, map(str, looks_and_reasons), strict=True)
        broken = [Skipped(folder.files[i], reason) for i, reason in reasons]
        raise no_picture_error(folder, broken, "opened")
    side, tones, _ = np.median(np.array(looks, dtype=float), axis=0)
    photographs = kind == "auto" and side >= _SMALL and tones >= _FEW_TONES
    if photographs and deep_available():
        return FeatureRecipe("deep", model=LITE0), ""
    shape = median_shape(paths)
    assert shape is not None  # some of them could be read
    recipe = FeatureRecipe("pixels", (*shape, 3) if any(look[2] for look in looks) else shape)
    advice = (
        "These look like photographs. Deep features sort them far better than pixels do (0.88"
        " against 0.47 right on Caltech-101): pip install 'ronmf[deep]' (83 MB)."
    )
    return recipe, advice if photographs else ""


def _look(path: Any) -> tuple[int, float, bool] | str:
    """Return the shorter side of a picture, the entropy of its tones, and whether it has colours.

    A text if it is unreadable, the reason.
    """
    try:
        with opened_picture(path) as picture:
            shorter = min(picture.size)
        pixels = read_color(path, (64, 64))
    except UnreadablePicture as error:
        return str(error)
    shares = np.bincount(pixels.mean(axis=2).astype(int).ravel(), minlength=256) / 64**2
    tones = -float((shares * np.log2(np.where(shares > 0, shares, 1.0))).sum())
    return shorter, tones, bool(np.ptp(pixels, axis=2).mean() > _GRAY)
