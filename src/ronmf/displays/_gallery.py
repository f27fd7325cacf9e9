"""Samples as a page shows them: a small picture, a name, a class, and how sure that is."""

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..datasets._pictures import UnreadablePicture
from ..numerics.arrays import to_numpy
from ..system.plain_text import shown_name
from ._thumbnails import array_thumbnail, file_thumbnail

__all__ = ["Gallery", "ReportRequest", "Tile"]

_WORTH_SAYING = 0.1  # probability from which a second class is named


@dataclass(frozen=True, kw_only=True, eq=False)
class ReportRequest:
    """What a report shows beside the fit.

    Attributes
    ----------
    images, files, root, truth, title, facts
        See :meth:`ronmf.RONMF.report`.
    names : sequence of str or None
        What clusters are called; None: as the classes.
    duplicates : list of arrays of int, or None
        Groups of samples that are nearly the same; None if nobody looked.
    issues : LabelIssues or None
        The given labels, ranked; None: they are ranked for the report.
    hints : sequence of Trouble or None
        What :func:`ronmf.displays._contents.class_hints` returns; None: it is called.
    sentences : mapping or None
        What to say of troubles, see :class:`ronmf.estimators.trouble.Trouble`.
    notes : sequence of str
        More sentences that the reader should see.
    skipped : sequence of Skipped
        Files that were passed over.
    """

    images: Any = None
    files: Sequence[str | os.PathLike] | None = None
    root: str | os.PathLike | None = None
    truth: Any = None
    title: str | None = None
    names: Sequence[str] | None = None
    facts: Mapping[str, Any] | None = None
    duplicates: Sequence[np.ndarray] | None = None
    issues: Any = None
    hints: Sequence[Any] | None = None
    sentences: Mapping[str, str] | None = None
    notes: Sequence[str] = ()
    skipped: Sequence[Any] = ()


@dataclass(frozen=True)
class Tile:
    """A sample as the page shows it.

    Attributes
    ----------
    url, name : str
        Its picture, and what it is called.
    caption, detail : str
        Short text under it, and a whole sentence.
    marks : tuple of str
        "labelled", "wrong".
    """

    url: str
    name: str
    caption: str
    detail: str
    marks: tuple[str, ...] = ()


class Gallery:
    """Makes tiles of samples; what is known of a sample is said in the same way everywhere.

    Parameters
    ----------
    model : estimator
        The fit.
    request : ReportRequest
        Pictures, files, true classes and names of clusters.

    Attributes
    ----------
    names : ndarray of str
        What clusters are called.
    certainty : ndarray of float
        Probability of each sample's cluster.
    given : ndarray of int
        Code of each given label, also of those that were set aside; -1 elsewhere.
    truth : ndarray of str or None
        True classes, for marks only; "" where they are not known.
    """

    def __init__(self, model: Any, request: ReportRequest) -> None:
        n = len(model.labels_)
        for name in ("images", "files", "truth"):
            entries = getattr(request, name)
            if entries is not None and len(entries) != n:
                raise ValueError(
                    f"{name} has {len(entries)} entries for {n} samples: give one for each sample"
                    " of fit, in the same order."
                )
        self.model, self.files = model, request.files
        self._root = Path("" if request.root is None else request.root)
        self._images, self._white = None, 0.0
        if request.images is not None:
            self._images = _pictures(request.images, getattr(model, "image_shape_", None))
            self._white = float(self._images.max(initial=0))
        self.certainty, self.given = model.certainty_, np.asarray(model._known.given)
        names = model.classes_ if request.names is None else request.names
        self.names = np.array([str(name) for name in names], dtype=object)
        self.truth = None if request.truth is None else _texts(request.truth, model.classes_)

    def name(self, i: int) -> str:
        """Return what a sample is called."""
        if self.files is None:
            return f"sample {i}"
        path = self._path(i)
        return shown_name(path.relative_to(self._root) if self._root in path.parents else path)

    def _path(self, i: int) -> Path:
        """Return where the picture of a sample is, whether its path begins with the root or not."""
        assert self.files is not None
        path = Path(self.files[i])
        return path if self._root in path.parents else self._root / path

    def _url(self, i: int) -> str:
        """Return an address that carries the picture of a sample; "" if it cannot be had."""
        if self._images is not None:
            pixels = np.asarray(self._images[i])
            if pixels.dtype != np.uint8 and self._white:
                # One white for all of them: a dark picture among bright ones looks dark.
                pixels = (pixels.clip(0, None) * (255 / self._white)).round().astype(np.uint8)
            return array_thumbnail(pixels).data_url()
        if self.files is None:
            return ""
        try:
            return file_thumbnail(self._path(i)).data_url()
        except (UnreadablePicture, OSError):  # it was there when the features were made
            return ""

    def tile(self, i: int, caption: str | None = None) -> Tile:
        """Return a sample with a caption; None: its class, and how sure that is."""
        name, own = self.name(i), self.names[self.model.labels_[i]]
        caption = self._guesses(i) if caption is None else caption
        detail, marks = f"{name}: {own}, {self.certainty[i]:.0%} sure", []
        if self.given[i] >= 0:
            detail += f"; its label {self.names[self.given[i]]} was given"
            marks.append("labelled")
        if self.truth is not None and self.truth[i] not in ("", own):
            detail += f"; wrong, it is {self.truth[i]}"
            caption = f"{caption} is {self.truth[i]}".strip()
            marks.append("wrong")
        return Tile(self._url(i), name, caption, detail, tuple(marks))

    def tiles(self, samples: Iterable[int], caption: str | None = None) -> list[Tile]:
        """Return several samples."""
        return [self.tile(int(i), caption) for i in samples]

    def _guesses(self, i: int) -> str:
        """Return the class of a sample, and what else it may be: another class, or a stranger."""
        own, n_named = int(self.model.labels_[i]), self.model._known.n_named
        novelty = float(self.model.novelty_[i]) if own < n_named else 0.0
        shares = np.append(self.model.label_distributions_[i], novelty)
        shares[:n_named] *= 1 - novelty
        order = np.argsort(-shares, kind="stable")
        others = [j for j in order if j != own and shares[j] >= _WORTH_SAYING]
        names = [*self.names, "stranger"]
        return ", ".join(f"{names[j]} {shares[j]:.0%}" for j in (own, *others[:1]))


def _pictures(images: Any, image_shape: tuple[int, ...] | None) -> np.ndarray:
    """Return pictures as an array of them, or raise one sentence."""
    images = images if isinstance(images, np.ndarray) else to_numpy(images)
    if images.ndim == 2:
        if image_shape is None or math.prod(image_shape) != images.shape[1]:
            known = "does not know" if image_shape is None else "knows another"
            raise ValueError(
                f"images has rows of {images.shape[1]} values, and the model {known} shape of a"
                " picture; give them as images.reshape(-1, height, width), or as (-1, height,"
                " width, 3) for colours."
            )
        images = images.reshape(len(images), *image_shape)
    if images.ndim not in (3, 4) or images.shape[3:] not in ((), (1,), (3,)):
        raise ValueError(
            f"images has shape {images.shape}: give pictures, (n, height, width) or (n, height,"
            " width, 3)."
        )
    return images


def _texts(truth: Any, classes: np.ndarray) -> np.ndarray:
    """Return true classes as texts, "" for what means unlabelled.

    They are compared as they are: 3.0, as an array with gaps has it, is the class 3.
    """
    texts = {name: str(name) for name in classes.tolist()}
    return np.array(
        [
            "" if name is None or name == -1 or name != name else texts.get(name, str(name))
            for name in np.asarray(truth, dtype=object).tolist()
        ],
        dtype=object,
    )
