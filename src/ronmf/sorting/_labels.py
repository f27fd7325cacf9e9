"""Labels that users give to pictures, and what to say of those that do not count."""

import csv
import os
import re
from collections.abc import Mapping, Sequence

import numpy as np

from ..datasets import PictureFolder, read_label_table
from ..system.files import user_path
from ..system.plain_text import counted, one_line, short_name

__all__ = ["advice_on_unreadable", "earlier_clusters", "read_labels"]

_NAMED_CLASSES = 5  # in a sentence
_IF_CLASSES = (
    "If they are classes, cluster again with --labels folders and --force (in Python"
    ' labels="folders", force=True).'
)


def read_labels(
    labels: str | os.PathLike | None, folder: PictureFolder
) -> tuple[dict[str, str], list[str]]:
    """Return the given labels by file, and what to say of them."""
    if labels is None:
        parents = {name for name in folder.folder_labels() if name}
        if 1 < len(parents) < len(folder.files) / 2:
            text = f"The names of the {len(parents)} sub-folders were not used as labels."
            return {}, [f"{text} {_IF_CLASSES}"]
        return {}, []
    if labels == "folders":
        names = dict(zip(folder.files, folder.folder_labels(), strict=True))
        none = "There are no sub-folders with pictures, so there are no labels."
        return names, [] if any(names.values()) else [none]
    table = read_label_table(labels, folder)
    if not table.unknown:
        return table.labels, [] if table.labels else ["The table of labels gives no label."]
    one, first = len(table.unknown) == 1, table.unknown[0]
    return table.labels, [
        f"{counted(len(table.unknown), 'row')} of the labels name{'s' if one else ''} no picture"
        f" of the folder{':' if one else ', the first'} {first!r};"
        f" {'it was' if one else 'they were'} passed over."
    ]


def earlier_clusters(
    table: str | os.PathLike | None, files: Sequence[str]
) -> tuple[np.ndarray, list[str]] | None:
    """Return the clusters of an earlier result, if its own table is what gives the labels.

    Parameters
    ----------
    table : path or None
        The table of labels: a filled in ``clusters.csv``, perhaps.
    files : sequence of str
        The pictures.

    Returns
    -------
    (ndarray of int, list of str) or None
        The cluster of each picture, and the names of the first ones, which are classes. None if the
        table is another one, or does not know all of the pictures.
    """
    if table is None:
        return None
    try:
        with user_path(table).open(newline="", encoding="utf-8-sig") as file:
            rows = list(csv.DictReader(file))
    except (OSError, ValueError, csv.Error):
        return None
    if not rows or not {"path", "class", "certainty", "label"} <= set(rows[0]):
        return None
    clusters = {row["path"]: row["class"] for row in rows}
    if not all(clusters.get(name) for name in files):
        return None
    found = sorted({clusters[name] for name in files}, key=lambda name: (_is_unnamed(name), name))
    numbers = {name: number for number, name in enumerate(found)}
    named = [name for name in found if not _is_unnamed(name)]
    return np.array([numbers[clusters[name]] for name in files]), named


def _is_unnamed(cluster: str) -> bool:
    return re.fullmatch(r"cluster \d+'*", cluster) is not None


def advice_on_unreadable(given: Mapping[str, str], folder: PictureFolder) -> list[str]:
    """Return what to say of labels whose pictures are not among the readable ones of a folder."""
    readable = set(folder.files)
    lost = {name: label for name, label in given.items() if label and name not in readable}
    if not lost:
        return []
    (name, label), one = next(iter(lost.items())), len(lost) == 1
    text = (
        f"{counted(len(lost), 'label')} {'is of a picture' if one else 'are of pictures'} that"
        f" cannot be read, and {'does' if one else 'do'} not count{':' if one else ', the first'}"
        f" {short_name(name)!r} ({one_line(label, 60)!r})."
    )
    kept = {label for name, label in given.items() if name in readable}
    if gone := sorted(set(lost.values()) - kept):
        some = ", ".join(repr(one_line(each, 60)) for each in gone[:_NAMED_CLASSES])
        more = ", ..." if len(gone) > _NAMED_CLASSES else ""
        text += f" So nothing is labelled {some}{more}, and no cluster has such a name."
    return [text]
