"""What pages show of a fit: its clusters, prototypes and parts, and hints."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..numerics.arrays import to_numpy
from ._gallery import Gallery, Tile
from ._thumbnails import array_thumbnail

__all__ = ["DOUBTFUL", "Cluster", "class_hints", "cluster_list", "picture_urls"]

DOUBTFUL = 0.8  # certainty below which a sample is shown apart
_MOST_TILES = 1500  # of all clusters together: a page of ten megabytes or so
_FEWEST, _MOST = 6, 24  # of one cluster
_FEW_CLASSES = 30  # up to which hints about classes are read; of many they are many, and slow


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
    n_wrong: int | None


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
    shown = int(np.clip(_MOST_TILES // (1.5 * max(1, len(gallery.names))), _FEWEST, _MOST))
    prototypes = picture_urls(model, model.prototypes_)
    clusters = []
    for j, name in enumerate(gallery.names):
        members = np.flatnonzero(model.labels_ == j)
        order = np.lexsort((model.outlier_score_[members], -certainty[members].round(2)))
        members = members[order]
        unlabelled = gallery.given[members] < 0
        sure = certainty[members] >= DOUBTFUL
        doubtful = members[~sure][::-1]
        # A given label is known: most of what is shown was found without one.
        found = members[sure & unlabelled]
        given = members[sure & ~unlabelled][: max(shown // 4, shown - len(found))]
        typical = np.append(given, found[: shown - len(given)])
        n_wrong = None
        if gallery.truth is not None:
            hidden = gallery.truth[members[unlabelled]]
            n_wrong = int(np.isin(hidden, ["", name], invert=True).sum())
        clusters.append(
            Cluster(
                name,
                len(members),
                int((~unlabelled).sum()),
                float(certainty[members].mean()) if len(members) else 0.0,
                prototypes[j] if prototypes else "",
                gallery.tiles(typical, ""),
                gallery.tiles(doubtful[: shown // 2]),
                len(doubtful),
                n_wrong,
            )
        )
        callback(j + 1, len(gallery.names))
    return clusters


def picture_urls(model: Any, rows: Any) -> list[str]:
    """Return addresses of rows of features as pictures; none if they are no pictures."""
    shape = getattr(model, "image_shape_", None)
    if shape is None:
        return []
    return [array_thumbnail(row, tuple(shape)).data_url() for row in to_numpy(rows)]
