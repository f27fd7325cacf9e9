"""What a report shows of a fit: which samples, in which order, and what is said of them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..labels.uncertainty import certainty_of
from ..numerics.arrays import to_numpy
from ..system.plain_text import short_name
from ._thumbnails import array_thumbnail
from ._tiles import Tiles

__all__ = ["Cluster", "Gallery", "Part", "Tile", "class_hints", "cluster_list", "given_labels"]
__all__ += ["parts_of"]

DOUBTFUL = 0.8  # certainty below which a sample is shown apart
_MOST_TILES = 1500  # of all clusters together: a page of ten megabytes or so
_FEWEST, _MOST = 6, 24  # of one cluster
_FEW_CLASSES = 30  # up to which hints about classes are read; of many they are many, and slow
_SHORT = 44  # characters of a name under a picture
_WORTH_SAYING = 0.1  # probability from which a second class is named


@dataclass(frozen=True)
class Tile:
    """A sample as the page shows it.

    Attributes
    ----------
    sample : int
        Its number.
    url, name, short : str
        Its picture, what it is called, and that shortened to three lines.
    caption, detail : str
        Short text under it, and a whole sentence.
    marks : tuple of str
        "labelled", "wrong".
    """

    sample: int
    url: str
    name: str
    short: str
    caption: str
    detail: str
    marks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Cluster:
    """A cluster as the page shows it."""

    name: str
    size: int
    n_labelled: int
    certainty: float
    prototype: str
    typical: list[Tile]
    doubtful: list[Tile]
    n_doubtful: int
    n_wrong: int | None = None


@dataclass(frozen=True)
class Part:
    """A learned part, or a prototype, as a picture."""

    name: str
    url: str


@dataclass
class Gallery:
    """Makes tiles of samples; what is known of a sample is said in the same way everywhere.

    Attributes
    ----------
    model : estimator
        The fit.
    tiles : Tiles
        Pictures and names.
    truth : ndarray of str or None
        True classes, for marks only.
    called : sequence of str or None
        What clusters are called; None: as the classes.
    """

    model: Any
    tiles: Tiles
    truth: np.ndarray | None = None
    called: Sequence[str] | None = None
    certainty: np.ndarray = field(init=False)
    given: np.ndarray = field(init=False)
    names: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        self.certainty = certainty_of(self.model)
        self.given = given_labels(self.model)
        called = self.model.classes_ if self.called is None else self.called
        self.names = np.array([str(name) for name in called], dtype=object)

    def tile(self, i: int, caption: str = "", *, say_class: bool = False) -> Tile:
        """Return a sample with a caption, or with its class and how sure that is."""
        found = self.names[self.model.labels_[i]]
        sure = f"{self.certainty[i]:.0%}"
        detail, marks = f"{self.tiles.name(i)}: {found}, {sure} sure", []
        if say_class:
            caption = self._guesses(i)
        if self.given[i] >= 0:
            detail += f"; its label {self.names[self.given[i]]} was given"
            marks.append("labelled")
        if self.truth is not None and self.truth[i] not in ("", found):
            detail += f"; wrong, it is {self.truth[i]}"
            caption = f"{caption} is {self.truth[i]}".strip()
            marks.append("wrong")
        name = self.tiles.name(i)
        short = short_name(name, _SHORT)
        return Tile(int(i), self.tiles.url(i), name, short, caption, detail, tuple(marks))

    def _guesses(self, i: int) -> str:
        """Return the class of a sample, and the next one if that is not far behind."""
        probabilities = self.model.label_distributions_[i]
        own = int(self.model.labels_[i])
        said = f"{self.names[own]} {probabilities[own]:.0%}"
        others = np.delete(np.arange(len(probabilities)), own)
        if not len(others):
            return said
        next_one = others[probabilities[others].argmax()]
        if probabilities[next_one] < _WORTH_SAYING:
            return said
        return f"{said}, {self.names[next_one]} {probabilities[next_one]:.0%}"

    def strip(self, samples: Iterable[int], *, say_class: bool = True) -> list[Tile]:
        """Return several samples."""
        return [self.tile(int(i), say_class=say_class) for i in samples]


def given_labels(model: Any) -> np.ndarray:
    """Return the codes of all given labels, those that were set aside too; -1 elsewhere."""
    return np.asarray(model._known.given)


def class_hints(model: Any) -> list[Any]:
    """Return what `hints` finds, if classes are few: else it takes long."""
    return model.hints() if len(model.classes_) <= _FEW_CLASSES else []


def cluster_list(
    gallery: Gallery, callback: Callable[[int, int], Any] = lambda done, total: None
) -> list[Cluster]:
    """Return the clusters, in the order of their names in the estimator.

    Typical members come first: some that were labelled, then the surest, and among equally sure
    ones those that are least strange. Doubtful ones are apart. ``callback(done, total)`` is called
    after every cluster, whose pictures are read here.
    """
    model, certainty = gallery.model, gallery.certainty
    shown = int(np.clip(_MOST_TILES // (1.5 * max(1, len(model.classes_))), _FEWEST, _MOST))
    prototypes = parts_of(model, model.prototypes_, gallery.names)
    clusters = []
    for j, name in enumerate(gallery.names):
        members = np.flatnonzero(model.labels_ == j)
        order = np.lexsort((model.outlier_score_[members], -certainty[members].round(2)))
        members = members[order]
        doubtful = members[certainty[members] < DOUBTFUL][::-1]
        labelled = gallery.given[members] >= 0
        hidden = members[~labelled]
        sure = certainty[members] >= DOUBTFUL
        # What was told is known: most of what is shown is what was found.
        found = members[sure & ~labelled]
        told = members[sure & labelled][: max(shown // 4, shown - len(found))]
        typical = np.append(told, found[: shown - len(told)])
        wrong = None
        if gallery.truth is not None:
            wrong = int(np.isin(gallery.truth[hidden], ["", name], invert=True).sum())
        clusters.append(
            Cluster(
                name,
                len(members),
                len(members) - len(hidden),
                float(certainty[members].mean()) if len(members) else 0.0,
                prototypes[j].url if prototypes else "",
                gallery.strip(typical, say_class=False),
                gallery.strip(doubtful[: shown // 2], say_class=True),
                len(doubtful),
                wrong,
            )
        )
        callback(j + 1, len(gallery.names))
    return clusters


def parts_of(model: Any, rows: Any, names: Iterable[str]) -> list[Part]:
    """Return rows of features as pictures; none if they are no pictures."""
    shape = getattr(model, "image_shape_", None)
    if shape is None:
        return []
    return [
        Part(str(name), array_thumbnail(row, tuple(shape)).data_url())
        for name, row in zip(names, to_numpy(rows), strict=True)
    ]
